import { plainWordsOf, toolWordsOf, wordsOf } from "#locale";
import type { Language, Report } from "#report";
import { listUnheard, type UnheardSource } from "./render_caveats.ts";
import { createSheet, INDENT } from "./sheet.ts";

/** One of the addresses that are set side by side: its report and which sources failed on it, or why there is none. */
export type Compared =
  | { readonly ip: string; readonly report: Report; readonly failed: readonly UnheardSource[] }
  | { readonly ip: string; readonly refusal: string };

/**
 * Reports side by side as text of at most 72 columns: the conclusion of each, its deductions, uses, lists, and what
 * was not heard; last, what a report without signals must not be taken for.
 */
export function renderComparison(compared: readonly Compared[], language: Language): string {
  const sheet = createSheet();
  const words = toolWordsOf(language);
  const texts = wordsOf(language);
  const { comma, noSignals } = plainWordsOf(language);
  sheet.paragraph(words.comparison(compared.length), 0);
  for (const one of compared) {
    sheet.blank();
    sheet.paragraph(one.ip, 0);
    if ("refusal" in one) {
      sheet.paragraph(one.refusal, INDENT);
      continue;
    }
    const { risk, scenarios, blocklists, reportUrl } = one.report;
    const levels = scenarios.map(({ label, score, levelLabel }) => `${label} ${score ?? "-"} ${levelLabel}`);
    const listed = blocklists.filter((list) => list.listed && !list.benign).map(({ label }) => label);
    const unheard = blocklists.filter(({ unavailable }) => unavailable).map(({ label }) => label);
    const factors = risk.factors.map(
      ({ label, points }) => `${label} ${points > 0 ? -points : `+${-points}`}`,
    );
    sheet.paragraph(words.summary(risk.purity, risk.label, texts.confidences[risk.confidence]), INDENT);
    sheet.paragraph(risk.verdict, INDENT);
    sheet.paragraph(
      factors.length === 0 ? words.noDeductions : words.deductions(factors.join(comma)),
      INDENT,
    );
    sheet.paragraph(levels.join(comma), INDENT);
    if (listed.length > 0) sheet.paragraph(words.listedOn(listed.join(comma)), INDENT);
    if (unheard.length > 0) sheet.paragraph(words.listsNotHeard(unheard.join(comma)), INDENT);
    if (one.failed.length > 0) sheet.paragraph(words.notHeard(listUnheard(one.failed, language)), INDENT);
    sheet.paragraph(words.cite(reportUrl), INDENT);
  }
  sheet.blank();
  sheet.paragraph(noSignals, 0);
  return sheet.read();
}
