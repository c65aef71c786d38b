import { methodWordsOf, type PartialTexts, wordsOf } from "#locale";
import { type Language, type Report, SCENARIOS } from "#report";
import { describeAttacks } from "./describe_attacks.ts";
import { describeFlags } from "./describe_flags.ts";
import { describeNetwork, type Field } from "./describe_network.ts";
import { describeVpn } from "./describe_vpn.ts";
import { drawBar } from "./draw_bar.ts";
import { drawGauge } from "./draw_gauge.ts";
import { formatMoment } from "./format_moment.ts";
import { type Html, html } from "./html.ts";
import { jsonScript } from "./json_script.ts";
import { listCredits } from "./list_credits.ts";
import { makeBill } from "./make_bill.ts";
import { methodPathOf } from "./render_method.ts";
import { sortBlocklists } from "./sort_blocklists.ts";

const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { zh: "zh-Hans", en: "en" };

/**
 * The whole report as one HTML document: complete without any script, nothing asked of third parties, no
 * inline style, the report's JSON in `script#service-report`. Styles are `/static/report.css`.
 * Links are built on the origin of `reportUrl`. The language is the report's own (`lang` absent = Chinese).
 */
export function renderPage(report: Report): string {
  const language: Language = report.lang ?? "zh";
  const texts = wordsOf(language);
  const words = texts.headings;
  const { risk } = report;
  const title = `${report.ip}: ${risk.purity}/100 ${risk.label} - ${words.title}`;
  const description = texts.description({
    ip: report.ip,
    purity: risk.purity,
    band: risk.label,
    confidence: texts.confidences[risk.confidence],
  });
  const other: Language = language === "zh" ? "en" : "zh";

  return html`<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
${report.flags.isBogon && html`<meta name="robots" content="noindex">\n`}<link rel="canonical" href="${linkOf(report, language)}">
<link rel="alternate" hreflang="zh-Hans" href="${linkOf(report, "zh")}">
<link rel="alternate" hreflang="en" href="${linkOf(report, "en")}">
<link rel="alternate" hreflang="x-default" href="${linkOf(report, "zh")}">
<link rel="alternate" type="application/json" href="${linkOf(report, language, ".json")}">
<link rel="alternate" type="text/plain" href="${linkOf(report, language, ".txt")}">
<link rel="stylesheet" href="/static/report.css">
</head>
<body>
<a class="skip" href="#report">${words.skipLink}</a>
<header class="top"><span class="brand">limpid</span><span class="tagline">${words.title}</span>
<nav><a href="${pathOf(report, language, ".txt")}">${words.asText}</a>
<a href="${pathOf(report, language, ".json")}">${words.asJson}</a>
<a href="${pathOf(report, other)}" hreflang="${LANGUAGE_TAGS[other]}" lang="${LANGUAGE_TAGS[other]}">${words.otherLanguage}</a></nav>
</header>
<main id="report">
${drawHero(report, texts)}
${report.scenarioNote !== undefined && html`<p class="note">${report.scenarioNote}</p>`}
${drawScenarios(report, texts)}
${drawBill(report, texts)}
<div class="pair">
${drawCard(words.location, drawFields(describeNetwork(report, texts, language)))}
${drawEvidence(report, texts)}
</div>
${drawBlocklists(report, texts)}
${drawFeedback(report, texts)}
${drawSources(report, texts)}
${drawUnknowns(report, texts)}
</main>
<footer>
<p>${words.disclaimer}</p>
<p>${words.cite} <a href="${webLink(report.reportUrl)}">${report.reportUrl}</a></p>
${listCredits(report, words.credit).map(({ text, url }) => html`<p><a href="${url}" rel="noreferrer">${text}</a></p>`)}
</footer>
${jsonScript("service-report", report)}
</body>
</html>
`.toString();
}

function drawHero(report: Report, texts: PartialTexts): Html {
  const words = texts.headings;
  const { risk } = report;
  const flags = describeFlags(report, texts);
  const moment = texts.bracket(formatMoment(report.queriedAt), texts.tiers[report.source]);
  return html`<section class="hero" aria-labelledby="address">
<div class="gauge band-${risk.level}">${drawGauge(risk.purity, `${words.purity} ${risk.purity}/100, ${risk.label}`)}
<p class="band">${risk.label}</p></div>
<div class="finding">
<h1 id="address"><bdi>${report.ip}</bdi> <small>IPv${report.version}</small></h1>
<p class="verdict">${risk.verdict}</p>
<ul class="chips">
<li>${words.usage} <b>${texts.usages[report.usageType]}</b></li>
<li>${words.native} <b>${texts.natives[report.nativeType]}</b></li>
<li>${words.confidence} <b>${texts.confidences[risk.confidence]}</b></li>
</ul>
${
  flags.length === 0
    ? html`<ul class="chips"><li>${words.flags} <b>${words.noFlags}</b></li></ul>`
    : html`<ul class="chips flags" aria-label="${words.flags}">${flags.map((flag) => html`<li>${flag}</li>`)}</ul>`
}
<p class="quiet">${words.surveyed} <time datetime="${report.queriedAt}">${moment}</time>
${report.stale && html`<strong class="stale">${words.stale}</strong>`}</p>
</div>
</section>`;
}

function drawScenarios(report: Report, texts: PartialTexts): Html {
  const words = texts.headings;
  return drawCard(
    words.scenarios,
    html`<table class="stack"><caption class="unseen">${words.scenarios}</caption>
<thead><tr><th scope="col">${words.scenario}</th><th scope="col">${words.level}</th><th scope="col" class="figure">${words.score}</th><th scope="col">${words.reason}</th></tr></thead>
<tbody>${report.scenarios.map(
      (scenario) => html`
<tr><th scope="row">${scenario.label}</th><td><span class="level level-${scenario.level}">${scenario.levelLabel}</span></td>
<td class="figure">${scenario.score === null ? html`<span class="quiet">--</span>` : html`${scenario.score}${drawBar(scenario.score, scenario.level)}`}</td><td class="words">${scenario.reason}</td></tr>`,
    )}</tbody></table>`,
  );
}

function drawBill(report: Report, texts: PartialTexts): Html {
  const language: Language = report.lang ?? "zh";
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

function drawEvidence(report: Report, texts: PartialTexts): Html {
  const words = texts.headings;
  const { exposure, sharing, vpnOperator: vpn } = report;
  const devices: readonly Field[] = [
    ...(sharing?.address === undefined ? [] : [[words.devicesAddress, String(sharing.address)] as const]),
    ...(sharing?.subnet === undefined ? [] : [[words.devicesSubnet, String(sharing.subnet)] as const]),
  ];
  const vpnUrl = vpn?.url;
  return html`<section class="card">
${
  vpn !== null &&
  html`<h2>${words.vpn}</h2>
${drawFields(describeVpn(vpn, texts))}
${vpnUrl !== undefined && html`<p class="words">${isWebLink(vpnUrl) ? html`<a href="${webLink(vpnUrl)}" rel="nofollow noreferrer"><bdi>${vpnUrl}</bdi></a>` : html`<bdi>${vpnUrl}</bdi>`}</p>`}`
}
<h2>${words.abuse}</h2>
${report.abuse.length === 0 ? html`<p class="quiet">${words.noAbuse}</p>` : drawAbuse(report, texts)}
<h2>${words.exposure}</h2>
${
  exposure === null
    ? html`<p class="quiet">${words.noExposure}</p>`
    : !exposure.observed
      ? html`<p class="quiet">${words.notObserved}</p>`
      : drawFields([
          [words.ports, exposure.ports.join(", ") || words.none],
          [words.vulns, exposure.vulns.join(", ") || words.none],
        ])
}
<h2>${words.sharing}</h2>
${devices.length === 0 ? html`<p class="quiet">${words.noSharing}</p>` : drawFields(devices)}
</section>`;
}

function drawAbuse(report: Report, texts: PartialTexts): Html {
  const words = texts.headings;
  return html`<table><caption class="unseen">${words.abuse}</caption>
<thead><tr><th scope="col">${words.source}</th><th scope="col" class="figure">${words.abuseScore}</th><th scope="col" class="figure">${words.reports}</th><th scope="col" class="figure">${words.attacks}</th></tr></thead>
<tbody>${report.abuse.map(
    (abuse) => html`
<tr><th scope="row"><bdi>${abuse.source}</bdi>${drawAttacks(abuse, texts)}</th><td class="figure">${abuse.score ?? "--"}</td><td class="figure">${abuse.reports ?? "--"}</td><td class="figure">${abuse.attacks?.total ?? "--"}</td></tr>`,
  )}</tbody></table>`;
}

function drawAttacks(abuse: Report["abuse"][number], texts: PartialTexts): Html | false {
  const attacks = describeAttacks(abuse, texts);
  return attacks.length > 0 && html`<p class="words">${texts.joinDetails(attacks)}</p>`;
}

function drawBlocklists(report: Report, texts: PartialTexts): Html {
  const words = texts.headings;
  if (report.blocklists.length === 0)
    return drawCard(words.blocklists, html`<p class="quiet">${words.noLists}</p>`);
  const sorted = sortBlocklists(report);
  const states = ["listed", "benign", "unavailable", "notListed"] as const;
  const [listed, benign, unavailable, clear] = states.map((state) => sorted[state].length);
  return drawCard(
    words.blocklists,
    html`<p>${texts.listCount(listed ?? 0, benign ?? 0, unavailable ?? 0, clear ?? 0)}${texts.stop}</p>
${benign !== 0 && html`<p class="quiet">${words.benignNote}</p>`}
${unavailable !== 0 && html`<p class="quiet">${words.unavailableNote}</p>`}
<table class="lists"><caption class="unseen">${words.blocklists}</caption>
<thead class="unseen"><tr><th scope="col">${words.state}</th><th scope="col">${words.list}</th></tr></thead>
<tbody>${states.map((state) =>
      sorted[state].map(
        ({ label, zone }) => html`
<tr><td><span class="state state-${state}">${words[state]}</span></td><th scope="row"><bdi>${label}</bdi> <span class="quiet">${zone}</span></th></tr>`,
      ),
    )}</tbody></table>`,
  );
}

function drawFeedback(report: Report, texts: PartialTexts): Html | undefined {
  const { feedback } = report;
  if (feedback === undefined) return undefined;
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

function drawSources(report: Report, texts: PartialTexts): Html {
  const words = texts.headings;
  const answered = report.sources.filter(({ ok }) => ok).length;
  const skipped = report.sources.filter((source) => source.skipped !== undefined).length;
  return drawCard(
    words.sources,
    html`<p>${texts.sourceCount(answered, report.sources.length - answered - skipped, skipped)}${texts.stop}</p>
${answered < report.sources.length && html`<p class="quiet">${words.sourcesNote}</p>`}
<table class="sources"><caption class="unseen">${words.sources}</caption>
<thead><tr><th scope="col">${words.source}</th><th scope="col">${words.state}</th><th scope="col" class="figure">${words.time}</th></tr></thead>
<tbody>${report.sources.map((source) => {
      const state = source.ok ? "answered" : source.skipped === undefined ? "failed" : "skipped";
      return html`
<tr><th scope="row"><bdi>${source.name}</bdi> <span class="tag">${texts.kinds[source.kind]}</span></th>
<td><span class="state state-${state}">${words[state]}</span> <span class="quiet">${source.error ?? source.skipped ?? source.detail}</span></td>
<td class="figure">${state === "skipped" ? "" : `${source.ms} ms`}</td></tr>`;
    })}</tbody></table>`,
  );
}

function drawUnknowns(report: Report, texts: PartialTexts): Html {
  return drawCard(
    texts.headings.unknowns,
    html`<dl class="unknowns">${report.unknowns.map(
      ({ label, detail }) => html`<div><dt>${label}</dt><dd>${detail}</dd></div>`,
    )}</dl>`,
  );
}

function drawCard(title: string, body: Html): Html {
  return html`<section class="card"><h2>${title}</h2>
${body}
</section>`;
}

function drawFields(rows: readonly Field[]): Html {
  return html`<dl class="fields">${rows.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`,
  )}</dl>`;
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

function pathOf(report: Report, language: Language, suffix = ""): string {
  // encodeURIComponent would also write an IPv6 colon as %3A, which a path need not (RFC 3986, 3.3).
  return `${language === "en" ? "/en" : ""}/ip/${encodeURIComponent(report.ip).replaceAll("%3A", ":")}${suffix}`;
}

function linkOf(report: Report, language: Language, suffix = ""): string {
  const origin = isWebLink(report.reportUrl) ? new URL(report.reportUrl).origin : "";
  return origin + pathOf(report, language, suffix);
}

function isWebLink(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** The text as a link that can only lead to the web, never to a script; `#` when it is none. */
function webLink(text: string): string {
  return isWebLink(text) ? new URL(text).href : "#";
}
