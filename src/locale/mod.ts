/**
 * All texts in Chinese and English, and the functions that make a report or an error of them. Pure.
 * The texts are catalogues, one for each language and area: `zh/report.json`, `en/report.json`, and so on. The module of
 * an area (`report.ts`) fills their placeholders.
 */

export { describeCountry } from "./country_profile.ts";
export { formatCount, type Sentence } from "./fill.ts";
export { averageRatings, localize } from "./localize.ts";
export { type MethodReading, type MethodTexts, methodTextsOf } from "./method.ts";
export { formatLlms, toolTextsOf } from "./models.ts";
export {
  describeInterface,
  nameCountry,
  nameCountryInSentence,
  nameFamily,
  nameSource,
  STATED,
} from "./names.ts";
export {
  type CheckPurpose,
  cardTextsOf,
  checkTextsOf,
  type DocsTexts,
  docsTextsOf,
  type NetworkTexts,
  networkTextsOf,
  type PageTexts,
  pageTextsOf,
  RATINGS,
  type Rating,
  type ReportPageTexts,
  reportPageTextsOf,
  type ServiceLimits,
  siteTextsOf,
} from "./pages.ts";
export { plainTextsOf } from "./plain.ts";
export { localizeProblem, problemTextsOf } from "./problems.ts";
export { capitalize, lowerFirst, type ReportTexts, reportTextsOf } from "./report.ts";
