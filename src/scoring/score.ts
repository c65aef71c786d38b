import { percentOf } from "#common";
import type { Evidence } from "#evidence";
import type {
  Assessment,
  Band,
  Confidence,
  Data,
  Factor,
  Message,
  PurityRange,
  ReportedCoverage,
} from "#report";
import {
  CONFIDENCE_THRESHOLDS,
  findConfidence,
  findRange,
  hasCoreAnswers,
  measureShares,
} from "./confidence.ts";
import {
  ADJUSTMENT_IDS,
  type AdjustmentId,
  type FactorId,
  type NoteId,
  type UnknownId,
  type VerdictId,
} from "./ids.ts";
import { computePurity, roundPoints, sumRisk } from "./rule.ts";
import { bogon } from "./rules/bogon.ts";
import { describeCarried } from "./rules/carried_fading.ts";
import { reportShareOf } from "./rules/shared_line_relief.ts";
import { RULES } from "./rules.ts";
import { judgeScenarios } from "./scenarios.ts";
import { countLists } from "./weighing.ts";

/** The score alone. `factors` add up to `purity` (see {@link computePurity}). */
export interface Judgement {
  readonly purity: number;
  readonly coverage: ReportedCoverage;
  /** The range of the purity as a statistic. */
  readonly range: PurityRange;
  readonly band: Band;
  readonly confidence: Confidence;
  readonly factors: readonly Factor[];
}

/** The score with its verdict and use cases. */
export interface Score extends Judgement {
  readonly verdict: Message;
  readonly scenarios: Assessment["scenarios"];
  /** Why the use cases do not apply. Absent where they apply. */
  readonly note?: Message;
  readonly unknowns: readonly Message[];
}

/** Lower bound of every band, cleanest first. */
export const BAND_THRESHOLDS: readonly (readonly [Band, number])[] = [
  ["pristine", 90],
  ["clean", 70],
  ["neutral", 50],
  ["suspicious", 30],
  ["risky", 10],
  ["dangerous", 0],
];

export function findBand(purity: number): Band {
  return BAND_THRESHOLDS.find(([, from]) => purity >= from)?.[0] ?? "dangerous";
}

/**
 * Lists the lines that close a breakdown: with them, 100 minus all points is the purity. Only lines with an effect.
 * They are made from what is stored, so that the reports of older scoring versions add up, too.
 */
export function listAdjustments(
  factors: readonly Pick<Factor, "points" | "floor">[],
  purity: number,
): readonly { readonly id: AdjustmentId; readonly category: "adjustment"; readonly points: number }[] {
  const { sum, bounded, risk } = sumRisk(factors);
  const points = { bounds: bounded - sum, floor: risk - bounded, rounding: 100 - purity - risk };
  return ADJUSTMENT_IDS.map((id) => ({
    id,
    category: "adjustment" as const,
    points: Math.round(points[id] * 100) / 100,
  })).filter((line) => line.points !== 0);
}

/** Judges purity, its range, band and confidence, without verdict and use cases. Pure. */
export function judge(evidence: Evidence): Judgement {
  const factors = makeBreakdown(evidence);
  const purity = computePurity(factors);
  const confidence = evidence.special === undefined ? findConfidence(evidence) : "low";
  return {
    purity,
    coverage: measureShares(evidence),
    range: findRange(evidence, factors, purity),
    band: findBand(purity),
    confidence,
    factors,
  };
}

/**
 * Runs every rule and returns the score breakdown, in half points. Two properties hold: evidence that only accuses
 * never raises the purity, and a source that failed never gives a higher purity than the same source without a finding
 * on a home line. Evidence in favour of the address (mobile, shared, policy, service, crawler) can raise it.
 */
function makeBreakdown(evidence: Evidence): readonly Factor[] {
  const rules = evidence.special === undefined ? RULES : [bogon];
  const factors: Factor[] = [];
  for (const rule of rules) {
    const finding = rule.judge(evidence, factors);
    if (finding === undefined) continue;
    // A relief gives back at most what the rules before it deduct, so that every line changes the purity.
    const deducted = factors.reduce((sum, { points }) => sum + points, 0);
    const points = roundPoints(Math.max(finding.points, -deducted));
    if (points === 0 && finding.floor === undefined) continue;
    factors.push({ id: rule.id, category: rule.category, ...finding, points });
  }
  return factors;
}

const ALWAYS_UNKNOWN: readonly UnknownId[] = [
  "platform_labels",
  "exclusivity",
  "linked_accounts",
  "device_and_behaviour",
  "profile_match",
];

/** Scores the evidence by the rules and weights of `SCORING_VERSION`. Pure: the same evidence gives the same score. */
export function score(evidence: Evidence): Score {
  const judgement = judge(evidence);
  const { factors } = judgement;
  const note = findNote(evidence);
  const { unanswered } = evidence.coverage;
  return {
    ...judgement,
    verdict: findVerdict(evidence, judgement),
    scenarios: judgeScenarios(evidence, factors, note).map(({ reasons, ...scenario }) => ({
      ...scenario,
      reasons: reasons.map((reason) => ({ ...reason, data: copyMessageData(reason.data) })),
    })),
    ...(note === undefined ? {} : { note }),
    unknowns: [
      ...ALWAYS_UNKNOWN.map((id) => ({ id, data: {} })),
      ...(evidence.special !== undefined || evidence.hasResidentialProxyAnswer
        ? []
        : [{ id: "residential_proxies", data: {} }]),
      ...(unanswered.length === 0 ? [] : [{ id: "unheard_sources", data: { sources: unanswered } }]),
      ...(evidence.carried === undefined
        ? []
        : [{ id: "carried_accusations", data: describeCarried(evidence.carried) }]),
      ...(evidence.disputes === undefined ? [] : [describeDisputes(evidence.disputes)]),
    ],
  };
}

function describeDisputes(disputes: NonNullable<Evidence["disputes"]>): Message {
  const flags = disputes.map(({ flag }) => flag);
  const sources = [...new Set(disputes.flatMap((dispute) => dispute.sources))];
  return { id: "correction_disputed", data: { flags, sources } };
}

type StoredData = Assessment["verdict"]["data"];

/** Copies the data of a message. A stored document must not share lists with the evidence. */
export function copyMessageData(data: Message["data"]): StoredData {
  const copied: StoredData = {};
  for (const key of Object.keys(data)) {
    const value = data[key];
    if (value !== undefined) copied[key] = typeof value === "object" ? [...value] : value;
  }
  return copied;
}

/** From these points on, after relief, lists or abuse are the verdict. Below they are minor signals. */
const LISTS_HEADLINE = 10;
const ABUSE_HEADLINE = 6;

/** With less than this share of the evidence, the verdict says the coverage and the low end of the range. */
const RANGE_HEADLINE = CONFIDENCE_THRESHOLDS.high;

/** Kinds of exit. The one with the most points is the verdict; in a tie the first. */
const EXITS = ["tor_exit", "proxy", "vpn", "relay"] as const satisfies readonly FactorId[];

/** Returns why the use cases do not apply: special-purpose space, or a public service, which nobody uses as an exit. */
function findNote(evidence: Evidence): { readonly id: NoteId; readonly data: Data } | undefined {
  const { special, infrastructure } = evidence;
  if (special !== undefined) {
    return { id: "bogon", data: { block: special.block, purpose: special.purpose } };
  }
  if (infrastructure === undefined) return undefined;
  const { role, operator } = infrastructure;
  return role === "crawler"
    ? { id: "crawler", data: { operator } }
    : { id: "infrastructure", data: { operator, role } };
}

/**
 * Finds the most important statement about an address: its kind, else the worst finding, else that there is little or
 * no finding. With low confidence the data also contains the reason why there is little evidence, and with a wide range
 * the coverage and the range.
 */
function findVerdict(
  evidence: Evidence,
  { purity, range, coverage: shares, factors, confidence }: Judgement,
): { readonly id: VerdictId; readonly data: Data } {
  const thin = evidence.special === undefined && confidence === "low" ? { thin: findThinness(evidence) } : {};
  const { low, high } = range;
  const isOpen = shares.total < RANGE_HEADLINE && (low < purity || high > purity);
  const open = isOpen ? { purity, low, high, percent: percentOf(shares.total) } : {};
  const doubt = { ...thin, ...open };
  const note = findNote(evidence);
  if (note !== undefined) return { id: note.id, data: { ...note.data, ...doubt } };
  const id = findWorst(evidence, factors);
  if (id === "listed") {
    const { accusing, answered } = countLists(evidence);
    const near = accusing.filter((listing) => listing.subnet === true).length;
    return { id, data: { ...doubt, listed: accusing.length, answered, ...(near === 0 ? {} : { near }) } };
  }
  const data = { ...doubt, ...findDoubt(factors, id) };
  if (id === "vpn" && evidence.vpn !== undefined)
    return { id, data: { ...data, operator: evidence.vpn.name } };
  return { id, data };
}

/** Returns why the factor with the id of the verdict does not count in full. */
function findDoubt(factors: readonly Factor[], id: VerdictId): Data {
  const data = factors.find((factor) => factor.id === id)?.data;
  if (data?.subnet === true) return { subnet: true };
  return data?.agreement === 1 || data?.lone === true ? { lone: true } : {};
}

/** Returns why there is little evidence for a verdict. */
function findThinness(evidence: Evidence): "tables" | "core" | "few" {
  if (evidence.coverage.liveAnswered === 0) return "tables";
  return hasCoreAnswers(evidence) ? "few" : "core";
}

function findWorst(evidence: Evidence, factors: readonly Factor[]): VerdictId {
  const pointsOf = (id: FactorId) => factors.find((factor) => factor.id === id)?.points ?? 0;
  for (const id of ["botnet_controller", "severe_listing"] as const) if (pointsOf(id) > 0) return id;
  if (pointsOf("vpn") > 0 && evidence.vpn !== undefined && pointsOf("tor_exit") === 0) return "vpn";
  const exit = EXITS.reduce((worst, next) => (pointsOf(next) > pointsOf(worst) ? next : worst));
  if (pointsOf(exit) > 0) return exit;
  const share = reportShareOf(evidence);
  if (pointsOf("blocklists") * share >= LISTS_HEADLINE) return "listed";
  if ((pointsOf("abuse_score") + pointsOf("attack_history")) * share >= ABUSE_HEADLINE) return "abused";
  if (pointsOf("hosting") > 0) return "hosting";
  if (evidence.coverage.liveAnswered === 0 || !hasCoreAnswers(evidence)) return "unheard";
  return factors.some(({ points, category }) => points > 0 && category !== "coverage")
    ? "minor_signals"
    : "no_signals";
}
