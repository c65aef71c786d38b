import { siteTextsOf } from "#locale";
import { reportPathOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";
import { describeConfidence, formatEffect, MINUS } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { bandOf, renderAddress, renderBar } from "./parts.ts";
import { renderScore } from "./report_summary.ts";

/**
 * The address of the example: the public speed test of a hosting company, which belongs to no private person. Its
 * network is in the local tables, so there is something to look at before any survey.
 */
export const EXAMPLE_ADDRESS = "139.162.65.37";

/** Renders the outline of a report as an example: score, verdict, deductions, and use cases. */
export function renderExample(context: ReportContext): Html {
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
${facts.isScored && renderDeductions(context)}</div>
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
function renderDeductions({ report: { risk } }: ReportContext): Html {
  const factors = risk.factors.filter((factor) => factor.points !== 0);
  return html`<p class="sum"><b>100</b>${factors.map(
    ({ label, points }) => html` <span>${formatEffect(-points, MINUS)} ${label}</span>`,
  )} <span>= <b>${risk.purity}</b></span></p>`;
}
