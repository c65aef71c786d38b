import type { ReportPageTexts } from "#locale";
import type { Report } from "#report";
import type { ReportContext } from "../report_context.ts";
import { type Html, html } from "./html.ts";
import { renderScenarioIcon } from "./icons.ts";
import { renderBar, renderCard } from "./parts.ts";

type Scenario = Report["scenarios"][number];

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
