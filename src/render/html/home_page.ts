import { type PageTexts, pageTextsOf, reportTextsOf, siteTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { homePathOf, pagePathOf, prefixOf, reportPathOf } from "../paths.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import { describeConfidence, formatEffect, MINUS } from "../report_fields.ts";
import { renderDocument } from "./document.ts";
import { type FamilyOrigins, renderFamilies } from "./families.ts";
import { type Html, html } from "./html.ts";
import {
  bandOf,
  renderAddress,
  renderBar,
  renderCard,
  renderCompareForm,
  renderProgress,
  renderSearch,
} from "./parts.ts";
import { renderOrigin, renderScore } from "./report_summary.ts";

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

/** Renders the home page: the visitor's own address, the search field, an example, and links to everything else. */
export function renderHomePage(parts: HomePageParts): string {
  const { language, origin, address, report, example, families } = parts;
  const texts = pageTextsOf(language);
  const path = { zh: homePathOf("zh"), en: homePathOf("en") };
  const own = address !== undefined && renderOwn(address, report, language);
  const isOwnSpecial = report?.flags.isBogon === true;
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
    head: html`<link rel="stylesheet" href="/static/home.css">\n`,
    body: html`<div class="intro"><h1>${texts.slogan}</h1>
<p>${texts.homeLead}</p></div>
${!isOwnSpecial && own}
${renderFamilies(families, language)}<section class="card lead">${renderSearch(language)}
${renderProgress(language)}
</section>
${isOwnSpecial && own}
${renderExample(contextOf(example))}
<div class="pair">
${renderTerminalExamples(texts, language, origin)}
<div class="stack">
${renderCard(texts.compareTitle, renderCompareForm(language))}
${renderCard(texts.linksTitle, renderLinks(texts, language))}
</div>
</div>
${renderCard(
  texts.aboutTitle,
  html`<dl class="unknowns halves">${texts.about.map(
    ([name, text]) => html`
<div><dt>${name}</dt><dd>${text}</dd></div>`,
  )}</dl>`,
)}`,
  });
}

/**
 * Renders the visitor's address as a small report: the stored one, or the kinds that the local tables know. For a
 * special-purpose address, why it cannot be checked here.
 */
function renderOwn(address: string, report: Report | undefined, language: Language): Html {
  const texts = pageTextsOf(language);
  const site = siteTextsOf(language);
  if (report?.flags.isBogon === true)
    return html`<section class="card local" aria-labelledby="mine"><h2 id="mine">${site.specialTitle}</h2>
<p>${site.special(address, report.risk.verdict)}</p>
<p class="quiet">${site.specialHint}</p>
</section>`;
  const context = report && contextOf(report);
  const isSurveyed = report !== undefined && report.source !== "fresh";
  const style = context !== undefined && ` band-${bandOf(context)}${context.facts.isThin ? " thin" : ""}`;
  return html`<section class="card sample mine${style}" aria-labelledby="mine"><header><h2 id="mine">${texts.yourAddress}</h2> <a class="button" href="${reportPathOf(address, language)}">${isSurveyed ? texts.yourReport : site.ownCheck}</a></header>
${
  context !== undefined && isSurveyed && context.facts.isScored
    ? renderOutline(context)
    : html`<div class="told">${renderHeading(address)}
${context !== undefined && renderOrigin(context)}
<p>${isSurveyed ? report.risk.verdict : html`<strong class="band">${reportTextsOf(language).notEnough}</strong> ${site.ownFromTables}`}</p></div>`
}
</section>`;
}

function renderHeading(address: string): Html {
  return html`<h3 class="${address.includes(":") ? "v6" : "v4"}">${renderAddress(address)}</h3>`;
}

function renderLinks(texts: PageTexts, language: Language): Html {
  return html`<ul class="links">
<li><a href="${pagePathOf("method", language)}">${texts.methodLink}</a></li>
<li><a href="${pagePathOf("docs", language)}">${texts.docsLink}</a></li>
<li><a href="${pagePathOf("llms.txt", language)}">${texts.modelsLink}</a></li>
</ul>`;
}

/** Renders commands about the machine on which they run: `me` stands for its address. */
function renderTerminalExamples(texts: PageTexts, language: Language, origin: string): Html {
  const lines: readonly (readonly [string, string])[] = [
    [texts.terminalOwn, `${origin}/api/myip?format=text`],
    [texts.terminalReport, `${origin}${prefixOf(language)}/cli/me`],
    [texts.terminalText, origin + reportPathOf("me", language, ".txt")],
    [texts.terminalJson, origin + reportPathOf("me", language, ".json")],
  ];
  return renderCard(
    texts.terminalTitle,
    html`<p class="quiet">${texts.terminalLead}</p>
<dl class="shell">${lines.map(
      ([name, url]) => html`
<div><dt>${name}</dt><dd><code>curl '${url}'</code></dd></div>`,
    )}</dl>`,
  );
}

function renderExample(context: ReportContext): Html {
  const { facts, language } = context;
  const site = siteTextsOf(language);
  return html`<section class="card sample band-${bandOf(context)}${facts.isThin && " thin"}" aria-labelledby="sample"><header><h2 id="sample">${site.exampleTitle}</h2> <a href="${pagePathOf("method", language)}">${site.exampleLink}</a></header>
${renderOutline(context)}
<p class="quiet">${site.exampleNote}</p>
</section>`;
}

/** Renders the outline of a scored report: score, verdict, deductions, and use cases. */
function renderOutline(context: ReportContext): Html {
  const { report, facts, texts } = context;
  return html`<div class="outline">
<div class="mark gauge">${renderScore(context)}
<p class="quiet">${describeConfidence(context)}${facts.percent !== undefined && html`<br>${texts.labels.coverage} ${facts.percent}%`}</p></div>
<div class="told">${renderHeading(report.ip)}
${renderOrigin(context)}
<p>${report.risk.verdict}</p>
${renderSum(context)}</div>
<ul class="bars">${report.scenarios.map(
    ({ label, level, levelLabel, score }) => html`
<li class="level-${level}"><span>${label}</span> <b class="figure">${score ?? "\u2014"}</b> <small class="level">${levelLabel}</small>${
      score !== null && renderBar(score)
    }</li>`,
  )}</ul>
</div>`;
}

/** Renders from 100 to the purity in one line, or that nothing is deducted. */
function renderSum({ report: { risk }, texts }: ReportContext): Html {
  const factors = risk.factors.filter((factor) => factor.points !== 0);
  if (factors.length === 0) return html`<p class="sum">${texts.labels.noFactors}</p>`;
  return html`<p class="sum"><b>100</b>${factors.map(
    ({ label, points }) => html` <span>${formatEffect(-points, MINUS)} ${label}</span>`,
  )} <span>= <b>${risk.purity}</b></span></p>`;
}
