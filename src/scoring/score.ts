import type { Evidence } from "#evidence";
import type { Assessment, Band, Confidence, Factor, Message, PurityRange, ReportedCoverage } from "#report";
import { findConfidence } from "./confidence.ts";
import { ADJUSTMENT_IDS, type AdjustmentId, type UnknownId } from "./ids.ts";
import { findRange, measureShares } from "./range.ts";
import { computePurity, roundPoints, sumRisk } from "./rule.ts";
import { bogon } from "./rules/bogon.ts";
import { describeCarried } from "./rules/carried_fading.ts";
import { RULES } from "./rules.ts";
import { judgeScenarios } from "./scenarios.ts";
import { findNote, findVerdict } from "./verdict.ts";

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
    scenarios: judgeScenarios(evidence, factors, note).map(({ id, score, level, reasons, regions }) => ({
      id,
      score,
      level,
      reasons: reasons.map((reason) => ({ id: reason.id, data: copyMessageData(reason.data) })),
      ...(regions === undefined ? {} : { regions }),
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
