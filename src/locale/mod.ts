/**
 * All texts in Chinese and English, and the functions that make a report or an error of them. Pure.
 * One file per language and area: `zh/report.ts`, `en/report.ts`, and so on.
 */
export type { CardTexts } from "./card_texts.ts";
export { type CountryProfile, describeCountry } from "./country_profile.ts";
export { nameCountry } from "./facts.ts";
export { averageRatings, type LocalizeContext, localize, type RatingSum } from "./localize.ts";
export { localizeProblem } from "./localize_problem.ts";
export type { MethodReading, MethodTexts } from "./method_texts.ts";
export type { LlmsFacts, ToolLimits, ToolTexts } from "./model_texts.ts";
export { nameFamily } from "./names.ts";
export {
  type CheckPurpose,
  type CheckTexts,
  type DocsLimits,
  type DocsTexts,
  type PageTexts,
  RATINGS,
  type Rating,
} from "./page_texts.ts";
export type { HeadlineTexts, ReportPageTexts } from "./report_page_texts.ts";
export type {
  Phrase,
  PlainTexts,
  ProblemTexts,
  ReportLabels,
  ReportTexts,
  Sentence,
} from "./report_texts.ts";
export type { SiteTexts } from "./site_texts.ts";
export {
  cardTextsOf,
  checkTextsOf,
  describeInterface,
  docsTextsOf,
  formatLlms,
  methodTextsOf,
  pageTextsOf,
  plainTextsOf,
  problemTextsOf,
  reportPageTextsOf,
  reportTextsOf,
  siteTextsOf,
  toolTextsOf,
} from "./texts_of.ts";
