import { methodTextsOf, type ReportTexts, reportPageTextsOf, reportTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { methodPathOf } from "../paths.ts";
import { nameOf } from "../report_fields.ts";
import { type BreakdownLine, breakDownScore, formatEffect } from "../score_breakdown.ts";
import { type Html, html } from "./html.ts";
import { renderCard } from "./parts.ts";

/** U+2212, which is as wide as the plus sign. */
const MINUS = "\u2212";

type FactorLine = Extract<BreakdownLine, { kind: "factor" }>;

/**
 * Renders the score breakdown as a waterfall: 100, then every deduction and credit with a bar from the purity before it to
 * the purity after it, then the purity. Caps, the bounds 0 and 100, and rounding are one grey line.
 */
export function renderBreakdown(report: Report, language: Language): Html {
  const texts = reportTextsOf(language);
  const page = reportPageTextsOf(language);
  const { labels } = texts;
  const { start, lines, purity } = breakDownScore(report.risk);
  const shown = lines.filter((line): line is FactorLine => line.kind === "factor" && !isAdjustment(line));
  const folded = lines.filter((line) => line.kind !== "factor" || isAdjustment(line));
  const adjustment = roundSum(folded);
  let reached: number = start;
  const renderFall = ({ effect }: { readonly effect: number }): Html => {
    const before = reached;
    reached = Math.round((reached + effect) * 100) / 100;
    return renderStep(before, reached);
  };
  return renderCard(
    labels.breakdown,
    html`<table class="bill"><caption class="unseen">${labels.breakdownCaption}</caption>
<thead class="unseen"><tr><th scope="col">${labels.item}</th><th scope="col">${labels.effect}</th></tr></thead>
<tbody>
<tr class="start"><th scope="row">${labels.start}</th><td class="figure">${start}</td></tr>${shown.map(
      (line) => html`
<tr class="${toneOf(line.effect)}"><td class="what">${renderFactor(line.factor, line.effect === 0 ? false : renderFall(line), texts)}</td>
<td class="figure">${formatEffect(line.effect, MINUS)}</td></tr>`,
    )}${
      folded.length > 0 &&
      html`
<tr class="folded"><td>${page.adjustments} ${adjustment !== 0 && renderFall({ effect: adjustment })}<details><summary>${page.adjustmentsNote}</summary><dl>${folded.map((line) => renderFolded(line, texts))}</dl></details></td>
<td class="figure">${formatEffect(adjustment, MINUS)}</td></tr>`
    }${report.risk.factors.length === 0 && html`<tr><td colspan="2" class="quiet">${labels.noFactors}</td></tr>`}
</tbody>
<tfoot><tr><th scope="row">${labels.purity}</th><td class="figure">${purity}</td></tr></tfoot></table>
<p class="quiet"><a href="${methodPathOf(language)}">${methodTextsOf(language).link}</a></p>`,
  );
}

/** Reports whether a line only keeps the sum inside its bounds. It is no finding about the address. */
function isAdjustment({ factor }: FactorLine): boolean {
  return factor.category === "relief" && factor.id.endsWith("_cap");
}

function roundSum(lines: readonly BreakdownLine[]): number {
  return Math.round(lines.reduce((sum, { effect }) => sum + effect, 0) * 100) / 100 + 0;
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

/** Renders a factor and its bar. A narrow page shows the detail on demand, a wide one always. */
function renderFactor(
  { label, category, detail }: Report["risk"]["factors"][number],
  step: Html | false,
  texts: ReportTexts,
): Html {
  return html`<details class="roomy"><summary><bdi>${label}</bdi> <span class="tag">${nameOf(texts.categories, category)}</span>${step}</summary><p class="words">${detail}</p></details>`;
}

function renderFolded(line: BreakdownLine, texts: ReportTexts): Html {
  const [label, detail] =
    line.kind === "factor" ? [line.factor.label, line.factor.detail] : [texts.labels[line.kind], undefined];
  return html`
<div><dt>${label} <span class="sum">${formatEffect(line.effect, MINUS)}</span></dt>${detail !== undefined && html`<dd>${detail}</dd>`}</div>`;
}
