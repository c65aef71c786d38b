/**
 * How it looks: a report in every shape, and every other page: front page, comparison, check, problems, method.
 * Pure; every string that came from outside is neutralised or escaped here, at the exit.
 */
export { describeRule, type RuleDescription } from "./describe_rule.ts";
export { type DocumentParts, drawDocument } from "./draw_document.ts";
export { drawFeedbackForm } from "./draw_feedback_form.ts";
export { drawProgress } from "./draw_progress.ts";
export { Html, html } from "./html.ts";
export { methodPathOf } from "./method_path_of.ts";
export { renderBadge } from "./render_badge.ts";
export { type Caveats, renderCaveats, type UnheardSource } from "./render_caveats.ts";
export { type CheckPageParts, renderCheckPage } from "./render_check_page.ts";
export { type CompareParts, renderComparePage } from "./render_compare_page.ts";
export { type Compared, renderComparison } from "./render_comparison.ts";
export { type DocsParts, renderDocsPage } from "./render_docs_page.ts";
export { type HomeParts, renderHomePage } from "./render_home_page.ts";
export { renderLine } from "./render_line.ts";
export { type LlmsParts, renderLlms } from "./render_llms.ts";
export { renderMarkdown } from "./render_markdown.ts";
export { renderMethod } from "./render_method.ts";
export { type PageExtras, renderPage } from "./render_page.ts";
export { renderProblemPage } from "./render_problem_page.ts";
export { renderRule } from "./render_rule.ts";
export { renderTerminal, type TerminalOptions } from "./render_terminal.ts";
export { renderText } from "./render_text.ts";
export { renderUnknownBadge } from "./render_unknown_badge.ts";
