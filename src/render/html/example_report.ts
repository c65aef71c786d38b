import { nameCountry, reportTextsOf, siteTextsOf } from "#locale";
import { type Language, type Report, readFacts } from "#report";
import { reportPathOf } from "../paths.ts";
import { formatEffect } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { bandOf, renderAddress } from "./parts.ts";
import { renderScore } from "./report_summary.ts";

/**
 * The address of the example: the public speed test of a hosting company, which belongs to no private person. Its
 * network is in the local tables, so there is something to look at before any survey.
 */
export const EXAMPLE_ADDRESS = "139.162.65.37";

/** U+2212, which is as wide as the plus sign. */
const MINUS = "\u2212";

/** Renders the outline of a report as an example: score, verdict, deductions, and use cases. */
export function renderExample(report: Report, language: Language): Html {
  const texts = reportTextsOf(language);
  const site = siteTextsOf(language);
  const { ip, risk } = report;
  const facts = readFacts(report);
  const note =
    report.source === "fresh" ? site.exampleFromTables : site.exampleStored(report.queriedAt.slice(0, 10));
  return html`<section class="card sample band-${bandOf(report, facts)}${facts.isThin && " thin"}" aria-labelledby="sample"><header><h2 id="sample">${site.exampleTitle}</h2> <a href="${reportPathOf(ip, language)}" rel="nofollow">${site.exampleLink}</a></header>
<div class="outline">
<div class="mark gauge">${facts.isScored && renderScore(report, facts, texts)}
<p class="quiet">${texts.labels.confidence} ${texts.confidences[risk.confidence]}${facts.percent !== undefined && html` · ${texts.labels.coverage} ${facts.percent}%`}</p></div>
<div class="told"><h3>${renderAddress(ip)}</h3>
<ul class="chips">${listFacts(report, language).map((fact) => html`<li>${fact}</li>`)}</ul>
<p>${risk.verdict}</p>
${facts.isScored && renderDeductions(report)}</div>
<ul class="bars">${report.scenarios.map(
    ({ label, level, levelLabel, score }) => html`
<li class="level-${level}"><span>${label}</span> <b class="figure">${score ?? "--"}</b> <small class="level">${levelLabel}</small>${
      score !== null &&
      html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="8"></rect><rect class="fill" width="${score}" height="8"></rect></svg>`
    }</li>`,
  )}</ul>
</div>
<p class="quiet">${note}</p>
</section>`;
}

function listFacts(report: Report, language: Language): readonly string[] {
  const texts = reportTextsOf(language);
  const { usageType, nativeType, geo } = report;
  const country = geo?.country === undefined ? undefined : nameCountry(geo.country, language);
  const { network } = readFacts(report);
  return [texts.usages[usageType], texts.natives[nativeType], country, network].filter(
    (fact) => fact !== undefined && fact !== "",
  ) as string[];
}

/** Renders from 100 to the purity in one line. */
function renderDeductions({ risk }: Report): Html {
  const factors = risk.factors.filter((factor) => factor.points !== 0);
  return html`<p class="sum"><b>100</b>${factors.map(
    ({ label, points }) => html` <span>${formatEffect(-points, MINUS)} ${label}</span>`,
  )} <span>= <b>${risk.purity}</b></span></p>`;
}
