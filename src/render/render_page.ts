import { wordsOf } from "#locale";
import type { Language, Report } from "#report";
import { describeNetwork } from "./describe_network.ts";
import { drawBill } from "./draw_bill.ts";
import { drawBlocklists } from "./draw_blocklists.ts";
import { drawCard } from "./draw_card.ts";
import { drawCitation } from "./draw_citation.ts";
import { drawDocument } from "./draw_document.ts";
import { drawEvidence } from "./draw_evidence.ts";
import { drawFeedback } from "./draw_feedback.ts";
import { drawFeedbackForm } from "./draw_feedback_form.ts";
import { drawFields } from "./draw_fields.ts";
import { drawHead } from "./draw_head.ts";
import { drawHistory, type HistoryPoint } from "./draw_history.ts";
import { drawProgress } from "./draw_progress.ts";
import { drawScenarios } from "./draw_scenarios.ts";
import { drawSources } from "./draw_sources.ts";
import { drawSummary } from "./draw_summary.ts";
import { drawUnknowns } from "./draw_unknowns.ts";
import { html } from "./html.ts";
import { jsonScript } from "./json_script.ts";
import { listCredits } from "./list_credits.ts";
import { reportPathOf } from "./report_path_of.ts";
import { webLinkOf } from "./web_link_of.ts";

/** What a page shows beside the report. */
export interface PageExtras {
  /** Earlier conclusions in any order; `surveyedAt` is milliseconds since the epoch. */
  readonly history?: readonly HistoryPoint[];
  /** The visitor's own address: offers to rate it. */
  readonly own?: boolean;
}

/**
 * The whole report as one HTML document: complete without any script, nothing asked of third parties, no
 * inline style, the report's JSON in `script#service-report`. Styles are `/static/report.css`.
 * Links are built on the origin of `reportUrl`. The language is the report's own (`lang` absent = Chinese).
 */
export function renderPage(report: Report, { history = [], own = false }: PageExtras = {}): string {
  const language: Language = report.lang ?? "zh";
  const texts = wordsOf(language);
  const words = texts.headings;
  const { ip, risk } = report;
  const title = `${ip}: ${risk.purity}/100 ${risk.label} - limpid`;
  const description = texts.description({
    ip,
    purity: risk.purity,
    band: risk.label,
    confidence: texts.confidences[risk.confidence],
  });
  const path = { zh: reportPathOf(ip, "zh"), en: reportPathOf(ip, "en") };
  const origin = originOf(report);
  const shape = (suffix: string) => origin + reportPathOf(ip, language, suffix);

  return drawDocument({
    language,
    title,
    description,
    path,
    head: html`${drawHead({ language, title, description, origin, path, hidden: isThin(report) })}<link rel="alternate" type="application/json" href="${shape(".json")}">
<link rel="alternate" type="text/plain" href="${shape(".txt")}">
<link rel="alternate" type="text/markdown" href="${shape(".md")}">
`,
    nav: html`<a href="${reportPathOf(ip, language, ".txt")}">${words.asText}</a>
<a href="${reportPathOf(ip, language, ".json")}">${words.asJson}</a>
`,
    ...(report.flags.isBogon ? {} : { scripts: ["/static/report.js"] }),
    body: html`${drawSummary(report, language)}
${!report.flags.isBogon && html`${drawProgress(language)}\n`}${report.scenarioNote !== undefined && html`<p class="note">${report.scenarioNote}</p>\n`}${drawScenarios(report, texts)}
${drawBill(report, language)}
${drawBlocklists(report, language)}
<div class="pair">
${drawCard(words.location, drawFields(describeNetwork(report, texts, language)))}
${drawEvidence(report, texts)}
</div>
${drawHistory(history, language)}
${drawFeedback(report, language)}
${own && !report.flags.isBogon && drawFeedbackForm(report, language)}
${drawUnknowns(report, texts)}
${drawSources(report, language)}
${drawCitation(report, texts, language)}`,
    footer: html`<p>${words.disclaimer}</p>
<p class="credits">${listCredits(report, words.credit).map(({ text, url }) => html`<a href="${url}" rel="noreferrer">${text}</a> `)}</p>
`,
    data: html`${jsonScript("service-report", report)}\n`,
  });
}

/** Nothing for a search engine: nobody's address, or an answer that rests on too little to have been kept. */
function isThin({ flags, risk, source }: Report): boolean {
  return flags.isBogon || (risk.confidence === "low" && source !== "store");
}

function originOf({ reportUrl }: Report): string {
  const link = webLinkOf(reportUrl);
  return link === undefined ? "" : new URL(link).origin;
}
