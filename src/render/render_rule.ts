import { methodWordsOf } from "#locale";
import type { Language } from "#report";
import type { RuleDescription } from "./describe_rule.ts";
import { createSheet, INDENT } from "./sheet.ts";

/** One rule of the score as text of at most 72 columns. */
export function renderRule(rule: RuleDescription, language: Language): string {
  const words = methodWordsOf(language);
  const sheet = createSheet();
  sheet.paragraph(`${rule.label} · ${rule.categoryLabel} · ${rule.id}`, 0);
  sheet.paragraph(rule.meaning, INDENT);
  for (const weight of rule.weights) sheet.paragraph(`- ${weight}`, INDENT);
  sheet.blank();
  sheet.heading(words.weighingTitle);
  for (const sentence of rule.weighing) sheet.paragraph(`- ${sentence}`, INDENT);
  sheet.blank();
  sheet.paragraph(words.version(rule.scoringVersion), 0);
  sheet.paragraph(words.at(rule.methodUrl), 0);
  return sheet.read();
}
