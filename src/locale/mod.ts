/**
 * All texts in Chinese and English, and the functions that make a report or an error of them. Pure.
 * The texts are catalogues, one for each language and area: `zh/report.json`, `en/report.json`, and so on. The module of
 * an area (`report.ts`) fills their placeholders.
 */

export { type CountryProfile, describeCountry } from "./country_profile.ts";
export type { Sentence } from "./fill.ts";
export { averageRatings, type LocalizeContext, localize, type RatingSum } from "./localize.ts";
export { type MethodReading, type MethodTexts, methodTextsOf } from "./method.ts";
export { formatLlms, type LlmsFacts, type ToolLimits, type ToolTexts, toolTextsOf } from "./models.ts";
export { describeInterface, nameCountry, nameFamily, nameSource } from "./names.ts";
export {
  type CardTexts,
  type CheckPurpose,
  type CheckTexts,
  cardTextsOf,
  checkTextsOf,
  type DocsLimits,
  type DocsTexts,
  docsTextsOf,
  type HeadlineTexts,
  type NetworkTexts,
  networkTextsOf,
  type PageTexts,
  pageTextsOf,
  RATINGS,
  type Rating,
  type ReportPageTexts,
  reportPageTextsOf,
  type SiteTexts,
  siteTextsOf,
} from "./pages.ts";
export { type PlainTexts, plainTextsOf } from "./plain.ts";
export { localizeProblem, type ProblemTexts, problemTextsOf } from "./problems.ts";
export { type Phrase, type ReportLabels, type ReportTexts, reportTextsOf } from "./report.ts";
