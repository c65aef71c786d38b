import { type PageTexts, pageTextsOf, reportTextsOf, siteTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { homePathOf, pagePathOf, prefixOf, reportPathOf } from "../paths.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import { creditPlaces, describeLists, formatEffect, formatTime, MINUS } from "../report_fields.ts";
import { renderDocument } from "./document.ts";
import { type FamilyOrigins, renderFamilies } from "./families.ts";
import { type Html, html } from "./html.ts";
import {
  bandOf,
  listTrust,
  renderAddress,
  renderCard,
  renderCode,
  renderCompareForm,
  renderCredits,
  renderProgress,
  renderSearch,
} from "./parts.ts";
import { renderTiles } from "./report_score.ts";
import { renderGauge, renderOrigin, renderStripes } from "./report_summary.ts";

/** What the home page shows. `origin` is the public origin without a trailing slash. */
export interface HomePageParts {
  readonly language: Language;
  readonly origin: string;
  /** The visitor's own address. */
  readonly address?: string;
  /** The visitor's own report: the stored one, or what the local tables alone say. */
  readonly report?: Report;
  /** An invented report to look at. */
  readonly example: Report;
  /** Where a script asks for the visitor's addresses of both families. */
  readonly families?: FamilyOrigins;
}

/**
 * Renders the home page: the visitor's own address, the search field, and commands. Who has no scored report sees the
 * example; a visitor without a public address sees it in place of the own report, and why.
 */
export function renderHomePage(parts: HomePageParts): string {
  const { language, origin, address, report, example, families } = parts;
  const texts = pageTextsOf(language);
  const site = siteTextsOf(language);
  const path = { zh: homePathOf("zh"), en: homePathOf("en") };
  const isPublic = address !== undefined && report?.flags.isBogon !== true;
  const context = report && contextOf(report);
  // What the local tables alone say has no score to show.
  const isScored = isPublic && context?.facts.isScored === true && report?.source !== "fresh";
  const search = html`<section class="lead">${renderSearch(language)}
${renderProgress(language)}
</section>`;
  const sample = renderExample(example, isPublic ? undefined : address);
  const own = isPublic ? renderOwn(address, context, language) : sample;
  // Below a short report of the visitor there is room for the example, and the commands stand below the fields.
  const isShort = isPublic && !isScored;
  return renderDocument({
    language,
    hasSearch: true,
    title: `${texts.slogan} - limpid`,
    description: texts.homeDescription,
    path,
    scripts: ["/static/home.js", ...(families === undefined ? [] : ["/static/families.js"])],
    published: {
      origin,
      data: {
        "@type": "WebSite",
        potentialAction: {
          "@type": "SearchAction",
          target: `${origin}${path[language]}?ip={ip}`,
          "query-input": "required name=ip",
        },
      },
    },
    footer: renderCredits([creditPlaces(reportTextsOf(language))]),
    head: html`<link rel="stylesheet" href="/static/home.css">\n`,
    body: html`<div class="first${isShort && " both"}"><div class="intro"><h1>${texts.slogan}</h1>
<p>${texts.homeLead}</p></div>
${search}
${isShort ? html`<div class="reports">${own}\n${sample}</div>` : own}
<section class="several"><h2>${texts.compareTitle}</h2>
${renderCompareForm(language)}</section>
${renderTerminalExamples(texts, language, origin)}</div>
${renderFamilies(families, language)}
<section class="about" aria-labelledby="about"><h2 id="about">${texts.aboutTitle}</h2>${isScored && html` <a href="${pagePathOf("example", language)}">${site.exampleLink}</a>`}
<dl>${texts.about.map(
      ({ sign, title, text }) => html`
<div><dt><span aria-hidden="true">${sign}</span>${title}</dt><dd>${text}</dd></div>`,
    )}</dl></section>`,
  });
}

/** Renders the visitor's address as a small report: the stored one, or the kinds that the local tables know. */
function renderOwn(address: string, context: ReportContext | undefined, language: Language): Html {
  const texts = pageTextsOf(language);
  const site = siteTextsOf(language);
  const { report, facts } = context ?? {};
  const isSurveyed = report !== undefined && report.source !== "fresh";
  const link = html`<a class="button" href="${reportPathOf(address, language)}">${isSurveyed ? texts.yourReport : site.ownCheck}</a>`;
  return renderSample(context, {
    id: "mine",
    title: texts.yourAddress,
    address,
    link,
    body:
      context !== undefined && isSurveyed && facts?.isScored === true
        ? html`${renderOutline(context)}\n${renderSurvey(context)}`
        : html`${context !== undefined && renderOrigin(context)}
${isSurveyed ? html`<p>${report.risk.verdict}</p>` : html`<p><strong class="band">${reportTextsOf(language).notEnough}</strong> ${site.ownFromTables}</p>`}`,
  });
}

/** Renders what the blocklists said, when the sources were asked, and whether that is long ago. */
function renderSurvey(context: ReportContext): Html {
  const { report, facts, texts, plain, card, common, language } = context;
  const { blocklists, surveyed } = texts.labels;
  return html`<p class="quiet">${facts.lists.benign.length > 0 && html`${siteTextsOf(language).mailPolicy}<br>`}${plain.field(blocklists, describeLists(context))}<br>${plain.field(surveyed, formatTime(report.queriedAt))}${report.stale && html` <strong class="stale whole">${card.stale}</strong> <a href="${reportPathOf(report.ip, language)}?refresh=1" class="whole" rel="nofollow">${common.refresh}</a>`}</p>`;
}

/** Renders the example, and to a visitor from `address` why it stands in place of the own report. */
function renderExample(example: Report, address: string | undefined): Html {
  const context = contextOf(example);
  const { language } = context;
  const site = siteTextsOf(language);
  return renderSample(context, {
    id: "sample",
    title: site.exampleTitle,
    address: example.ip,
    link: html`<a href="${pagePathOf("example", language)}">${site.exampleWhole}</a>`,
    body: html`${address !== undefined && html`<div class="quiet why"><p>${site.special(address)}</p>\n<details><summary>${site.specialWhy}</summary>${renderCode(site.specialOperator)}</details></div>\n`}${renderOutline(context)}
<p class="quiet">${context.plain.field(context.texts.labels.blocklists, describeLists(context))}<br>${site.exampleNote}</p>`,
  });
}

/** Renders a report, or what is known without one. Only the own one has the ground of its band. */
function renderSample(
  context: ReportContext | undefined,
  parts: Readonly<Record<"id" | "title" | "address", string> & { link: Html; body: Html }>,
): Html {
  const { id, title, address, link, body } = parts;
  const band = context === undefined ? "none" : bandOf(context);
  return html`<section class="${id === "mine" ? "hero" : "card"} sample band-${band}${context?.facts.isThin === true && " thin"}" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2> ${link}</header>
<h3 class="${address.includes(":") ? "v6" : "v4"}">${renderAddress(address)}</h3>
${body}
</section>`;
}

/** Renders commands about the machine on which they run: `me` stands for its address. */
function renderTerminalExamples(texts: PageTexts, language: Language, origin: string): Html {
  const lines: readonly (readonly [string, string])[] = [
    [texts.terminalOwn, `${origin}/`],
    [texts.terminalReport, `${origin}${prefixOf(language)}/cli/me`],
    [texts.terminalText, origin + reportPathOf("me", language, ".txt")],
    [texts.terminalJson, origin + reportPathOf("me", language, ".json")],
  ];
  return renderCard(
    texts.terminalTitle,
    html`<p class="quiet">${texts.terminalLead}</p>
<dl class="shell">${lines.map(
      ([name, url]) => html`
<div><dt>${name}</dt><dd><code>curl ${url}</code></dd></div>`,
    )}</dl>`,
    { name: "terminal" },
  );
}

/** Renders the outline of a scored report: score, verdict, deductions, and use cases. */
function renderOutline(context: ReportContext): Html {
  const { report, facts, texts } = context;
  // The verdict of a thin report says how much was obtained.
  const trust = listTrust(context).slice(0, facts.isThin ? 1 : undefined);
  return html`<div class="outline">${renderGauge(context)}${renderStripes(context)}
<div>${renderOrigin(context)}
<p>${facts.isThin && html`<strong class="early">${texts.notEnough}</strong> `}${report.risk.verdict}</p>
<p class="quiet dotted">${trust.map((part) => html`<span class="whole">${part}</span> `)}</p></div></div>
${renderSum(context)}
${report.scenarioApplicable && renderTiles(context)}`;
}

/** Renders from 100 to the purity in one line, or that nothing is deducted. */
function renderSum({ report: { risk }, facts, texts }: ReportContext): Html {
  const parts = facts.steps
    .filter(({ points }) => points !== 0)
    .map(({ label, points }) => html`${formatEffect(-points, MINUS)} ${label}`);
  const last = parts.pop();
  if (last === undefined) return html`<p class="sum">${texts.labels.noFactors}</p>`;
  return html`<p class="sum"><b>100</b>${parts.map((part) => html` <span>${part}</span>`)} <span>${last} = <b>${risk.purity}</b></span></p>`;
}
