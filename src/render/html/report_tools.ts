import { checkTextsOf, describeCountry, RATINGS } from "#locale";
import { SCENARIOS } from "#report";
import { sanitize } from "../characters.ts";
import { maskAddress, originOf, pagePathOf, prefixOf, reportPathOf, webLinkOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";
import { describeResult, formatTime, listRatings } from "../report_fields.ts";
import FURTHER from "./further.json" with { type: "json" };
import { type Html, html } from "./html.ts";
import { renderRoomyCard, renderTable } from "./parts.ts";

/** Renders what can be done with the report. Buttons that need a script are hidden until it runs. */
export function renderTools(context: ReportContext): Html {
  const { report, language, page, common } = context;
  const { ip } = report;
  const image = reportPathOf(ip, language, ".png");
  return html`<div class="tools" data-copied="${page.copied}">
${renderCopy(ip, page.copyAddress)}${renderCopy(`${citationOf(context)} ${report.reportUrl}`, page.copyCitation)}<a href="${image}" download="limpid-${ip.replaceAll(":", "-")}.png">${page.saveImage}</a>
<a href="${image}?mask=1" download="limpid.png" title="${page.maskedNote(maskAddress(ip))}">${page.maskedImage}</a>
<details class="menu"><summary>${page.compareWith}</summary><form action="${pagePathOf("compare", language)}" method="get"><label class="unseen" for="others">${page.compareField}</label><input id="others" name="ips" type="text" value="${ip}, " maxlength="1000" autocomplete="off" autocapitalize="off" spellcheck="false" required><button type="submit">${common.compareSubmit}</button></form></details>
${!report.stale && html`<a class="js-refresh" href="${reportPathOf(ip, language)}?refresh=1" rel="nofollow">${common.refresh}</a>\n`}<span class="unseen" role="status"></span>
</div>`;
}

function renderCopy(text: string, label: string): Html {
  return html`<button type="button" data-copy="${text}" hidden>${label}</button>\n`;
}

/** Renders how to cite the report, the command that prints it, and links to its other formats. */
export function renderCitation(context: ReportContext): Html {
  const { report, language, page, common } = context;
  const { labels } = context.texts;
  const { ip, reportUrl } = report;
  const { isBogon } = report.flags;
  const link = webLinkOf(reportUrl);
  return renderRoomyCard(
    isBogon ? common.otherFormats : labels.cite,
    html`<div class="cite">${!isBogon && html`<p>${citationOf(context)}${language === "en" && " "}${link === undefined ? html`<bdi>${reportUrl}</bdi>` : html`<a href="${link}">${reportUrl}</a>`}</p>\n<pre tabindex="0" aria-label="${page.command}"><code>curl ${originOf(reportUrl)}${prefixOf(language)}/cli/${ip}</code></pre>\n`}<p class="formats">${!isBogon && html`<span>${common.otherFormats}</span> `}<a href="${reportPathOf(ip, language, ".json")}">${labels.asJson}</a> <a href="${reportPathOf(ip, language, ".txt")}">${labels.asText}</a> <a href="${reportPathOf(ip, language, ".md")}">${common.asMarkdown}</a></p>${!isBogon && renderFurther(ip, page.further)}</div>`,
  );
}

/** Renders links to what others publish about the address. */
function renderFurther(ip: string, title: string): Html {
  const address = encodeURIComponent(ip);
  return html`<p class="formats"><span>${title}</span>${FURTHER.map(({ name, url }) => html` <a href="${url}${address}" rel="nofollow noreferrer noopener">${name}</a>`)}</p>`;
}

/** What the citation says before the URL of the report. */
function citationOf(context: ReportContext): string {
  const { report, texts, common } = context;
  return common.citation({
    ip: report.ip,
    score: describeResult(context),
    confidence: texts.confidences[report.risk.confidence],
    moment: formatTime(report.queriedAt),
  });
}

/**
 * Renders the empty, hidden element in which `/static/own_profile.js` compares the browser with the visitor's own address.
 * `data-place` is JSON: where the address is, and when it was surveyed. Without script nothing shows.
 */
export function renderOwnProfile({ report: { geo, queriedAt }, page }: ReportContext): Html {
  // What html`` replaces in a text would end the JSON, so these names are sanitized first.
  const place = {
    surveyedAt: queriedAt,
    ...(geo?.country === undefined
      ? { timeZones: [], languages: [] }
      : { country: sanitize(geo.countryName ?? geo.country), ...describeCountry(geo.country) }),
    ...(geo?.timezone === undefined ? {} : { timeZone: sanitize(geo.timezone) }),
  };
  return html`<div id="own-profile" hidden data-place="${JSON.stringify(place)}" data-words="${JSON.stringify(page.profile)}"></div>\n`;
}

/** Renders the average ratings by visitors, or nothing when there are too few. */
export function renderRatings(context: ReportContext): Html | false {
  const { labels } = context.texts;
  const ratings = listRatings(context);
  if (ratings.length === 0) return false;
  const table = renderTable({
    caption: labels.feedback,
    heads: [labels.scenario, labels.average, labels.votes],
    figuresFrom: 1,
    rows: ratings.map(({ scenario, average, count }) => [scenario, average.toFixed(1), count]),
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
