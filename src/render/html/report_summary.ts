import { type PageTexts, pageTextsOf, type ReportTexts, reportTextsOf } from "#locale";
import { CONFIDENCES, type Language, type Report } from "#report";
import { reportPathOf } from "../paths.ts";
import { describeFlags, describeNative, describeRange, formatTime } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderAddress } from "./parts.ts";

// The dial is three quarters of a circle, open below. Lengths are percentages of the whole circle.
const ARC = 75;

// Borders between the bands, in degrees from the start of the arc.
const BAND_BORDERS = [10, 30, 50, 70, 90].map((purity) => purity * 2.7);

const BORDER_MARKS = html`${BAND_BORDERS.map((degrees) => html`<path d="M4 60h12" transform="rotate(${degrees - 45} 60 60)"></path>`)}`;

/** Renders the top of the page: address, dial, band, confidence, verdict, flags, and the kind of network. */
export function renderSummary(report: Report, language: Language): Html {
  const texts = reportTextsOf(language);
  const { labels } = texts;
  const { risk } = report;
  return html`<section class="hero band-${risk.level} sure-${risk.confidence}" aria-labelledby="address">
<div class="gauge">${renderGauge(risk.purity, `${labels.purity} ${risk.purity}/100, ${risk.label}`)}</div>
<div class="finding">
<h1 id="address" class="v${report.version}">${renderAddress(report.ip)} <small>IPv${report.version}</small></h1>
<p class="standing"><strong class="band">${risk.label}</strong> <span class="sure">${renderConfidence(risk.confidence)} ${labels.confidence} <b>${texts.confidences[risk.confidence]}</b></span></p>
<p class="verdict">${risk.verdict}</p>
${renderFlags(report, texts)}
</div>
${renderFacts(report, texts, pageTextsOf(language), language)}
</section>`;
}

/** Renders a dial filled to `purity` percent, with the number inside. Screen readers read `label` instead. */
function renderGauge(purity: number, label: string): Html {
  const filled = Math.round(purity * ARC) / 100;
  return html`<svg viewBox="0 0 120 108" role="img" aria-label="${label}">
<circle class="track" cx="60" cy="60" r="50" pathLength="100" stroke-dasharray="${ARC} 100" transform="rotate(135 60 60)"></circle>
${purity > 0 && html`<circle class="value" cx="60" cy="60" r="50" pathLength="100" stroke-dasharray="${filled} 100" transform="rotate(135 60 60)"></circle>\n`}<g class="cuts">${BORDER_MARKS}</g>
<text x="60" y="${purity === 100 ? 68 : 70}" text-anchor="middle" font-size="${purity === 100 ? 32 : 38}" font-weight="700">${purity}</text>
<text class="of" x="60" y="90" text-anchor="middle" font-size="12">/ 100</text>
</svg>`;
}

/** Renders one to three of three dots. Screen readers skip them, because the word is next to them. */
function renderConfidence(confidence: Report["risk"]["confidence"]): Html {
  const filled = CONFIDENCES.indexOf(confidence);
  return html`<svg class="dots" viewBox="0 0 32 10" aria-hidden="true">${CONFIDENCES.map(
    (_, index) =>
      html`<circle class="${index <= filled ? "on" : "off"}" cx="${5 + index * 11}" cy="5" r="4"></circle>`,
  )}</svg>`;
}

function renderFlags(report: Report, texts: ReportTexts): Html {
  const flags = describeFlags(report, texts);
  return flags.length === 0
    ? html`<p class="quiet">${texts.labels.flags} <b>${texts.labels.noFlags}</b></p>`
    : html`<ul class="chips" aria-label="${texts.labels.flags}">${flags.map((flag) => html`<li>${flag}</li>`)}</ul>`;
}

function renderFacts(report: Report, texts: ReportTexts, page: PageTexts, language: Language): Html {
  const { labels } = texts;
  const { geo, asn, sources } = report;
  const answered = sources.filter(({ ok }) => ok).length;
  const skipped = sources.filter((source) => source.skipped !== undefined).length;
  const place = keepKnown([geo?.countryName ?? geo?.country, geo?.city]);
  const network = keepKnown([asn?.asn === undefined ? undefined : `AS${asn.asn}`, asn?.name ?? asn?.org]);
  const renderFact = (label: string, value: string | Html) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;
  const range = report.flags.isBogon ? undefined : describeRange(report, texts);
  return html`<dl class="facts">
${range !== undefined && renderFact(labels.range, html`<b>${range}</b>`)}${renderFact(labels.usage, html`<b>${texts.usages[report.usageType]}</b>`)}${renderFact(labels.native, html`<b>${describeNative(report, texts)}</b>`)}${
  place.length > 0 && renderFact(labels.place, html`<bdi>${texts.joinItems(place)}</bdi>`)
}${network.length > 0 && renderFact(labels.network, html`<bdi>${network.join(" ")}</bdi>`)}${renderFact(
  labels.sources,
  texts.sourceCount(answered, sources.length - answered - skipped, skipped),
)}<div class="whole"><dt>${labels.surveyed}</dt><dd><time datetime="${report.queriedAt}">${formatTime(report.queriedAt)}</time> <span class="quiet">${texts.tiers[report.source]}</span>${
    !report.flags.isBogon &&
    html` <a class="js-refresh" href="${reportPathOf(report.ip, language)}?refresh=1" rel="nofollow">${page.refresh}</a>`
  }${report.stale && html`<strong class="stale">${labels.stale}</strong>`}</dd></div>
</dl>`;
}

function keepKnown(parts: readonly (string | undefined)[]): readonly string[] {
  return parts.filter((part): part is string => part !== undefined && part !== "");
}
