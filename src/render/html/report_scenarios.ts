import { type ReportPageTexts, reportPageTextsOf, reportTextsOf } from "#locale";
import type { Language, Report, ScenarioLevel } from "#report";
import { type Html, html } from "./html.ts";
import { renderScenarioIcon } from "./icons.ts";
import { renderCard } from "./parts.ts";

type Scenario = Report["scenarios"][number];

/**
 * Renders the use cases with level and score, each reason once with the use cases that it applies to, and the AI vendors.
 * Where use cases do not apply, only the reason is rendered.
 */
export function renderScenarios(report: Report, language: Language): Html {
  const texts = reportTextsOf(language);
  const page = reportPageTextsOf(language);
  const { scenarios, scenarioApplicable, scenarioNote } = report;
  if (!scenarioApplicable)
    return renderCard(texts.labels.scenarios, html`<p>${scenarioNote ?? texts.otherNote}</p>`);
  return renderCard(
    texts.labels.scenarios,
    html`<ul class="tiles">${scenarios.map((scenario) => renderTile(scenario, page))}</ul>
${renderVendors(scenarios, page)}<dl class="reasons">${groupReasons(scenarios).map(
      ([reason, labels]) => html`
<div><dt>${texts.joinItems(labels)}</dt><dd>${reason}</dd></div>`,
    )}</dl>`,
  );
}

function renderTile({ id, label, level, levelLabel, score }: Scenario, page: ReportPageTexts): Html {
  return html`
<li class="level-${level}"><h3 title="${label}">${renderScenarioIcon(id)} ${page.scenarios[id]}</h3><p><span class="figure">${score ?? "\u2014"}</span> <span class="level">${levelLabel}</span></p>${score !== null && renderBar(score, level)}</li>`;
}

/** Renders a bar filled to `score` percent. Screen readers skip it, because the number is next to it. */
function renderBar(score: number, level: ScenarioLevel): Html {
  return html`<svg class="bar level-${level}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="8"></rect><rect class="fill" width="${score}" height="8"></rect></svg>`;
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

/** Groups the use cases by their reason, in document order. */
function groupReasons(scenarios: readonly Scenario[]): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { reason, label } of scenarios) {
    const labels = groups.get(reason);
    if (labels === undefined) groups.set(reason, [label]);
    else labels.push(label);
  }
  return [...groups];
}
