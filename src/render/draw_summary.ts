import { type PageTexts, type PartialTexts, pageWordsOf, wordsOf } from "#locale";
import { CONFIDENCES, type Language, type Report } from "#report";
import { describeFlags } from "./describe_flags.ts";
import { drawAddress } from "./draw_address.ts";
import { drawGauge } from "./draw_gauge.ts";
import { formatMoment } from "./format_moment.ts";
import { type Html, html } from "./html.ts";
import { reportPathOf } from "./report_path_of.ts";

/** The answer at a glance: address, dial, band, confidence, verdict, flags, and what kind of network it is. */
export function drawSummary(report: Report, language: Language): Html {
  const texts = wordsOf(language);
  const words = texts.headings;
  const { risk } = report;
  return html`<section class="hero band-${risk.level} sure-${risk.confidence}" aria-labelledby="address">
<div class="gauge">${drawGauge(risk.purity, `${words.purity} ${risk.purity}/100, ${risk.label}`)}</div>
<div class="finding">
<h1 id="address" class="v${report.version}">${drawAddress(report.ip)} <small>IPv${report.version}</small></h1>
<p class="standing"><strong class="band">${risk.label}</strong> <span class="sure">${drawConfidence(risk.confidence)} ${words.confidence} <b>${texts.confidences[risk.confidence]}</b></span></p>
<p class="verdict">${risk.verdict}</p>
${drawFlags(report, texts)}
</div>
${drawFacts(report, texts, pageWordsOf(language), language)}
</section>`;
}

/** One to three of three dots, for the eye only: the word stands beside it. */
function drawConfidence(confidence: Report["risk"]["confidence"]): Html {
  const filled = CONFIDENCES.indexOf(confidence);
  return html`<svg class="dots" viewBox="0 0 32 10" aria-hidden="true">${CONFIDENCES.map(
    (_, index) =>
      html`<circle class="${index <= filled ? "on" : "off"}" cx="${5 + index * 11}" cy="5" r="4"></circle>`,
  )}</svg>`;
}

function drawFlags(report: Report, texts: PartialTexts): Html {
  const flags = describeFlags(report, texts);
  return flags.length === 0
    ? html`<p class="quiet">${texts.headings.flags} <b>${texts.headings.noFlags}</b></p>`
    : html`<ul class="chips" aria-label="${texts.headings.flags}">${flags.map((flag) => html`<li>${flag}</li>`)}</ul>`;
}

function drawFacts(report: Report, texts: PartialTexts, page: PageTexts, language: Language): Html {
  const words = texts.headings;
  const { geo, asn, sources } = report;
  const answered = sources.filter(({ ok }) => ok).length;
  const skipped = sources.filter((source) => source.skipped !== undefined).length;
  const place = keepSaid([geo?.countryName ?? geo?.country, geo?.city]);
  const network = keepSaid([asn?.asn === undefined ? undefined : `AS${asn.asn}`, asn?.name ?? asn?.org]);
  const drawFact = (label: string, value: string | Html) =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;
  return html`<dl class="facts">
${drawFact(words.usage, html`<b>${texts.usages[report.usageType]}</b>`)}${drawFact(words.native, html`<b>${texts.natives[report.nativeType]}</b>`)}${
  place.length > 0 && drawFact(words.place, html`<bdi>${texts.joinItems(place)}</bdi>`)
}${network.length > 0 && drawFact(words.network, html`<bdi>${network.join(" ")}</bdi>`)}${drawFact(
  words.sources,
  texts.sourceCount(answered, sources.length - answered - skipped, skipped),
)}<div class="whole"><dt>${words.surveyed}</dt><dd><time datetime="${report.queriedAt}">${formatMoment(report.queriedAt)}</time> <span class="quiet">${texts.tiers[report.source]}</span>${
    !report.flags.isBogon &&
    html` <a class="js-refresh" href="${reportPathOf(report.ip, language)}?refresh=1" rel="nofollow">${page.refresh}</a>`
  }${report.stale && html`<strong class="stale">${words.stale}</strong>`}</dd></div>
</dl>`;
}

function keepSaid(parts: readonly (string | undefined)[]): readonly string[] {
  return parts.filter((part): part is string => part !== undefined && part !== "");
}
