import { cardTextsOf, type ReportTexts, reportPageTextsOf, reportTextsOf } from "#locale";
import { type Conclusion, type Language, type Report, readFacts } from "#report";
import { reportPathOf, webLinkOf } from "../paths.ts";
import {
  describeFlags,
  describeNative,
  describeNetwork,
  describeScore,
  type Field,
  listCredits,
} from "../report_fields.ts";
import { renderDocument, renderHead } from "./document.ts";
import { type Html, html, jsonScript } from "./html.ts";
import { type Neighbours, renderStrip } from "./network_strip.ts";
import { renderCard, renderFields, renderProgress, renderRoomyCard } from "./parts.ts";
import { type DelistUrls, renderBlocklists, renderEvidence } from "./report_evidence.ts";
import { renderHistory } from "./report_history.ts";
import { renderMatrix } from "./report_matrix.ts";
import { renderRatingForm, renderRatings } from "./report_ratings.ts";
import { renderScenarios } from "./report_scenarios.ts";
import { renderBreakdown } from "./report_score.ts";
import { renderSources } from "./report_sources.ts";
import { renderBogon, renderSummary } from "./report_summary.ts";
import { renderCitation, renderHeaderSearch, renderOwnProfile } from "./report_tools.ts";

/** A longer detail has the width of the page. */
const LONG_DETAIL = 240;

const NO_URLS: DelistUrls = new Map();

/** What the page shows beside the report. */
export interface ReportPageOptions {
  /** Earlier assessments in any order. */
  readonly history?: readonly Conclusion[];
  /** It is the visitor's own address: the page compares it with the browser, and offers to rate it. */
  readonly own?: boolean;
  /** Whether the site takes ratings; a mirror does not. */
  readonly takesRatings?: boolean;
  /** What local tables say about the addresses beside it. */
  readonly neighbours?: Neighbours;
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
  {
    history = [],
    own = false,
    takesRatings = true,
    delistUrls = NO_URLS,
    neighbours,
  }: ReportPageOptions = {},
): string {
  const language: Language = report.lang ?? "zh";
  const texts = reportTextsOf(language);
  const { labels } = texts;
  const { ip, risk } = report;
  const facts = readFacts(report);
  const score = describeScore(report, facts, texts);
  const title = `${ip}: ${score} - limpid`;
  const description = facts.isScored
    ? texts.description({ ip, score, confidence: texts.confidences[risk.confidence] })
    : `${ip}: ${risk.verdict}`;
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
        alt: cardTextsOf(language).alt(ip, score),
      },
      data: { dateModified: report.queriedAt, about: { "@type": "Thing", name: ip } },
    })}<link rel="alternate" type="application/json" href="${urlOf(".json")}">
<link rel="alternate" type="text/plain" href="${urlOf(".txt")}">
<link rel="alternate" type="text/markdown" href="${urlOf(".md")}">
`,
    isThin: facts.isThin,
    search: renderHeaderSearch(language),
    scripts: [
      ...(report.flags.isBogon ? [] : ["/static/report.js"]),
      ...(own ? ["/static/own_profile.js"] : []),
    ],
    body: report.flags.isBogon
      ? html`${renderBogon(report, language)}
${own && renderOwnProfile(report, language)}${renderCitation(report, language)}`
      : renderBody(report, language, { history, own, takesRatings, delistUrls }, neighbours),
    footer: html`<p>${labels.disclaimer}</p>
<p class="credits">${listCredits(report, labels.credit).map(({ text, url }) => html`<a href="${url}" rel="noreferrer">${text}</a> `)}</p>
`,
    data: html`${jsonScript("service-report", report)}\n`,
  });
}

/** The sections in the order of what readers ask first: what it is good for, why, who says so, and from where it is known. */
function renderBody(
  report: Report,
  language: Language,
  { history, own, takesRatings, delistUrls }: Required<Omit<ReportPageOptions, "neighbours">>,
  neighbours: Neighbours | undefined,
): Html {
  const texts = reportTextsOf(language);
  return html`${renderSummary(report, language)}
${renderProgress(language)}
${renderScenarios(report, language)}
${own && renderOwnProfile(report, language)}${neighbours !== undefined && html`${renderStrip(neighbours, { language, own })}\n`}${renderHistory(history, language, readFacts(report).isThin ? Date.parse(report.queriedAt) : undefined)}
<div class="flow">
${report.scenarioApplicable && renderBreakdown(report, language)}
${renderMatrix(report, language)}
${renderBlocklists(report, language, delistUrls)}
${renderEvidence(report, language)}
${renderRoomyCard(texts.labels.location, renderFields(listNetwork(report, language)))}
${renderSources(report, language)}
</div>
${renderRatings(report, texts)}
${own && takesRatings && renderRatingForm(report, language)}
${renderUnknowns(report, texts)}
${renderCitation(report, language)}`;
}

/** Whether search engines must not index the page: special-purpose addresses, and reports with too few answers to be stored. */
function isHiddenFromSearch({ flags, risk, source }: Report): boolean {
  return flags.isBogon || (risk.confidence === "low" && source !== "store");
}

function originOf({ reportUrl }: Report): string {
  const link = webLinkOf(reportUrl);
  return link === undefined ? "" : new URL(link).origin;
}

/** Lists the facts about the network, related ones in one row, with the time of the survey at the place of the address. */
function listNetwork(report: Report, language: Language): readonly Field[] {
  const texts = reportTextsOf(language);
  const { labels } = texts;
  const known = new Map(describeNetwork(report, texts, language));
  const take = (...names: readonly string[]) =>
    names.flatMap((name) => {
      const value = known.get(name);
      known.delete(name);
      return value === undefined ? [] : [value];
    });
  const place = texts.joinItems(take(labels.country, labels.region, labels.city));
  take(labels.asn, labels.asName);
  const facts = readFacts(report);
  const registered = texts.joinItems(take(labels.rir, labels.registeredIn));
  const block = texts.joinItems(take(labels.netName, labels.cidr));
  const zone = known.get(labels.timezone);
  if (zone !== undefined) known.set(labels.timezone, withLocalTime(zone, report, language));
  const rows: readonly Field[] = [
    [labels.place, place],
    ...known,
    [labels.network, facts.network],
    [labels.registeredIn, registered],
    [labels.netName, block],
    [labels.flags, texts.joinItems(describeFlags(facts, texts))],
    ...(report.nativeReason === undefined
      ? []
      : [[labels.native, describeNative(report, texts)] satisfies Field]),
  ];
  return rows.filter(([, value]) => value !== "");
}

function withLocalTime(zone: string, report: Report, language: Language): string {
  const local = readLocalTime(report.queriedAt, zone);
  if (local === undefined) return zone;
  const { offset, time } = local;
  return reportTextsOf(language).withDetail(zone, reportPageTextsOf(language).offset(offset, time));
}

/** Returns the offset to UTC, such as `+2` or `+5:30`, and the time of day in a time zone. */
function readLocalTime(
  time: string,
  timeZone: string,
): { readonly offset: string; readonly time: string } | undefined {
  const format = timeFormatOf(timeZone);
  const moment = new Date(time);
  if (format === undefined || Number.isNaN(moment.getTime())) return undefined;
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const offset = (parts.get("timeZoneName") ?? "").replace("GMT", "").replace("-", "\u2212");
  return { offset: offset === "" ? "+0" : offset, time: `${parts.get("hour")}:${parts.get("minute")}` };
}

/** There are about 600 names of time zones. */
const MAX_FORMATS = 600;
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of times in a zone; undefined for a name that the runtime does not know. Creating one is slow. */
function timeFormatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = timeFormats.get(timeZone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "shortOffset",
    });
    // Sources write the names, and each spelling with other capitals is a name, too.
    if (timeFormats.size >= MAX_FORMATS) timeFormats.clear();
    timeFormats.set(timeZone, format);
    return format;
  } catch {
    return undefined;
  }
}

/** Renders what an address alone cannot tell. */
function renderUnknowns(report: Report, texts: ReportTexts): Html {
  return renderCard(
    texts.labels.unknowns,
    html`<dl class="unknowns">${report.unknowns.map(
      ({ label, detail }) => html`
<div${detail.length > LONG_DETAIL && html` class="long"`}><dt>${label}</dt><dd>${detail}</dd></div>`,
    )}</dl>`,
  );
}
