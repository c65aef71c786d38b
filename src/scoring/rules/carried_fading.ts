import type { Evidence } from "#evidence";
import type { Factor } from "#report";
import { type Rule, roundPoints, sumRisk } from "../rule.ts";
import { CARRIED_HALF_LIFE_DAYS } from "../weights.ts";

/**
 * Creates the rule that gives back what accusations of sources have lost that no longer answer. In the survey in which
 * a source is lost its accusations count in full; then they lose half in every {@link CARRIED_HALF_LIFE_DAYS}. `others`
 * are all other rules: they tell how many points the accusations make.
 */
export function carriedFading(others: readonly Rule[]): Rule {
  return {
    id: "carried_fading",
    category: "relief",
    judge: ({ carried }, before) => {
      if (carried === undefined) return undefined;
      const made = sumRisk(before).bounded - sumRisk(judgeAll(others, carried.rest)).bounded;
      const lost = 1 - 2 ** (-carried.lostDays / CARRIED_HALF_LIFE_DAYS);
      const points = roundPoints(-Math.max(made, 0) * lost);
      if (points === 0) return undefined;
      return { points, data: { ...describeCarried(carried), days: Math.floor(carried.lostDays) } };
    },
  };
}

/** The names of the sources, and the day on which the first of them was last obtained. */
export function describeCarried({ sources }: NonNullable<Evidence["carried"]>): {
  readonly sources: readonly string[];
  readonly since: string;
} {
  const days = sources.map(({ heardOn }) => heardOn).sort();
  return { sources: sources.map(({ name }) => name), since: days[0] ?? "" };
}

function judgeAll(rules: readonly Rule[], evidence: Evidence): readonly Factor[] {
  const factors: Factor[] = [];
  for (const { id, category, judge } of rules) {
    const finding = judge(evidence, factors);
    if (finding !== undefined)
      factors.push({ id, category, ...finding, points: roundPoints(finding.points) });
  }
  return factors;
}
