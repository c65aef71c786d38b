import { methodTextsOf, reportTextsOf } from "#locale";
import type { Language, Method, MethodRule } from "#report";
import { pagePathOf } from "./paths.ts";
import { nameOf } from "./report_fields.ts";

/** One rule of the score, in words and numbers. `weights` are sentences; `weighing` applies to every rule. */
export type RuleDescription = NonNullable<ReturnType<typeof describeRule>>;

/** The lines that close a breakdown. They have no weight. */
export const CLOSING_LINES = ["bounds", "floor", "rounding"] as const;

/**
 * Describes the rule or the closing line with an id. Returns `undefined` when the method has no such rule.
 * `origin` is the public origin without a trailing slash.
 */
export function describeRule(method: Method, id: string, language: Language, origin: string) {
  const closing = CLOSING_LINES.find((one) => one === id);
  const rule: MethodRule | undefined =
    closing === undefined ? method.rules.find((one) => one.id === id) : { id, category: "adjustment" };
  if (rule === undefined) return undefined;
  const texts = methodTextsOf(language);
  return {
    ...rule,
    label: nameRule(id, language),
    categoryLabel: nameOf(reportTextsOf(language).categories, rule.category),
    meaning:
      closing === undefined ? nameOf(texts.rules, id) : reportTextsOf(language).factors[closing].detail({}),
    weights: describeWeight(rule, language),
    weighing: texts.weighing(method),
    loneShare: method.loneShare,
    subnetShare: method.subnetShare,
    halfLifeDays: method.halfLifeDays,
    forgottenDays: method.forgottenDays,
    scoringVersion: method.version,
    methodUrl: `${origin}${pagePathOf("method", language)}${closing === undefined ? `#${id}` : ""}`,
  };
}

/** Returns the label of a rule, or its id when it has none. */
export function nameRule(id: string, language: Language): string {
  const phrases: Readonly<Partial<Record<string, { readonly label: string }>>> =
    reportTextsOf(language).factors;
  return Object.hasOwn(phrases, id) ? (phrases[id]?.label ?? id) : id;
}

/** Lists every number of a rule in words: steps, points, minimum risk, cap, share. */
function describeWeight(rule: MethodRule, language: Language): readonly string[] {
  const texts = methodTextsOf(language);
  const formatPoints = (amount: number) => (amount < 0 ? texts.pointsBack(-amount) : texts.points(amount));
  const { points, floor, least, cap, share, counted } = rule;
  return [
    ...(rule.steps ?? []).map((step) => texts.step(texts.amount(rule.id, step.from), step.points)),
    ...(points === undefined ? [] : [formatPoints(points)]),
    ...(floor === undefined ? [] : [texts.floor(floor)]),
    ...(least === undefined ? [] : [texts.least(least)]),
    ...(cap === undefined ? [] : [texts.cap(cap)]),
    ...(share === undefined ? [] : [texts.share(share)]),
    ...(counted === undefined ? [] : [texts.counted(counted)]),
  ];
}
