import type { Language } from "#report";
import { problemsEn } from "./en/problems.ts";
import { plainEn, reportEn } from "./en/report.ts";
import type { PlainTexts, ProblemTexts, ReportTexts } from "./report_texts.ts";
import { problemsZh } from "./zh/problems.ts";
import { plainZh, reportZh } from "./zh/report.ts";

/** Returns the texts of the report, for every format. */
export function reportTextsOf(language: Language): ReportTexts {
  return language === "en" ? reportEn : reportZh;
}

/** Returns the texts that only the text, terminal and Markdown formats need. */
export function plainTextsOf(language: Language): PlainTexts {
  return language === "en" ? plainEn : plainZh;
}

/** Returns the texts of the errors. */
export function problemTextsOf(language: Language): ProblemTexts {
  return language === "en" ? problemsEn : problemsZh;
}
