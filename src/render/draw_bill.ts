import { methodWordsOf, type PartialTexts, wordsOf } from "#locale";
import type { Language, Report } from "#report";
import { drawCard } from "./draw_card.ts";
import { type Html, html } from "./html.ts";
import { makeBill } from "./make_bill.ts";
import { methodPathOf } from "./method_path_of.ts";

/** The score as a bill that adds up: from 100, every deduction and credit, down to purity. */
export function drawBill(report: Report, language: Language): Html {
  const texts = wordsOf(language);
  const words = texts.headings;
  const bill = makeBill(report.risk);
  return drawCard(
    words.bill,
    html`<table class="bill"><caption>${words.billCaption}</caption>
<thead class="unseen"><tr><th scope="col">${words.item}</th><th scope="col">${words.effect}</th></tr></thead>
<tbody>
<tr class="start"><th scope="row">${words.start}</th><td class="figure">${bill.start}</td></tr>${bill.lines.map(
      (line) => html`
<tr><th scope="row">${line.kind === "factor" ? drawFactor(line.factor, texts) : words[line.kind]}</th>
<td class="figure ${line.effect > 0 ? "back" : line.effect < 0 ? "cost" : "nil"}">${signed(line.effect)}</td></tr>`,
    )}${report.risk.factors.length === 0 && html`<tr><td colspan="2" class="quiet">${words.noFactors}</td></tr>`}
</tbody>
<tfoot><tr><th scope="row">${words.purity}</th><td class="figure">${bill.purity}</td></tr></tfoot></table>
<p class="quiet"><a href="${methodPathOf(language)}">${methodWordsOf(language).link}</a></p>`,
  );
}

function drawFactor(factor: Report["risk"]["factors"][number], texts: PartialTexts): Html {
  return html`<bdi>${factor.label}</bdi> <span class="tag">${categoryOf(factor.category, texts)}</span>
<p class="words">${factor.detail}</p>`;
}

/** A category's name; a category this build does not know stands for itself. */
function categoryOf(category: string, texts: PartialTexts): string {
  const names: Readonly<Record<string, string>> = texts.categories;
  return Object.hasOwn(names, category) ? (names[category] ?? category) : category;
}

function signed(points: number): string {
  if (points === 0) return "0";
  return points > 0 ? `+${points}` : `\u2212${-points}`;
}
