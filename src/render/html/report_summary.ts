import { type ReportPageTexts, type ReportTexts, reportPageTextsOf, reportTextsOf } from "#locale";
import { CONFIDENCES, type Language, type Report, type ReportFacts, readFacts } from "#report";
import { renderDial } from "../dial.ts";
import { listHeadline } from "../headline.ts";
import { homePathOf } from "../paths.ts";
import { describeScore, formatTime } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderFlag, renderUsageIcon } from "./icons.ts";
import { bandOf, renderAddress } from "./parts.ts";
import { renderTools } from "./report_tools.ts";

/** Renders the top of the page: dial, address, place and network, the facts that carry the score, verdict, confidence. */
export function renderSummary(report: Report, language: Language): Html {
  const texts = reportTextsOf(language);
  const page = reportPageTextsOf(language);
  const { risk } = report;
  const facts = readFacts(report);
  return html`<section class="hero${!facts.isScored && " bogon"} band-${bandOf(report, facts)} sure-${risk.confidence}" aria-labelledby="address">
${facts.isScored ? html`<div class="gauge">${renderScore(report, facts, texts)}</div>` : GLOBE}
<div class="finding">
<h1 id="address" class="v${report.version}">${renderAddress(report.ip)}</h1>
${renderOrigin(report, texts, page)}
${renderHeadline(report, facts, texts, page)}
<p class="verdict">${risk.verdict}</p>
${renderSureness(report, texts, page)}
</div>
${renderTools(report, language)}
</section>`;
}

/** Renders the dial of a report. */
export function renderScore(report: Report, facts: ReportFacts, texts: ReportTexts): Html {
  const { purity, label } = report.risk;
  const { low, isThin } = facts;
  const score = `${texts.labels.purity} ${describeScore(report, facts, texts)}`;
  return renderDial({
    purity,
    low: Math.min(low, purity),
    warning: isThin ? texts.notEnough : "",
    band: label,
    label: low < purity ? texts.joinDetails([score, texts.usually(low)]) : score,
  });
}

/** Renders where the address is, what its network is, and who announces it. */
function renderOrigin(report: Report, texts: ReportTexts, page: ReportPageTexts): Html {
  const { geo, usageType, nativeType } = report;
  const { network } = readFacts(report);
  const place = [geo?.countryName ?? geo?.country, geo?.city].filter(
    (part) => part !== undefined && part !== "",
  );
  return html`<ul class="origin">${
    place.length > 0 &&
    html`<li class="place">${renderFlag(geo?.country)}<bdi>${texts.joinItems(place as string[])}</bdi></li>`
  }<li class="pill use-${usageType}">${renderUsageIcon(usageType)}${usageType === "unknown" ? texts.labels.usage : ""} ${page.usages[usageType]}</li><li class="pill native-${nativeType}">${page.natives[nativeType]}</li>${
    network !== "" && html`<li class="as"><bdi>${network}</bdi></li>`
  }</ul>`;
}

function renderHeadline(
  report: Report,
  facts: ReportFacts,
  texts: ReportTexts,
  page: ReportPageTexts,
): Html | false {
  const { isScored, isThin } = facts;
  const first = isScored ? (isThin ? texts.notEnough : undefined) : describeScore(report, facts, texts);
  const items = listHeadline(report, page);
  return (
    (first !== undefined || items.length > 0) &&
    html`<ul class="headline">${first !== undefined && html`<li class="fact-plain"><bdi>${first}</bdi></li>`}${items.map(({ text, tone }) => html`<li class="fact-${tone}"><bdi>${text}</bdi></li>`)}</ul>`
  );
}

/** Renders how much backs the score, and when it was made. */
function renderSureness(report: Report, texts: ReportTexts, page: ReportPageTexts): Html {
  const { labels } = texts;
  const { risk, queriedAt, stale } = report;
  const { low, percent, isScored } = readFacts(report);
  return html`<p class="sure">${renderConfidence(risk.confidence)} <span>${labels.confidence} <b>${texts.confidences[risk.confidence]}</b></span>${percent !== undefined && html` <span>${page.coverage(percent)}</span>`}${isScored && low < risk.purity && html` <span>${texts.usually(low)}</span>`}</p>
<p class="asked"><time datetime="${queriedAt}" data-local="${page.localTime}">${formatTime(queriedAt)}</time> <span>${texts.tiers[report.source]}</span>${stale && html` <strong class="stale">${labels.stale}</strong>`}</p>`;
}

/** Renders one to three of three dots. Screen readers skip them, because the word is next to them. */
function renderConfidence(confidence: Report["risk"]["confidence"]): Html {
  const filled = CONFIDENCES.indexOf(confidence);
  return html`<svg class="dots" viewBox="0 0 32 10" aria-hidden="true">${CONFIDENCES.map(
    (_, index) =>
      html`<circle class="${index <= filled ? "on" : "off"}" cx="${5 + index * 11}" cy="5" r="4"></circle>`,
  )}</svg>`;
}

/** Stands in place of a dial: the address has no score. */
const GLOBE = html`<svg class="globe" viewBox="0 0 120 120" aria-hidden="true"><circle cx="60" cy="60" r="46"></circle><path d="M14 60h92M60 14c-30 28-30 64 0 92M60 14c30 28 30 64 0 92"></path><path class="slash" d="M22 98L98 22"></path></svg>`;

/**
 * Renders the page of a special-purpose address: what it is for, and where to go from here. Such an address has no purity,
 * so there is no dial and no empty section.
 */
export function renderBogon(report: Report, language: Language): Html {
  const { flags } = reportTextsOf(language);
  const page = reportPageTextsOf(language);
  const { risk } = report;
  return html`<section class="hero bogon" aria-labelledby="address">
${GLOBE}
<div class="finding">
<h1 id="address" class="v${report.version}">${renderAddress(report.ip)}</h1>
<ul class="headline"><li>${page.bogonTitle}</li><li>${flags.isBogon}</li></ul>
<p class="verdict">${risk.verdict}</p>
<p>${page.bogonLead}</p>
<p class="next">${page.bogonNext} <a class="button" href="${homePathOf(language)}">${page.bogonLink}</a></p>
</div>
</section>`;
}
