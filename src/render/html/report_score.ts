import { methodTextsOf, type ReportPageTexts, type ReportTexts } from "#locale";
import { isAdjustment, type Report } from "#report";
import { pagePathOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";
import { formatEffect, MINUS, nameOf } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderBar, renderCard, renderFoldSwitch, renderScenarioIcon } from "./parts.ts";

type Factor = Report["risk"]["factors"][number];
type Scenario = Report["scenarios"][number];

/**
 * Renders the score breakdown as a waterfall: 100, then every deduction and credit with a bar from the purity before it to
 * the purity after it, then the purity. Caps, the bounds 0 and 100, and rounding are one grey line.
 */
export function renderBreakdown({ report, language, texts, page }: ReportContext): Html {
  const { labels } = texts;
  const { factors, purity } = report.risk;
  const [shown, folded] = [factors.filter((one) => !isAdjustment(one)), factors.filter(isAdjustment)];
  const adjustment = roundCents(folded.reduce((sum, { points }) => sum - points, 0));
  let reached = 100;
  const renderFall = (effect: number): Html => {
    const before = reached;
    reached = roundCents(reached + effect);
    return renderStep(before, reached);
  };
  return renderCard(
    labels.breakdown,
    html`<table class="bill"><caption class="unseen">${labels.breakdownCaption}</caption>
<thead class="unseen"><tr><th scope="col">${labels.item}</th><th scope="col">${labels.effect}</th></tr></thead>
<tbody>
<tr class="start"><th scope="row">${labels.start}</th><td class="figure">100</td></tr>${shown.map(
      (factor) => html`
<tr class="${toneOf(-factor.points)}"><td class="what">${renderFactor(factor, factor.points === 0 ? false : renderFall(-factor.points), texts)}</td>
<td class="figure">${formatEffect(-factor.points, MINUS)}</td></tr>`,
    )}${
      folded.length > 0 &&
      html`
<tr class="folded"><td><details><summary>${page.adjustments}</summary><p>${page.adjustmentsNote}</p><dl>${folded.map(
        ({ label, points, detail }) => html`
<div><dt>${label} <span class="sum">${formatEffect(-points, MINUS)}</span></dt><dd>${detail}</dd></div>`,
      )}</dl></details>${adjustment !== 0 && renderFall(adjustment)}</td>
<td class="figure">${formatEffect(adjustment, MINUS)}</td></tr>`
    }${factors.length === 0 && html`<tr><td colspan="2" class="quiet">${labels.noFactors}</td></tr>`}
</tbody>
<tfoot><tr><th scope="row">${labels.purity}</th><td class="figure">${purity}</td></tr></tfoot></table>
<div class="below">${shown.length > 0 && renderFoldSwitch(page.showBasis)}<p class="quiet"><a href="${pagePathOf("method", language)}">${methodTextsOf(language).link}</a></p></div>`,
  );
}

/** Rounds to two decimals; the 0 turns -0 into 0. */
function roundCents(points: number): number {
  return Math.round(points * 100) / 100 + 0;
}

function toneOf(effect: number): "back" | "cost" | "nil" {
  return effect > 0 ? "back" : effect < 0 ? "cost" : "nil";
}

/** Renders a bar between two sums, as far as they are from 0 to 100. Screen readers skip it: the number is next to it. */
function renderStep(before: number, after: number): Html {
  const [from, to] = [clamp(Math.min(before, after)), clamp(Math.max(before, after))];
  return html`<svg class="step" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="6"></rect><rect class="drop" x="${Math.min(from, 99.2)}" width="${Math.max(Math.round((to - from) * 100) / 100, 0.8)}" height="6"></rect></svg>`;
}

function clamp(sum: number): number {
  return Math.min(Math.max(sum, 0), 100);
}

/** Renders a factor, its bar and its detail. */
function renderFactor({ label, category, detail }: Factor, step: Html | false, texts: ReportTexts): Html {
  return html`<b><bdi>${label}</bdi></b> <span class="tag">${nameOf(texts.categories, category)}</span>${step}<p class="words folds">${detail}</p>`;
}

/**
 * Renders the use cases with level and score, each reason once with the use cases that it applies to, and the AI vendors.
 * Where use cases do not apply, only the reason is rendered.
 */
export function renderScenarios({ report, texts, page }: ReportContext): Html {
  const { scenarios, scenarioApplicable, scenarioNote } = report;
  if (!scenarioApplicable)
    return renderCard(texts.labels.scenarios, html`<p>${scenarioNote ?? texts.otherNote}</p>`);
  return renderCard(
    texts.labels.scenarios,
    html`<ul class="tiles">${scenarios.map((scenario) => renderTile(scenario, page))}</ul>
${renderVendors(scenarios, page)}<dl class="reasons">${[
      ...Map.groupBy(scenarios, ({ reason }) => reason),
    ].map(
      ([reason, alike]) => html`
<div><dt>${texts.joinItems(alike.map(({ label }) => label))}</dt><dd>${reason}</dd></div>`,
    )}</dl>`,
  );
}

function renderTile({ id, label, level, levelLabel, score }: Scenario, page: ReportPageTexts): Html {
  return html`
<li class="level-${level}"><h3 title="${label}">${renderScenarioIcon(id)} ${page.scenarios[id]}</h3><p><span class="figure">${score ?? "\u2014"}</span> <span class="level">${levelLabel}</span></p>${score !== null && renderBar(score, ` level-${level}`)}</li>`;
}

/** Signs of the states of a vendor, so that they do not differ by colour alone. */
const REGION_SIGNS = { supported: "\u2713", unsupported: "\u2715", unclear: "?" } as const;

function renderVendors(scenarios: readonly Scenario[], page: ReportPageTexts): Html | false {
  const regions = scenarios.find(({ id }) => id === "ai")?.regions;
  if (regions === undefined) return false;
  return html`<dl class="vendors"><dt>${page.vendors(regions.asOf)}</dt>${Object.entries(regions.vendors).map(
    ([name, state]) =>
      html`<dd class="region-${state}"><span aria-hidden="true">${REGION_SIGNS[state]}</span> ${name} <small${state === "supported" && html` class="unseen"`}>${page.regionStates[state]}</small></dd>`,
  )}</dl>\n`;
}
