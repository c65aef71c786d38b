/**
 * Renders the report in every format, and all other pages and texts. Pure.
 * Every string from outside is sanitized or escaped here, when it is written.
 */
export { renderBadge, renderPlainBadge } from "./badge/badge.ts";
export { CARD_PAGES, type CardPage, renderPageCard } from "./card/card_frame.ts";
export { renderNetworkCard } from "./card/network_card.ts";
export { renderReportCard, renderUnsurveyedCard } from "./card/report_card.ts";
export { displayWidth, sanitize } from "./characters.ts";
export { type CheckPageParts, renderCheckPage } from "./html/check_page.ts";
export { type ComparePageParts, renderComparePage } from "./html/compare_page.ts";
export { renderDocsPage } from "./html/docs_page.ts";
export { type FamilyOrigins, OwnSummarySchema, summarizeOwn } from "./html/families.ts";
export { type HomePageParts, renderHomePage } from "./html/home_page.ts";
export { Html, html } from "./html/html.ts";
export { renderMethodPage } from "./html/method_page.ts";
export { renderSummaryPage } from "./html/network_page.ts";
export { renderProblemPage } from "./html/problem_page.ts";
export type { Neighbours } from "./html/report_evidence.ts";
export { renderExamplePage, renderReportPage } from "./html/report_page.ts";
export type { ShownChange } from "./html/report_score.ts";
export { renderSurveyPage } from "./html/survey_page.ts";
export { renderMarkdown } from "./markdown/report_markdown.ts";
export {
  asPathOf,
  comparePathOf,
  maskAddress,
  networkPathOf,
  pagePathOf,
  prefixOf,
  reportPathOf,
  reportUrlOf,
  summaryPathOf,
  terminalUrlOf,
} from "./paths.ts";
export { formatTime } from "./report_fields.ts";
export { CLOSING_LINES, describeRule } from "./rule_description.ts";
export { renderStix } from "./stix/stix_bundle.ts";
export { renderLine } from "./text/line.ts";
export { renderSummaryText } from "./text/network_text.ts";
export { renderTerminal, renderText } from "./text/report_text.ts";
export { renderScreen } from "./text/screen_text.ts";
export { COLOURS } from "./text/text_writer.ts";
export * from "./text/tool_text.ts";
export { wrapItems, wrapText } from "./text/wrap.ts";
