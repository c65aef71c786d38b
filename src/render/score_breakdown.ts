import type { Report } from "#report";

type ReportFactor = Report["risk"]["factors"][number];

/** One line of the breakdown and its effect on purity, in points. */
export type BreakdownLine =
  | { readonly kind: "factor"; readonly effect: number; readonly factor: ReportFactor }
  | { readonly kind: "bounds" | "floor" | "rounding"; readonly effect: number };

/** `start` plus all effects is `purity`. */
export interface ScoreBreakdown {
  readonly start: 100;
  readonly lines: readonly BreakdownLine[];
  readonly purity: number;
}

/**
 * Breaks a score down into lines that add up: 100, then every factor, then the effects of the bounds 0 and 100, of the
 * highest floor, and of rounding. Lines without an effect are left out, except factors.
 */
export function breakDownScore(risk: Report["risk"]): ScoreBreakdown {
  const lines: BreakdownLine[] = risk.factors.map((factor) => ({
    kind: "factor",
    effect: roundEffect(-factor.points),
    factor,
  }));
  const sum = risk.factors.reduce((total, factor) => total + factor.points, 0);
  const bounded = Math.min(Math.max(sum, 0), 100);
  const floor = risk.factors.reduce((highest, factor) => Math.max(highest, factor.floor ?? 0), 0);
  const total = Math.max(bounded, floor);

  const steps = [
    { kind: "bounds", effect: roundEffect(sum - bounded) },
    { kind: "floor", effect: roundEffect(bounded - total) },
    { kind: "rounding", effect: roundEffect(risk.purity - (100 - total)) },
  ] as const;
  lines.push(...steps.filter((step) => step.effect !== 0));
  return { start: 100, lines, purity: risk.purity };
}

/** Formats an effect with its sign. `minus` is the sign of negative numbers. */
export function formatEffect(effect: number, minus = "-"): string {
  if (effect === 0) return "0";
  return effect > 0 ? `+${effect}` : `${minus}${-effect}`;
}

/** Rounds to two decimals; the 0 turns -0 into 0. */
function roundEffect(points: number): number {
  return Math.round(points * 100) / 100 + 0;
}
