import { type PageTexts, pageTextsOf, reportTextsOf, siteTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { homePathOf, pagePathOf, prefixOf, reportPathOf } from "../paths.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import { describeConfidence, describeScore, formatEffect, MINUS } from "../report_fields.ts";
import { renderDocument } from "./document.ts";
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
import { renderScore } from "./report_summary.ts";

/**
 * The address of the example: the public speed test of a hosting company, which belongs to no private person. Its
 * network is in the local tables, so there is something to look at before any survey.
 */
export const EXAMPLE_ADDRESS = "139.162.65.37";

/** What the home page shows. `origin` is the public origin without a trailing slash. */
export interface HomePageParts {
  readonly language: Language;
  readonly origin: string;
  /** The visitor's own address. */
  readonly address?: string;
  /** The visitor's own report: the stored one, or for a special-purpose address the one that says what it is. */
  readonly report?: Report;
  /** A report to look at, from the database or from the local tables alone. */
  readonly example?: Report;
}

/** Renders the home page: the search field, the visitor's own address, an example, and links to everything else. */
export function renderHomePage(parts: HomePageParts): string {
  const { language, origin, address, report, example } = parts;
  const texts = pageTextsOf(language);
  const path = { zh: homePathOf("zh"), en: homePathOf("en") };
  return renderDocument({
    language,
    title: `${texts.slogan} - limpid`,
    description: texts.homeDescription,
    path,
    scripts: ["/static/home.js"],
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
    body: html`<section class="card lead"><h1>${texts.slogan}</h1>
<p>${texts.homeLead}</p>
${renderSearch(language)}
${renderProgress(language)}
</section>
${address !== undefined && renderOwn(address, report, language)}
${example !== undefined && renderExample(contextOf(example))}
${renderCard(
  texts.aboutTitle,
  html`<dl class="unknowns halves">${texts.about.map(
    ([name, text]) => html`
<div><dt>${name}</dt><dd>${text}</dd></div>`,
  )}</dl>`,
)}
<div class="pair">
<div class="stack">
${renderCard(texts.compareTitle, renderCompareForm(language))}
${renderCard(texts.linksTitle, renderLinks(texts, language))}
</div>
${renderTerminalExamples(texts, language, { origin, ip: chooseExample(parts) })}
</div>`,
    footer: html`<p>${reportTextsOf(language).labels.disclaimer}</p>\n`,
  });
}

/** The address of the commands: one that has a report already, so that they show something at no cost. */
function chooseExample({ example, report }: HomePageParts): string {
  const stored = [example, report].find((one) => one?.source === "store" || one?.source === "cache");
  return stored?.ip ?? example?.ip ?? report?.ip ?? "203.0.113.7";
}

/** Renders the visitor's address with its band if it is known; for a special-purpose address, why it cannot be checked here. */
function renderOwn(address: string, report: Report | undefined, language: Language): Html {
  const texts = pageTextsOf(language);
  const site = siteTextsOf(language);
  if (report?.flags.isBogon === true)
    return html`<section class="card local" aria-labelledby="mine"><h2 id="mine">${site.specialTitle}</h2>
<p>${site.special(address, report.risk.verdict)}</p>
<p class="quiet">${site.specialHint}</p>
</section>`;
  const context = report && contextOf(report);
  return html`<section class="card mine" aria-labelledby="mine"><div><h2 id="mine">${texts.yourAddress}</h2>
<p><bdi>${address}</bdi></p></div>
${
  context !== undefined &&
  html`<p class="band-${bandOf(context)}"><strong class="band">${describeScore(context)}</strong> <span class="quiet">${describeConfidence(context)}</span></p>\n`
}<a class="button" href="${reportPathOf(address, language)}">${texts.yourReport}</a>
</section>`;
}

function renderLinks(texts: PageTexts, language: Language): Html {
  return html`<ul class="links">
<li><a href="${pagePathOf("method", language)}">${texts.methodLink}</a></li>
<li><a href="${pagePathOf("docs", language)}">${texts.docsLink}</a></li>
<li><a href="${pagePathOf("llms.txt", language)}">${texts.modelsLink}</a></li>
</ul>`;
}

function renderTerminalExamples(
  texts: PageTexts,
  language: Language,
  { origin, ip }: { readonly origin: string; readonly ip: string },
): Html {
  const lines: readonly (readonly [string, string])[] = [
    [texts.terminalOwn, `${origin}/api/myip?format=text`],
    [texts.terminalReport, `${origin}${prefixOf(language)}/cli/${ip}`],
    [texts.terminalText, origin + reportPathOf(ip, language, ".txt")],
    [texts.terminalJson, origin + reportPathOf(ip, language, ".json")],
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

/** Renders the outline of a report as an example: score, verdict, deductions, and use cases. */
function renderExample(context: ReportContext): Html {
  const { report, facts, language, texts } = context;
  const site = siteTextsOf(language);
  const { ip, risk, usageType, nativeType, geo } = report;
  const known = [texts.usages[usageType], texts.natives[nativeType], geo?.countryName, facts.network];
  const note =
    report.source === "fresh" ? site.exampleFromTables : site.exampleStored(report.queriedAt.slice(0, 10));
  return html`<section class="card sample band-${bandOf(context)}${facts.isThin && " thin"}" aria-labelledby="sample"><header><h2 id="sample">${site.exampleTitle}</h2> <a href="${reportPathOf(ip, language)}" rel="nofollow">${site.exampleLink}</a></header>
<div class="outline">
<div class="mark gauge">${facts.isScored && renderScore(context)}
<p class="quiet">${describeConfidence(context)}${facts.percent !== undefined && html` · ${texts.labels.coverage} ${facts.percent}%`}</p></div>
<div class="told"><h3>${renderAddress(ip)}</h3>
<ul class="chips">${known.map((fact) => fact !== undefined && fact !== "" && html`<li>${fact}</li>`)}</ul>
<p>${risk.verdict}</p>
${facts.isScored && renderSum(context)}</div>
<ul class="bars">${report.scenarios.map(
    ({ label, level, levelLabel, score }) => html`
<li class="level-${level}"><span>${label}</span> <b class="figure">${score ?? "--"}</b> <small class="level">${levelLabel}</small>${
      score !== null && renderBar(score)
    }</li>`,
  )}</ul>
</div>
<p class="quiet">${note}</p>
</section>`;
}

/** Renders from 100 to the purity in one line. */
function renderSum({ report: { risk } }: ReportContext): Html {
  const factors = risk.factors.filter((factor) => factor.points !== 0);
  return html`<p class="sum"><b>100</b>${factors.map(
    ({ label, points }) => html` <span>${formatEffect(-points, MINUS)} ${label}</span>`,
  )} <span>= <b>${risk.purity}</b></span></p>`;
}
