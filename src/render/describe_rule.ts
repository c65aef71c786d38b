import { methodWordsOf, wordsOf } from "#locale";
import type { Language, Method } from "#report";
import { describeWeight } from "./describe_weight.ts";
import { methodPathOf } from "./method_path_of.ts";
import { nameOf } from "./name_of.ts";

/** One rule of the score in words and numbers. `weights` are sentences; `weighing` holds for every rule. */
export interface RuleDescription {
  readonly id: string;
  readonly label: string;
  readonly category: string;
  readonly categoryLabel: string;
  readonly meaning: string;
  readonly weights: readonly string[];
  readonly points?: number;
  readonly floor?: number;
  readonly steps?: readonly { readonly from: number; readonly points: number }[];
  readonly cap?: number;
  readonly share?: number;
  readonly weighing: readonly string[];
  readonly loneShare: number;
  readonly subnetShare: number;
  readonly halfLifeDays: number;
  readonly forgottenDays: number;
  readonly scoringVersion: number;
  readonly methodUrl: string;
}

/** Describes the rule with this id; undefined when the method has none. `origin` is without a slash at its end. */
export function describeRule(
  method: Method,
  id: string,
  language: Language,
  origin: string,
): RuleDescription | undefined {
  const rule = method.rules.find((one) => one.id === id);
  if (rule === undefined) return undefined;
  const words = methodWordsOf(language);
  const { factors, categories } = wordsOf(language);
  const labels = Object.fromEntries(Object.entries(factors).map(([name, phrase]) => [name, phrase?.label]));
  return {
    ...rule,
    label: nameOf(labels, id),
    categoryLabel: nameOf(categories, rule.category),
    meaning: nameOf(words.rules, id),
    weights: describeWeight(rule, language),
    weighing: words.weighing.map((tell) => tell(method)),
    loneShare: method.loneShare,
    subnetShare: method.subnetShare,
    halfLifeDays: method.halfLifeDays,
    forgottenDays: method.forgottenDays,
    scoringVersion: method.version,
    methodUrl: `${origin}${methodPathOf(language)}#${id}`,
  };
}
