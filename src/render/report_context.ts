import { cardTextsOf, pageTextsOf, plainTextsOf, reportPageTextsOf, reportTextsOf } from "#locale";
import { type Language, type Report, readFacts } from "#report";

/** A report with what every function that renders a part of it needs: its facts, and the texts of its language. */
export type ReportContext = Readonly<ReturnType<typeof contextOf>>;

/** The context of a report in its own language (no `lang` means Chinese). */
export function contextOf(report: Report) {
  const language: Language = report.lang ?? "zh";
  return {
    report,
    facts: readFacts(report),
    language,
    texts: reportTextsOf(language),
    /** Of the text, terminal and Markdown formats. */
    plain: plainTextsOf(language),
    /** Of the page of a report. */
    page: reportPageTextsOf(language),
    /** Of the share cards. */
    card: cardTextsOf(language),
    /** Of all pages. */
    common: pageTextsOf(language),
  };
}
