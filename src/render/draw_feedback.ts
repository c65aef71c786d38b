import { wordsOf } from "#locale";
import { type Language, type Report, SCENARIOS } from "#report";
import { drawCard } from "./draw_card.ts";
import { type Html, html } from "./html.ts";

/** What visitors say of the address; nothing where too few have. */
export function drawFeedback(report: Report, language: Language): Html | false {
  const { feedback } = report;
  if (feedback === undefined || Object.keys(feedback).length === 0) return false;
  const texts = wordsOf(language);
  const words = texts.headings;
  return drawCard(
    words.feedback,
    html`<table><caption class="unseen">${words.feedback}</caption>
<thead><tr><th scope="col">${words.scenario}</th><th scope="col" class="figure">${words.average}</th><th scope="col" class="figure">${words.votes}</th></tr></thead>
<tbody>${SCENARIOS.map((id) => {
      const votes = feedback[id];
      return (
        votes !== undefined &&
        html`
<tr><th scope="row">${texts.scenarios[id]}</th><td class="figure">${votes.average}</td><td class="figure">${votes.count}</td></tr>`
      );
    })}</tbody></table>`,
  );
}
