import { methodWordsOf } from "#locale";
import type { Language, MethodRule } from "#report";
import { nameOf } from "./name_of.ts";

/** Every number a rule has, each in a few words: steps, points, minimum risk, cap, share. */
export function describeWeight(rule: MethodRule, language: Language): readonly string[] {
  const words = methodWordsOf(language);
  const measure = nameOf(words.measures, rule.id);
  const writePoints = (amount: number) => (amount < 0 ? words.back(-amount) : words.points(amount));
  const { points, floor, cap, share } = rule;
  const describePoints = rule.steps !== undefined ? words.undocumented : writePoints;
  return [
    ...(rule.steps ?? []).map((step) => words.step(step.from, step.points, measure)),
    ...(points === undefined ? [] : [describePoints(points)]),
    ...(floor === undefined ? [] : [words.floor(floor)]),
    ...(cap === undefined ? [] : [words.cap(cap)]),
    ...(share === undefined ? [] : [words.share(share)]),
  ];
}
