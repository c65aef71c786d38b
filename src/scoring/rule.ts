import type { Evidence } from "#evidence";
import type { Data, Factor, Step } from "#report";
import type { FactorCategory, FactorId } from "./ids.ts";
import { WEIGHTS } from "./weights.ts";

/** The result of a rule: points of risk (negative = relief), a minimum risk, and the facts for its sentence. */
export interface Finding {
  readonly points: number;
  readonly floor?: number;
  readonly data: Data;
}

/**
 * One line of the score breakdown. `judge` is pure and returns undefined when the rule does not apply. `before` are the
 * factors of the rules before it: caps and reliefs use them to compute how many points they give back.
 */
export interface Rule {
  readonly id: FactorId;
  readonly category: FactorCategory;
  judge(evidence: Evidence, before: readonly Factor[]): Finding | undefined;
}

/** Returns the points of the highest step that `measure` reaches; 0 when it reaches none or is not a number. */
export function readSteps(steps: readonly Step[], measure: number): number {
  return steps.find((step) => measure >= step.from)?.points ?? 0;
}

/** Returns the points for a measure in proportion between two steps, and below the lowest one in proportion to 0. */
export function readBetweenSteps(steps: readonly Step[], measure: number): number {
  const at = steps.findIndex((step) => measure >= step.from);
  const lower = at < 0 ? { from: 0, points: 0 } : steps[at];
  const upper = at < 0 ? steps.at(-1) : steps[at - 1];
  if (lower === undefined || upper === undefined || !(measure > 0)) return lower?.points ?? 0;
  const part = (measure - lower.from) / (upper.from - lower.from);
  return lower.points + part * (upper.points - lower.points);
}

/** Rounds to half points, so that the points shown are the points summed. Never returns minus zero. */
export function roundPoints(points: number): number {
  return Math.round(points * 2) / 2 || 0;
}

/**
 * Computes the purity: 100 − max(clamp(Σ points, 0, 100), highest floor), rounded. Readers of a report can compute the
 * shown purity from the shown factors.
 */
export function computePurity(factors: readonly Pick<Factor, "points" | "floor">[]): number {
  return Math.round(100 - sumRisk(factors).risk);
}

/** Sums the points: as they are, between 0 and 100, and then not below the highest floor, which is the risk. */
export function sumRisk(factors: readonly Pick<Factor, "points" | "floor">[]) {
  const sum = factors.reduce((total, factor) => total + factor.points, 0);
  const bounded = Math.min(Math.max(sum, 0), 100);
  const risk = Math.max(bounded, ...factors.map((factor) => factor.floor ?? 0));
  return { sum, bounded, risk };
}

/** Sums the points of a category, before caps and reliefs. */
export function sumPoints(factors: readonly Factor[], category: FactorCategory): number {
  return factors
    .filter((factor) => factor.category === category)
    .reduce((total, factor) => total + factor.points, 0);
}

/** The most points of each kind of evidence. */
export const CAPS = {
  anonymity: WEIGHTS.anonymity_cap.cap,
  network: WEIGHTS.network_cap.cap,
  lists: WEIGHTS.lists_cap.cap,
  abuse: WEIGHTS.abuse_cap.cap,
  exposure: WEIGHTS.exposure_cap.cap,
} as const;

/** Sums the points of a category up to its cap. */
export function sumCappedPoints(factors: readonly Factor[], category: keyof typeof CAPS): number {
  return Math.min(sumPoints(factors, category), CAPS[category]);
}
