import { cardTextsOf, pageTextsOf, type ReportTexts, reportTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { listCredits } from "../credits.ts";
import { reportPathOf, webLinkOf } from "../paths.ts";
import { describeNetwork, formatTime } from "../report_fields.ts";
import { renderDocument, renderHead } from "./document.ts";
import { type Html, html, jsonScript } from "./html.ts";
import { renderCard, renderFields, renderProgress } from "./parts.ts";
import { type DelistUrls, renderBlocklists, renderEvidence } from "./report_evidence.ts";
import { type HistoryPoint, renderHistory } from "./report_history.ts";
import { renderRatingForm, renderRatings } from "./report_ratings.ts";
import { renderBreakdown, renderScenarios } from "./report_score.ts";
import { renderSources } from "./report_sources.ts";
import { renderSummary } from "./report_summary.ts";

const NO_URLS: DelistUrls = new Map();

/** What the page shows beside the report. */
export interface ReportPageOptions {
  /** Earlier assessments in any order. */
  readonly history?: readonly HistoryPoint[];
  /** It is the visitor's own address: the page offers to rate it. */
  readonly own?: boolean;
  /** By zone id. A list without a URL has no link. */
  readonly delistUrls?: DelistUrls;
}

/**
 * Renders the whole report as one HTML document. It is complete without script, loads nothing from third parties, has no
 * inline style, and holds the JSON of the report in `script#service-report`. The styles are `/static/report.css`. Links
 * use the origin of `reportUrl`. The language is that of the report (no `lang` means Chinese).
 */
export function renderReportPage(
  report: Report,
  { history = [], own = false, delistUrls = NO_URLS }: ReportPageOptions = {},
): string {
  const language: Language = report.lang ?? "zh";
  const texts = reportTextsOf(language);
  const { labels } = texts;
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
  const urlOf = (suffix: string) => origin + reportPathOf(ip, language, suffix);

  return renderDocument({
    language,
    title,
    description,
    path,
    head: html`${renderHead({
      language,
      title,
      description,
      origin,
      path,
      hidden: isHiddenFromSearch(report),
      card: {
        path: { zh: reportPathOf(ip, "zh", ".png"), en: reportPathOf(ip, "en", ".png") },
        alt: cardTextsOf(language).alt(ip, risk.purity, risk.label),
      },
      data: { dateModified: report.queriedAt, about: { "@type": "Thing", name: ip } },
    })}<link rel="alternate" type="application/json" href="${urlOf(".json")}">
<link rel="alternate" type="text/plain" href="${urlOf(".txt")}">
<link rel="alternate" type="text/markdown" href="${urlOf(".md")}">
`,
    nav: html`<a href="${reportPathOf(ip, language, ".txt")}">${labels.asText}</a>
<a href="${reportPathOf(ip, language, ".json")}">${labels.asJson}</a>
`,
    ...(report.flags.isBogon ? {} : { scripts: ["/static/report.js"] }),
    body: html`${renderSummary(report, language)}
${!report.flags.isBogon && html`${renderProgress(language)}\n`}${report.scenarioNote !== undefined && html`<p class="note">${report.scenarioNote}</p>\n`}${renderScenarios(report, texts)}
${renderBreakdown(report, language)}
${renderBlocklists(report, language, delistUrls)}
<div class="pair">
${renderCard(labels.location, renderFields(describeNetwork(report, texts, language)))}
${renderEvidence(report, texts)}
</div>
${renderHistory(history, language)}
${renderRatings(report, texts)}
${own && !report.flags.isBogon && renderRatingForm(report, language)}
${renderUnknowns(report, texts)}
${renderSources(report, language)}
${renderCitation(report, texts, language)}`,
    footer: html`<p>${labels.disclaimer}</p>
<p class="credits">${listCredits(report, labels.credit).map(({ text, url }) => html`<a href="${url}" rel="noreferrer">${text}</a> `)}</p>
`,
    data: html`${jsonScript("service-report", report)}\n`,
  });
}

/** Whether search engines must not index the page: special-purpose addresses, and reports with too few answers to be stored. */
function isHiddenFromSearch({ flags, risk, source }: Report): boolean {
  return flags.isBogon || (risk.confidence === "low" && source !== "store");
}

function originOf({ reportUrl }: Report): string {
  const link = webLinkOf(reportUrl);
  return link === undefined ? "" : new URL(link).origin;
}

/** Renders what an address alone cannot tell. */
function renderUnknowns(report: Report, texts: ReportTexts): Html {
  return renderCard(
    texts.labels.unknowns,
    html`<dl class="unknowns">${report.unknowns.map(
      ({ label, detail }) => html`
<div><dt>${label}</dt><dd>${detail}</dd></div>`,
    )}</dl>`,
  );
}

/** Renders how to cite the report, and links to its other formats. */
function renderCitation(report: Report, texts: ReportTexts, language: Language): Html {
  const page = pageTextsOf(language);
  const { ip, risk, reportUrl } = report;
  const citation = page.citation({
    ip,
    purity: risk.purity,
    band: risk.label,
    confidence: texts.confidences[risk.confidence],
    moment: formatTime(report.queriedAt),
  });
  return renderCard(
    texts.labels.cite,
    html`<p class="citation">${citation} <a href="${webLinkOf(reportUrl) ?? "#"}">${reportUrl}</a></p>
<p class="quiet">${page.otherFormats} <a href="${reportPathOf(ip, language, ".json")}">${texts.labels.asJson}</a> <a href="${reportPathOf(ip, language, ".txt")}">${texts.labels.asText}</a> <a href="${reportPathOf(ip, language, ".md")}">${page.asMarkdown}</a></p>`,
  );
}
