import { checkWordsOf, RATINGS, wordsOf } from "#locale";
import { type Language, type Report, SCENARIOS } from "#report";
import { type Html, html } from "./html.ts";

/**
 * The form to rate one's own address: a use, one of the five meanings, and the place of the check that may come first.
 * Its script is `/static/report.js`; until that runs the fields are disabled, and a sentence says why.
 */
export function drawFeedbackForm(report: Report, language: Language): Html {
  const words = checkWordsOf(language);
  const { rating } = words;
  const scenarioNames = wordsOf(language).scenarios;
  return html`<link rel="stylesheet" href="/static/check.css">
<section class="card rating" aria-labelledby="feedback-title">
<h2 id="feedback-title">${rating.title}</h2>
<p class="rating-lead">${rating.lead}</p>
<noscript><p class="note">${rating.needsScript}</p></noscript>
<form id="feedback-form" class="feedback" data-ip="${report.ip}" data-refresh-path="${refreshPathOf(report.ip, language)}" data-words="${JSON.stringify({ ...words.progress, ...rating.script })}">
<fieldset disabled><legend class="unseen">${rating.title}</legend>
<p><label for="feedback-scenario">${rating.scenario}</label>
<select id="feedback-scenario" name="scenario">${SCENARIOS.map((id) => html`<option value="${id}">${scenarioNames[id]}</option>`)}</select></p>
<fieldset class="ratings"><legend>${rating.legend}</legend>
${RATINGS.map((value) => html`<label><input type="radio" name="rating" value="${value}"> <span class="figure">${value}</span> ${rating.meanings[value]}</label>\n`)}</fieldset>
<p><button type="submit">${rating.send}</button></p>
</fieldset>
</form>
<p id="feedback-status" role="status"></p>
<div id="feedback-check" data-words="${JSON.stringify(words.widget)}"></div>
</section>`;
}

function refreshPathOf(ip: string, language: Language): string {
  // A colon may stand in a path (RFC 3986, 3.3), and so the address reads as one.
  return `${language === "en" ? "/en" : ""}/ip/${encodeURIComponent(ip).replaceAll("%3A", ":")}?refresh=1`;
}
