import type { Assessment } from "./assessment.ts";
import type { Flag } from "./vocabulary.ts";

/** Words of a policy for the flags of an address. */
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
export const POLICY_WORDS = [...FLAG_WORDS, "cdn", "shared"] as const;

/** A word of a policy: a kind of address. */
export type PolicyWord = (typeof POLICY_WORDS)[number];

/** What the operator of a site asks of its visitors' addresses. */
export interface VisitorPolicy {
  /** Least purity; absent = any. */
  readonly min?: number;
  readonly deny: readonly PolicyWord[];
  readonly allow: readonly PolicyWord[];
  /** What happens if the evidence is not enough to decide. */
  readonly unknown: "allow" | "deny";
}

/** What a policy reads. `asKind` is the kind of the AS; `isShared`: many devices were observed on the address. */
export interface PolicyFacts extends Pick<Assessment, "flags" | "usage" | "purity"> {
  readonly asKind?: string;
  readonly isShared: boolean;
}

/** Reads from an assessment what is not a field of it. */
export function readPolicyFacts({
  asn,
  factors,
}: Pick<Assessment, "asn" | "factors">): Pick<PolicyFacts, "asKind" | "isShared"> {
  return {
    ...(asn?.kind === undefined ? {} : { asKind: asn.kind }),
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
  readonly verdict: "pass" | "unknown" | "deny min" | `deny ${PolicyWord}`;
}

/** The words that apply to an address, in the order of {@link POLICY_WORDS}. */
export function wordsOf(facts: Omit<PolicyFacts, "purity">): readonly PolicyWord[] {
  return POLICY_WORDS.filter((word) => applies(word, facts));
}

function applies(word: PolicyWord, { flags, usage, asKind, isShared }: Omit<PolicyFacts, "purity">): boolean {
  if (word === "cdn") return asKind === "cdn";
  if (word === "shared") return isShared;
  return flags[POLICY_FLAGS[word]] || usage === word;
}

/**
 * Judges a visitor by a policy, in this order: a search-engine crawler passes if `allow` names it; a denied kind is
 * denied; an allowed kind passes whatever its purity; a purity below `min` is denied. What remains passes if it is
 * proven. Otherwise it is unknown, because a missing answer proves nothing; without `deny` and `min` there is nothing to
 * prove. A special-purpose address has no purity, so `min` never denies it.
 */
export function judgeVisitor(known: KnownVisitor | undefined, policy: VisitorPolicy): VisitorVerdict {
  const { min, deny, allow } = policy;
  const words = known === undefined ? [] : wordsOf(known.assessment);
  if (allow.includes("crawler") && words.includes("crawler")) return PASS;
  const denied = words.find((word) => deny.includes(word));
  if (denied !== undefined) return { isAllowed: false, verdict: `deny ${denied}` };
  if (words.some((word) => allow.includes(word))) return PASS;
  if (min === undefined && deny.length === 0) return PASS;
  const isBogon = words.includes("bogon");
  if (known !== undefined && !isBogon && min !== undefined && known.assessment.purity < min)
    return { isAllowed: false, verdict: "deny min" };
  if (known?.isProven === true && !isBogon) return PASS;
  return { isAllowed: policy.unknown === "allow", verdict: "unknown" };
}

const PASS: VisitorVerdict = { isAllowed: true, verdict: "pass" };
