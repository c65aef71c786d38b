import type { Report } from "#report";

type ReportFactor = Report["risk"]["factors"][number];

/** One line of the bill: what it is and what it does to purity, in points. */
export type BillLine =
  | { readonly kind: "factor"; readonly effect: number; readonly factor: ReportFactor }
  | { readonly kind: "bounds" | "floor" | "rounding"; readonly effect: number };

/** `start` plus all effects is `purity`. */
export interface Bill {
  readonly start: 100;
  readonly lines: readonly BillLine[];
  readonly purity: number;
}

/**
 * Writes a score as a bill that adds up: from 100, every factor, then what the bounds of 0 and 100,
 * the highest floor and the rounding do, each only where it does something.
 */
export function makeBill(risk: Report["risk"]): Bill {
  const lines: BillLine[] = risk.factors.map((factor) => ({
    kind: "factor",
    effect: tidy(-factor.points),
    factor,
  }));
  const sum = risk.factors.reduce((total, factor) => total + factor.points, 0);
  const bounded = Math.min(Math.max(sum, 0), 100);
  const floor = risk.factors.reduce((highest, factor) => Math.max(highest, factor.floor ?? 0), 0);
  const counted = Math.max(bounded, floor);

  const steps = [
    { kind: "bounds", effect: tidy(sum - bounded) },
    { kind: "floor", effect: tidy(bounded - counted) },
    { kind: "rounding", effect: tidy(risk.purity - (100 - counted)) },
  ] as const;
  lines.push(...steps.filter((step) => step.effect !== 0));
  return { start: 100, lines, purity: risk.purity };
}

/** Points carry at most two decimals; adds 0 to turn -0 into 0. */
function tidy(points: number): number {
  return Math.round(points * 100) / 100 + 0;
}
