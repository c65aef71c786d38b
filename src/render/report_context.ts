import {
  type PageTexts,
  type PlainTexts,
  pageTextsOf,
  plainTextsOf,
  type ReportPageTexts,
  type ReportTexts,
  reportPageTextsOf,
  reportTextsOf,
} from "#locale";
import { type Language, type Report, type ReportFacts, readFacts } from "#report";

/** A report with what every function that renders a part of it needs: its facts, and the texts of its language. */
export interface ReportContext {
  readonly report: Report;
  readonly facts: ReportFacts;
  readonly language: Language;
  readonly texts: ReportTexts;
  /** Of the text, terminal and Markdown formats. */
  readonly plain: PlainTexts;
  /** Of the page of a report. */
  readonly page: ReportPageTexts;
  /** Of all pages. */
  readonly common: PageTexts;
}

/** The context of a report in its own language (no `lang` means Chinese). */
export function contextOf(report: Report): ReportContext {
  const language = report.lang ?? "zh";
  return {
    report,
    facts: readFacts(report),
    language,
    texts: reportTextsOf(language),
    plain: plainTextsOf(language),
    page: reportPageTextsOf(language),
    common: pageTextsOf(language),
  };
}
