import type { Assessment } from "./assessment.ts";
import type { Flag, ScenarioId } from "./vocabulary.ts";

export const POLICY_FLAGS = {
  proxy: "isProxy",
  vpn: "isVpn",
  tor: "isTor",
  relay: "isRelay",
  hosting: "isHosting",
  mobile: "isMobile",
  bogon: "isBogon",
  crawler: "isSearchEngineBot",
} as const satisfies Record<string, Flag>;

// Object.keys() has the type string[].
const FLAG_WORDS = Object.keys(POLICY_FLAGS) as (keyof typeof POLICY_FLAGS)[];

/** The words of a policy: kinds of addresses. `shared`: many devices were observed on the address. */
export const POLICY_WORDS = [...FLAG_WORDS, "cdn", "satellite", "shared"] as const;

export type PolicyWord = (typeof POLICY_WORDS)[number];

/** What is asked of an address. */
export interface Policy {
  /** Least score; absent = any. */
  readonly min?: number;
  /** The use whose score is compared with `min`; absent = the purity. */
  readonly scenario?: ScenarioId;
  readonly deny: readonly PolicyWord[];
  readonly allow: readonly PolicyWord[];
}

/** What the operator of a site asks of its visitors' addresses. */
export interface VisitorPolicy extends Policy {
  /** What happens if the evidence is not enough to decide. */
  readonly unknown: "allow" | "deny";
}

/** A least score as it is written: a whole number from 0 to 100. */
export const SCORE_PATTERN = /^(?:100|[1-9]?\d)$/;

/** Reads words of a closed set; `unknown` is the first part that is not one of them. */
export function readWords<const Word extends string>(
  parts: readonly string[],
  known: readonly Word[],
): { readonly words: readonly Word[]; readonly unknown?: string } {
  const words: Word[] = [];
  for (const part of parts) {
    const word = known.find((one) => one === part);
    if (word === undefined) return { words, unknown: part };
    words.push(word);
  }
  return { words };
}

/** The word that a policy both denies and allows. */
export function findContradiction({ deny, allow }: Policy): PolicyWord | undefined {
  return allow.find((word) => deny.includes(word));
}

/** Whether every address passes a policy, because it has neither a denied kind nor a least score. */
export function isAskingNothing({ min, deny }: Policy): boolean {
  return min === undefined && deny.length === 0;
}

type Use = Assessment["scenarios"][number];

/**
 * What a policy reads. `asKind` is the kind of the AS; `isShared`: many devices were observed on the address; `accused` is
 * the purity by what is known alone, without the pull towards neutral of what was not obtained.
 */
export interface PolicyFacts extends Pick<Assessment, "flags" | "usage" | "purity"> {
  readonly accused: number;
  readonly asKind?: string;
  readonly isShared: boolean;
  readonly scenarios: readonly (Pick<Use, "id" | "score" | "level"> & {
    readonly reasons?: readonly Pick<Use["reasons"][number], "id">[];
  })[];
}

/** Reads from an assessment what is not a field of it. */
export function readPolicyFacts({
  asn,
  purity,
  factors,
}: Pick<Assessment, "asn" | "purity" | "factors">): Pick<PolicyFacts, "accused" | "asKind" | "isShared"> {
  return {
    ...(asn?.kind === undefined ? {} : { asKind: asn.kind }),
    ...readFactors(purity, factors),
  };
}

/** Reads what a policy needs from the factors of a purity. */
export function readFactors(
  purity: number,
  factors: readonly { readonly id: string; readonly data: Readonly<Record<string, unknown>> }[],
): Pick<PolicyFacts, "accused" | "isShared"> {
  const pull = factors.find(({ id }) => id === "not_obtained");
  const without = pull?.data.without;
  return {
    accused: typeof without === "number" ? without : purity,
    isShared: factors.some(({ id }) => id === "shared_address"),
  };
}

/** What is known of a visitor. `isProven`: a live source answered, or this service queries none. */
export interface KnownVisitor<Facts extends PolicyFacts = PolicyFacts> {
  readonly assessment: Facts;
  readonly isProven: boolean;
}

/** The decision about a visitor, and why: `pass`, `unknown`, or `deny` with the word or `min` that denied. */
export interface VisitorVerdict {
  readonly isAllowed: boolean;
  readonly verdict: "pass" | "unknown" | `deny ${PolicyWord | "min" | "restricted"}`;
}

type WordFacts = Omit<PolicyFacts, "purity" | "scenarios">;

/** The words that apply to an address, in the order of {@link POLICY_WORDS}. */
export function wordsOf(facts: WordFacts): readonly PolicyWord[] {
  return POLICY_WORDS.filter((word) => applies(word, facts));
}

function applies(word: PolicyWord, { flags, usage, asKind, isShared }: WordFacts): boolean {
  if (word === "cdn" || word === "satellite") return asKind === word;
  if (word === "shared") return isShared;
  return flags[POLICY_FLAGS[word]] || usage === word;
}

export type PolicyDecision =
  | { readonly outcome: "PASS"; readonly score?: number }
  /** A denied kind, or a score below `min`, or a region where the service is not offered. */
  | { readonly outcome: "FAIL"; readonly because: PolicyWord | "min" | "restricted"; readonly score?: number }
  /**
   * `no_score`: the address is not anyone's exit, so it has no score. `unproven`: no live source answered. `not_obtained`:
   * only missing evidence puts the score below `min`.
   */
  | { readonly outcome: "UNKNOWN"; readonly because: "no_score" | "unproven" | "not_obtained" };

/** The score of an address about which nothing is known. Only an accusation makes a lower one. */
const NEUTRAL_SCORE = 50;

/** The order in which a denied kind is named: anonymity that people chose before all else. */
const BY_STRENGTH: readonly PolicyWord[] = ["tor", ...POLICY_WORDS.filter((word) => word !== "tor")];

/**
 * Decides about an address by a policy, in this order: a search-engine crawler passes if `allow` names it; a denied kind
 * fails, and the strongest is named; an allowed kind passes whatever its score; a score below `min` fails, unless only
 * missing evidence puts it there. What remains passes if it is proven. Otherwise it is unknown, because a missing answer
 * proves nothing; without `deny` and `min` there is nothing to prove. Public infrastructure, crawlers and
 * special-purpose addresses have no score, so they are unknown to `min`.
 */
export function decide(known: KnownVisitor | undefined, policy: Policy): PolicyDecision {
  const { min, deny, allow } = policy;
  const words = known === undefined ? [] : wordsOf(known.assessment);
  if (allow.includes("crawler") && words.includes("crawler")) return { outcome: "PASS" };
  const denied = BY_STRENGTH.find((word) => words.includes(word) && deny.includes(word));
  if (denied !== undefined) return { outcome: "FAIL", because: denied };
  if (words.some((word) => allow.includes(word))) return { outcome: "PASS" };
  if (isAskingNothing(policy)) return { outcome: "PASS" };
  if (known === undefined) return { outcome: "UNKNOWN", because: "unproven" };
  if (words.includes("bogon")) return { outcome: "UNKNOWN", because: "no_score" };
  if (min !== undefined) return compareScore(known, min, policy.scenario);
  return known.isProven ? { outcome: "PASS" } : { outcome: "UNKNOWN", because: "unproven" };
}

function compareScore(
  { assessment, isProven }: KnownVisitor,
  min: number,
  scenario: ScenarioId | undefined,
): PolicyDecision {
  // A use is not applicable only if no use is.
  if (assessment.scenarios.some(({ level }) => level === "not_applicable"))
    return { outcome: "UNKNOWN", because: "no_score" };
  const use = assessment.scenarios.find(({ id }) => id === scenario);
  if (isProven && use?.level === "restricted") return { outcome: "FAIL", because: "restricted" };
  const score = scenario === undefined ? assessment.purity : (use?.score ?? undefined);
  if (score === undefined) return { outcome: "UNKNOWN", because: isProven ? "no_score" : "unproven" };
  if (score < min && isAccused(assessment, min, use)) return { outcome: "FAIL", because: "min", score };
  if (!isProven) return { outcome: "UNKNOWN", because: "unproven" };
  return score < min ? { outcome: "UNKNOWN", because: "not_obtained" } : { outcome: "PASS", score };
}

/** Whether what is known alone puts a score below `min`. A lack of answers never puts a use below {@link NEUTRAL_SCORE}. */
function isAccused({ accused }: PolicyFacts, min: number, use: PolicyFacts["scenarios"][number] | undefined) {
  if (use === undefined) return accused < min;
  const isThin = use.reasons?.some(({ id }) => id === "thin_evidence") === true;
  return !isThin || (use.score ?? 0) < NEUTRAL_SCORE;
}

/** Decides about a visitor by {@link decide}. `unknown` of the policy says what happens to unknown ones. */
export function judgeVisitor(known: KnownVisitor | undefined, policy: VisitorPolicy): VisitorVerdict {
  const decision = decide(known, policy);
  if (decision.outcome === "PASS") return { isAllowed: true, verdict: "pass" };
  if (decision.outcome === "UNKNOWN") return { isAllowed: policy.unknown === "allow", verdict: "unknown" };
  return { isAllowed: false, verdict: `deny ${decision.because}` };
}
