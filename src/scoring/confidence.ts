import type { Evidence, EvidenceCategory } from "#evidence";
import {
  COVERED_KINDS,
  type Confidence,
  type CoveredKind,
  type Factor,
  type PurityRange,
  type ReportedCoverage,
} from "#report";
import { RANGE_KINDS, RANGE_POINTS, type RangeKind, type RangeTable } from "./range_points.ts";
import { CAPS, computePurity, sumCappedPoints } from "./rule.ts";
import { countLists } from "./weighing.ts";

/**
 * Parts of the weight that must have answered, and the categories that high confidence needs. `exposure` may accuse too,
 * but not every instance asks a scanner.
 */
export const CONFIDENCE_THRESHOLDS = {
  high: 0.7,
  medium: 0.4,
  core: ["network", "anonymity", "lists", "abuse"],
} as const;

/** Lists count as answered when at least one in this many of the usable lists answered. */
export const LISTS_ONE_IN = 3;

/**
 * Finds the confidence by the part of the evidence that is present. High: 70 % of the usable weight, in all and of each
 * kind of evidence that may accuse, every core category, no accusation that is only carried forward, and at least one
 * list asked live, because downloads can be a day old, so "on no list" is not certain. Medium: 40 % of the weight of the
 * sources turned on, and anonymity. Low: anything less, and always without a live answer. A failure can only lower the
 * confidence.
 */
export function findConfidence(evidence: Evidence): Confidence {
  const { expectedWeight, answeredWeight, liveAnswered, liveListsAnswered } = evidence.coverage;
  if (liveAnswered === 0 || expectedWeight <= 0) return "low";
  const share = answeredWeight / expectedWeight;
  const { high, medium, core } = CONFIDENCE_THRESHOLDS;
  const isComplete =
    core.every((category) => hasAnswersOn(evidence, category)) && hasAnswersOfEveryKind(evidence);
  if (share >= high && liveListsAnswered > 0 && isComplete && evidence.carried === undefined) return "high";
  return share >= medium && hasAnswersOn(evidence, "anonymity") ? "medium" : "low";
}

/** Reports whether enough was obtained in all, and of each kind of evidence for which a source is expected. */
function hasAnswersOfEveryKind({ coverage }: Evidence): boolean {
  const { obtained, expectedCategories } = coverage;
  const kinds = COVERED_KINDS.filter((kind) => expectedCategories.includes(kind));
  return (["total", ...kinds] as const).every((kind) => obtained[kind] >= CONFIDENCE_THRESHOLDS.high);
}

/** Reports whether there are answers on anonymity or on lists. A conclusion needs at least one of the two. */
export function hasCoreAnswers(evidence: Evidence): boolean {
  return hasAnswersOn(evidence, "anonymity") || hasAnswersOn(evidence, "lists");
}

/**
 * Reports whether there are enough answers in a category. Lists need a third of those that are usable: "on no list"
 * from one small list would be misleading.
 */
export function hasAnswersOn({ coverage, listings }: Evidence, category: EvidenceCategory): boolean {
  if (!coverage.answeredCategories.includes(category)) return false;
  if (category !== "lists") return true;
  let answered = 0;
  for (const listing of listings) if (listing.answered) answered += 1;
  return answered > 0 && answered * LISTS_ONE_IN >= listings.length;
}

/**
 * Sources overlap, so a part that was not obtained can deduct more than its share. Measured with `bench:detection
 * --as-labelled`: with 1, half of the sources leave 92 % of the addresses inside the range, with 1.5 they leave 95 %.
 */
const SPREAD = 1.5;

/**
 * The part of the points that a kind of evidence can still deduct, 0 to 1. What already accuses an address needs only one
 * more source to weigh double, so there the part falls slower than the share that is missing.
 */
export function findMissingPart(kind: RangeKind, share: number): number {
  const missing = Math.min((1 - share) * SPREAD, 1);
  return RANGE_KINDS.some((it) => it === kind) ? Math.sqrt(missing) : missing;
}

const EVERYTHING: ReportedCoverage = { total: 1, network: 1, anonymity: 1, lists: 1, abuse: 1, exposure: 1 };

/**
 * Returns the shares of the expected evidence that were obtained, with two decimals. They are rounded down, so that 1 means
 * all of it. Special-purpose space needs no evidence.
 */
export function measureShares({ coverage, special }: Evidence): ReportedCoverage {
  if (special !== undefined) return { ...EVERYTHING };
  const { obtained } = coverage;
  const shares = { ...EVERYTHING };
  for (const kind of ["total", ...COVERED_KINDS] as const) {
    // The small addition keeps 0.29, which is stored as 0.28999…, at 29 hundredths.
    shares[kind] = Math.floor(obtained[kind] * 100 + 1e-9) / 100;
  }
  return shares;
}

/** Returns the kind of address whose points the range uses: what is already known about it, else its network. */
export function findRangeKind(evidence: Evidence): RangeKind {
  const { flags, usage } = evidence;
  if (flags.isTor.value) return "tor";
  if (flags.isVpn.value || flags.isProxy.value) return "vpn";
  return countLists(evidence).accusing.length > 0 ? "listed" : usage.type;
}

/**
 * Finds the purity that 95 % of such addresses have with all evidence. No kind of evidence deducts more than its cap leaves.
 */
export function findRange(evidence: Evidence, factors: readonly Factor[], purity: number): PurityRange {
  if (evidence.special !== undefined) return { low: purity, high: purity };
  const leftOf = (kind: CoveredKind) => Math.max(CAPS[kind] - sumCappedPoints(factors, kind), 0);
  const full = computePurity(factors.filter(({ id }) => id !== "not_obtained"));
  return { low: Math.min(findLow(evidence, RANGE_POINTS.purity, full, leftOf), purity), high: full };
}

/**
 * Returns what 95 % of such addresses keep of the score `full` with all evidence. Each kind of evidence can still deduct its
 * points for this kind of address, in proportion to the part of it that was not obtained, and at most `leftOf`. More
 * evidence never lowers the result for one kind of address.
 */
export function findLow(
  evidence: Evidence,
  table: RangeTable,
  full: number,
  leftOf: (kind: CoveredKind) => number = () => 100,
): number {
  const address = findRangeKind(evidence);
  const points = table[address];
  const shares = measureShares(evidence);
  let sum = 0;
  let mostMissing = 0;
  for (const kind of COVERED_KINDS) {
    const missing = findMissingPart(address, shares[kind]);
    sum += Math.min(points[kind] * missing, leftOf(kind));
    if (points[kind] > 0) mostMissing = Math.max(mostMissing, missing);
  }
  return Math.max(Math.round(full - Math.min(sum, points.total * mostMissing)), 0);
}
