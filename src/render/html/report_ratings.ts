import { checkTextsOf, RATINGS } from "#locale";
import { SCENARIOS } from "#report";
import { reportPathOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";
import { listRatings } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderRoomyCard, renderTable } from "./parts.ts";

/** Renders the average ratings by visitors, or nothing when there are too few. */
export function renderRatings(context: ReportContext): Html | false {
  const { labels } = context.texts;
  const ratings = listRatings(context);
  if (ratings.length === 0) return false;
  const table = renderTable({
    caption: labels.feedback,
    heads: [labels.scenario, labels.average, labels.votes],
    figuresFrom: 1,
    rows: ratings.map(({ scenario, average, count }) => [scenario, average, count]),
  });
  return renderRoomyCard(labels.feedback, table);
}

/**
 * Renders the form in which visitors rate their own address: a use case, one of five ratings, and the place of the human
 * check that may be needed first. The script `/static/report.js` enables the fields; a sentence says so without it.
 */
export function renderRatingForm({ report, language, texts: { scenarios } }: ReportContext): Html {
  const texts = checkTextsOf(language);
  const { rating } = texts;
  return html`<link rel="stylesheet" href="/static/check.css">
<section class="card rating" aria-labelledby="feedback-title">
<h2 id="feedback-title">${rating.title}</h2>
<p class="rating-lead">${rating.lead}</p>
<noscript><p class="note">${rating.needsScript}</p></noscript>
<form id="feedback-form" class="feedback" data-ip="${report.ip}" data-refresh-path="${reportPathOf(report.ip, language)}?refresh=1" data-words="${JSON.stringify({ ...texts.progress, ...rating.script })}">
<fieldset disabled><legend class="unseen">${rating.title}</legend>
<p><label for="feedback-scenario">${rating.scenario}</label>
<select id="feedback-scenario" name="scenario">${SCENARIOS.map((id) => html`<option value="${id}">${scenarios[id]}</option>`)}</select></p>
<fieldset class="ratings"><legend>${rating.legend}</legend>
${RATINGS.map((value) => html`<label><input type="radio" name="rating" value="${value}"> <span class="figure">${value}</span> ${rating.meanings[value]}</label>\n`)}</fieldset>
<p><button type="submit">${rating.send}</button></p>
</fieldset>
</form>
<p id="feedback-status" role="status"></p>
<div id="feedback-check" data-words="${JSON.stringify(texts.widget)}"></div>
</section>`;
}
