import { createRecentMap } from "#common";
import { siteTextsOf } from "#locale";
import type { Conclusion, Report } from "#report";
import { originOf, pagePathOf, reportPathOf } from "../paths.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import {
  DOT,
  describeFlags,
  describeNetwork,
  describeScore,
  type Field,
  listCredits,
  listKind,
} from "../report_fields.ts";
import { divideUnknowns } from "../source_groups.ts";
import { renderDocument } from "./document.ts";
import { type FamilyOrigins, renderFamilies } from "./families.ts";
import { type Html, html, jsonScript } from "./html.ts";
import { renderCredits, renderFields, renderProgress, renderRoomyCard } from "./parts.ts";
import {
  type DelistUrls,
  type Neighbours,
  renderBlocklists,
  renderEvidence,
  renderStrip,
} from "./report_evidence.ts";
import { renderMatrix } from "./report_matrix.ts";
import {
  renderBreakdown,
  renderChanges,
  renderHistory,
  renderScenarios,
  type ShownChange,
} from "./report_score.ts";
import { renderEachSource, renderSources } from "./report_sources.ts";
import { renderBogon, renderSummary } from "./report_summary.ts";
import {
  renderCitation,
  renderOwnProfile,
  renderRatingForm,
  renderRatings,
  renderTools,
} from "./report_tools.ts";

/** The dot stays on the line of what stands before it. */
const LINE_DOT = "\u00a0\u00b7 ";

/** A longer detail has the width of the page. */
const LONG_DETAIL = 240;

const NO_URLS: DelistUrls = new Map();

/** What the page shows beside the report. */
export interface ReportPageOptions {
  /** Earlier assessments in any order. */
  readonly history?: readonly Conclusion[];
  /** It is the visitor's own address: the page compares it with the browser, and offers to rate it. */
  readonly own?: boolean;
  /** Where a script asks for the visitor's addresses of both families, on the page of one of them. */
  readonly families?: FamilyOrigins;
  /** Whether the site takes ratings; a mirror does not. */
  readonly takesRatings?: boolean;
  /** It is shown to the operator of the site, who can add keys of sources. */
  readonly operator?: boolean;
  /** What local tables say about the addresses beside it. */
  readonly neighbours?: Neighbours;
  /** Proven changes of a watched address, the newest first. */
  readonly changes?: readonly ShownChange[];
  /** By zone id. A list without a URL has no link. */
  readonly delistUrls?: DelistUrls;
}

/**
 * Renders the whole report as one HTML document. It is complete without script, loads nothing from third parties, has no
 * inline style, and holds the JSON of the report in `script#service-report`. The styles are `/static/report.css`. Links
 * use the origin of `reportUrl`. The language is that of the report (no `lang` means Chinese).
 */
export function renderReportPage(report: Report, options: ReportPageOptions = {}): string {
  const { own = false, families } = options;
  const context = contextOf(report);
  const { language } = context;
  const { ip, flags } = report;
  const score = describeScore(context);
  const origin = originOf(report.reportUrl);
  const urlOf = (suffix: string) => origin + reportPathOf(ip, language, suffix);

  return renderDocument({
    ...describePage(context),
    isWithoutSources: flags.isBogon,
    path: { zh: reportPathOf(ip, "zh"), en: reportPathOf(ip, "en") },
    published: {
      origin,
      // Of special-purpose addresses, and of reports with too few answers to be stored.
      hidden: flags.isBogon || (report.risk.confidence === "low" && report.source !== "store"),
      card: {
        path: { zh: reportPathOf(ip, "zh", ".png"), en: reportPathOf(ip, "en", ".png") },
        alt: context.card.alt(ip, score),
      },
      data: { dateModified: report.queriedAt, about: { "@type": "Thing", name: ip } },
    },
    head: html`<link rel="alternate" type="application/json" href="${urlOf(".json")}">
<link rel="alternate" type="text/plain" href="${urlOf(".txt")}">
<link rel="alternate" type="text/markdown" href="${urlOf(".md")}">
`,
    scripts: [
      ...(flags.isBogon ? [] : ["/static/report.js"]),
      ...(own && !flags.isBogon ? ["/static/own_profile.js"] : []),
      ...(own && families !== undefined ? ["/static/families.js"] : []),
    ],
    body: flags.isBogon
      ? html`${renderBogon(context)}
${own && renderFamilies(families, language)}${renderCitation(context)}`
      : html`${renderSummary(context, renderTools(context))}
${renderProgress(language)}
${renderBody(context, options)}
${renderCitation(context)}`,
    footer: renderCredits(listCredits(context)),
    data: html`${jsonScript("service-report", report)}\n`,
  });
}

/**
 * Renders an invented report, with its history, as a page of its own. It offers nothing that needs the address: no other
 * format, no survey. It is not indexed: who finds it with a search engine may take it for a report on the address.
 */
export function renderExamplePage(report: Report, history: readonly Conclusion[]): string {
  const context = contextOf(report);
  const { language } = context;
  const texts = siteTextsOf(language);
  return renderDocument({
    ...describePage(context),
    title: `${texts.exampleTitle} - limpid`,
    path: { zh: pagePathOf("example", "zh"), en: pagePathOf("example", "en") },
    scripts: ["/static/report.js"],
    body: html`<p class="note"><strong>${texts.exampleTitle}</strong>${context.plain.field("", texts.exampleNote)} <a href="${reportPathOf("me", language)}">${texts.exampleOwn}</a></p>
${renderSummary(context, false)}
${renderBody(context, { history })}`,
  });
}

/** What the pages of all reports say in the same way. */
function describePage(context: ReportContext) {
  const { report, language, facts, texts, page, plain } = context;
  const { ip, risk } = report;
  const score = describeScore(context);
  return {
    language,
    title: `${plain.field(ip, report.flags.isBogon ? page.bogonTitle : score)} - limpid`,
    description: facts.isScored
      ? texts.description({
          ip,
          score,
          confidence: texts.confidences[risk.confidence].toLowerCase(),
          verdict: risk.verdict,
          kind: listKind(context).join(DOT),
        })
      : `${ip}: ${risk.verdict}`,
    isThin: facts.isThin,
  };
}

/** The sections in the order of what readers ask first: what it is good for, why, who says so, and what is beside it. */
function renderBody(
  context: ReportContext,
  {
    history = [],
    changes = [],
    own = false,
    takesRatings = true,
    operator = false,
    delistUrls = NO_URLS,
    neighbours,
    families,
  }: ReportPageOptions,
): Html {
  const { report, facts, language, texts } = context;
  // Without a breakdown the first column has the room for the neighbours.
  const strip = neighbours !== undefined && html`${renderStrip(neighbours, context, own)}\n`;
  return html`${renderScenarios(context)}
${own && html`${renderFamilies(families, language)}${renderOwnProfile(context)}`}${renderChanges(changes, context)}
<div class="columns">
<div class="column">
${report.scenarioApplicable && renderBreakdown(context)}
${renderMatrix(context, operator)}
${renderBlocklists(context, delistUrls)}
${!facts.isScored && strip}</div>
<div class="column">
${renderEvidence(context)}
${renderRoomyCard(texts.labels.location, renderFields(listNetwork(context)))}
${renderSources(context)}
${facts.isScored && strip}${renderRatings(context)}
${facts.isScored && renderHistory(history, context)}</div>
</div>
${renderEachSource(context)}
${own && takesRatings && renderRatingForm(context)}
${renderUnknowns(context)}`;
}

/** Lists the facts about the network, related ones in one row, with the time of the survey at the place of the address. */
function listNetwork(context: ReportContext): Parameters<typeof renderFields>[0] {
  const { facts, texts } = context;
  const { labels } = texts;
  const known = new Map(describeNetwork(context));
  const take = (...names: readonly string[]) =>
    names.flatMap((name) => {
      const value = known.get(name);
      known.delete(name);
      return value === undefined ? [] : [value];
    });
  const takeFields = (...names: readonly string[]) =>
    names.flatMap((name) => take(name).map((value): Field => [name, value]));
  const place = take(labels.country, labels.region, labels.city).join(LINE_DOT);
  const [as = "", ...names] = take(labels.asn, labels.asName);
  const isNamed = names.some((name) => known.get(labels.org)?.startsWith(name));
  const registered = take(labels.rir, labels.registeredIn).join(LINE_DOT);
  const block = take(labels.netName, labels.cidr).join(LINE_DOT);
  const zone = known.get(labels.timezone);
  if (zone !== undefined) known.set(labels.timezone, withLocalTime(zone, context));
  const flags = describeFlags(context).map((flag, at) => html`${at > 0 && html`<br>`}${flag}`);
  const rows: Parameters<typeof renderFields>[0] = [
    [labels.place, place],
    ...takeFields(labels.claims, labels.timezone),
    [labels.network, isNamed ? as : facts.network],
    ...takeFields(labels.asKind, labels.org, labels.route),
    [labels.registeredIn, registered],
    [labels.netName, block],
    ...known,
    [labels.flags, flags.length === 0 ? "" : html`${flags}`],
  ];
  return rows.filter(([, value]) => value !== "");
}

/** Adds the offset to UTC, such as `+2` or `+5:30`, and the time of day in the zone. */
function withLocalTime(zone: string, { report, texts, page }: ReportContext): string {
  const format = timeFormatOf(zone);
  const moment = new Date(report.queriedAt);
  if (format === undefined || Number.isNaN(moment.getTime())) return zone;
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const offset = (parts.get("timeZoneName") ?? "").replace("GMT", "").replace("-", "\u2212");
  const time = `${parts.get("hour")}:${parts.get("minute")}`;
  return texts.withDetail(zone, page.offset(offset === "" ? "+0" : offset, time));
}

/** There are about 600 names of time zones, but sources write them, and each spelling with other capitals is a name, too. */
const MAX_FORMATS = 600;
const timeFormats = createRecentMap<string, Intl.DateTimeFormat>(MAX_FORMATS);

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
    timeFormats.set(timeZone, format);
    return format;
  } catch {
    return undefined;
  }
}

/** Renders what an address alone cannot tell. */
function renderUnknowns({ report, texts }: ReportContext): Html {
  return renderRoomyCard(
    texts.labels.unknowns,
    html`<dl class="unknowns">${divideUnknowns(report).limits.map(
      ([label, detail]) => html`
<div${detail.length > LONG_DETAIL && html` class="long"`}><dt>${label}</dt><dd>${detail}</dd></div>`,
    )}</dl>`,
  );
}
