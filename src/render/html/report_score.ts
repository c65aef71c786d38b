import { methodTextsOf, type ReportTexts, reportTextsOf } from "#locale";
import type { Language, Report, ScenarioLevel } from "#report";
import { methodPathOf } from "../paths.ts";
import { nameOf } from "../report_fields.ts";
import { breakDownScore, formatEffect } from "../score_breakdown.ts";
import { type Html, html } from "./html.ts";
import { renderCard } from "./parts.ts";

/** U+2212, which is as wide as the plus sign. */
const MINUS = "\u2212";

/** Renders the six use cases with level, score and reasons. A reason that all share is shown once. */
export function renderScenarios({ scenarios }: Report, texts: ReportTexts): Html {
  const [first, ...others] = scenarios;
  const shared = first !== undefined && others.every(({ reason }) => reason === first.reason);
  return renderCard(
    texts.labels.scenarios,
    html`<ul class="tiles">${scenarios.map(
      ({ label, level, levelLabel, score, reason }) => html`
<li><h3>${label}</h3> <p class="mark"><span class="level level-${level}">${levelLabel}</span>${
        score !== null && html` <span class="figure">${score}</span>`
      }</p>${score !== null && html`\n${renderBar(score, level)}`}${!shared && html`\n<p class="words">${reason}</p>`}</li>`,
    )}</ul>${shared && html`\n<p class="words shared">${first.reason}</p>`}`,
  );
}

/** Renders a bar filled to `score` percent. Screen readers skip it, because the number is next to it. */
function renderBar(score: number, level: ScenarioLevel): Html {
  return html`<svg class="bar level-${level}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="8"></rect><rect class="fill" width="${score}" height="8"></rect></svg>`;
}

/** Renders the score breakdown: 100, then every deduction and credit, then the purity. */
export function renderBreakdown(report: Report, language: Language): Html {
  const texts = reportTextsOf(language);
  const { labels } = texts;
  const breakdown = breakDownScore(report.risk);
  return renderCard(
    labels.breakdown,
    html`<table class="bill"><caption>${labels.breakdownCaption}</caption>
<thead class="unseen"><tr><th scope="col">${labels.item}</th><th scope="col">${labels.effect}</th></tr></thead>
<tbody>
<tr class="start"><th scope="row">${labels.start}</th><td class="figure">${breakdown.start}</td></tr>${breakdown.lines.map(
      (line) => html`
<tr><th scope="row">${line.kind === "factor" ? renderFactor(line.factor, texts) : labels[line.kind]}</th>
<td class="figure ${line.effect > 0 ? "back" : line.effect < 0 ? "cost" : "nil"}">${formatEffect(line.effect, MINUS)}</td></tr>`,
    )}${report.risk.factors.length === 0 && html`<tr><td colspan="2" class="quiet">${labels.noFactors}</td></tr>`}
</tbody>
<tfoot><tr><th scope="row">${labels.purity}</th><td class="figure">${breakdown.purity}</td></tr></tfoot></table>
<p class="quiet"><a href="${methodPathOf(language)}">${methodTextsOf(language).link}</a></p>`,
  );
}

function renderFactor(factor: Report["risk"]["factors"][number], texts: ReportTexts): Html {
  return html`<bdi>${factor.label}</bdi> <span class="tag">${nameOf(texts.categories, factor.category)}</span>
<p class="words">${factor.detail}</p>`;
}
