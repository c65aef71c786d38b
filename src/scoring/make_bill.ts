import type { Evidence } from "#evidence";
import type { Factor } from "#report";
import { roundPoints } from "./round_points.ts";
import { bogon } from "./rules/bogon.ts";
import { RULES } from "./rules.ts";

/**
 * Asks every rule and writes down what they charge and give back, in half points: what is shown is what is summed.
 * Words that only accuse never make the purity rise, and a source that failed never makes it higher than the same
 * source finding nothing on a home line. Words that excuse (mobile, shared, policy, service, crawler) may raise it,
 * and forgetting an accusation does: that is what `unheard_sources` and the confidence are for.
 */
export function makeBill(evidence: Evidence): readonly Factor[] {
  const rules = evidence.special === undefined ? RULES : [bogon];
  const factors: Factor[] = [];
  for (const rule of rules) {
    const finding = rule.judge(evidence, factors);
    if (finding === undefined) continue;
    const points = roundPoints(finding.points);
    if (points === 0 && finding.floor === undefined) continue;
    factors.push({ id: rule.id, category: rule.category, ...finding, points });
  }
  return factors;
}
