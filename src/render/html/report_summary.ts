import { capitalize } from "#locale";
import { CONFIDENCES, isAdjustment, type Report } from "#report";
import { renderDial } from "../dial.ts";
import { homePathOf, reportPathOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";
import {
  describeLowEnd,
  describeNoExit,
  describeResult,
  describeScore,
  explainNative,
  findResale,
  formatTime,
  isAged,
  joinAbuse,
  nameFactor,
} from "../report_fields.ts";
import { countSources, listTurnedOff } from "../source_groups.ts";
import { type Html, html } from "./html.ts";
import { bandOf, renderAddress, renderFlag, renderUsageIcon } from "./parts.ts";

/** One short fact, and whether it costs many points, some or hardly any, speaks for the address, or none of these. */
type HeadlineFact = readonly [text: string, tone: (typeof TONES)[number]];

/** The tones of the headline in the order of its rows. */
const TONES = ["cost", "minor", "good", "slight", "plain"] as const;

/** From these points on a fact is a cost, below it is a minor one. */
const COST_FROM = 15;
/** Below these points it is slight. */
const MINOR_FROM = 5;
/** The summary says these in its own words, or beside the place. */
const UNTOLD = ["bogon", "not_obtained", "hosting", "broadcast", "usage_unknown"];
const MAX_FACTS = 5;
/** Facts in favour of the address fill the headline up to this number. */
const FILLED_FACTS = 4;

/** Renders the top of the page: dial, address, place and network, the facts that carry the score, verdict, confidence. */
export function renderSummary(context: ReportContext, tools: Html | false): Html {
  const { report, facts, language, texts, page, common } = context;
  const { risk } = report;
  // That the survey is old, with a link that makes a new one. The script adds the age.
  const day = page.old(report.queriedAt.slice(0, 10));
  const old = html`<p class="note old"><strong data-aged="${texts.withDetail(day, "{age}")}">${day}</strong> <span>${page.oldNote}</span> <a class="button js-refresh" href="${reportPathOf(report.ip, language)}?refresh=1" rel="nofollow">${common.refresh}</a></p>
`;
  return html`${report.stale && old}<section class="hero${!facts.isScored && " bogon"} band-${bandOf(context)} sure-${risk.confidence}" aria-labelledby="address">
${facts.isScored ? html`${renderGauge(context)}${renderStripes(context)}` : GLOBE}
<div class="finding">
<h1 id="address" class="v${report.version}">${renderAddress(report.ip)}</h1>
${renderOrigin(context)}
${renderHeadline(context)}
<p class="verdict">${risk.verdict}</p>
${renderSureness(context, tools === false)}</div>
${tools}
</section>`;
}

/** Renders the dial of a report. */
export function renderGauge(context: ReportContext): Html {
  const { report, facts, texts } = context;
  const { purity, label } = report.risk;
  const dial = renderDial({
    purity,
    low: Math.min(facts.low, purity),
    band: label,
    name: texts.labels.purity,
    warning: facts.isThin ? texts.notEnough : undefined,
    label: `${texts.labels.purity} ${describeResult(context)}`,
  });
  return html`<div class="gauge">${dial}</div>`;
}

/** Renders what the stripes of the dial mean. */
export function renderStripes(context: ReportContext): Html | false {
  const { facts, page } = context;
  return (
    facts.hasLow &&
    html`<p class="stripes words"><strong>${capitalize(describeLowEnd(context))}</strong> ${page.stripes(facts.low)}</p>\n`
  );
}

/** Renders where the address is, what its network is, and who announces it, with the meaning of its native type. */
export function renderOrigin(context: ReportContext): Html {
  const { report, facts, texts, page } = context;
  const meaning = explainNative(context);
  const { network, isScored } = facts;
  const { geo, usageType, nativeType, risk } = report;
  const isCost = (id: string) =>
    isScored && risk.factors.some((factor) => factor.id === id && factor.points > 0);
  const place = [geo?.countryName, geo?.city].filter((part) => part !== undefined && part !== "");
  return html`<ul class="origin">${
    place.length > 0 &&
    html`<li class="place">${renderFlag(geo?.country)}<span class="dotted">${place.map((part) => html`<bdi>${part}</bdi> `)}</span></li>`
  }<li class="pill use-${usageType}${isCost("hosting") && " fact-minor"}">${renderUsageIcon(usageType)}${usageType === "unknown" ? texts.labels.usage : ""} ${page.usages[usageType]}</li>${facts.isNativeTold && html`<li class="pill native-${nativeType}${isCost("broadcast") && " fact-minor"}">${page.natives[nativeType]}</li>`}${facts.isNativeTold && meaning !== undefined && html`<li class="meaning">${meaning}</li>`}${
    network !== "" && html`<li class="as"><bdi>${network}</bdi></li>`
  }</ul>`;
}

/** Renders the facts in one row for each tone. What they depend on stands before the first. */
function renderHeadline(context: ReportContext): Html {
  const { isScored, isThin } = context.facts;
  const first = isScored ? (isThin ? context.texts.notEnough : "") : describeScore(context);
  const facts = listHeadline(context);
  const rows = TONES.map((tone) => facts.filter((fact) => fact[1] === tone));
  const [top = [], ...others] = rows.filter((row) => row.length > 0);
  const lead = first === "" ? [] : [[first, "plain"] as const];
  return html`${[[...lead, ...top], ...others].map(
    (row) =>
      row.length > 0 &&
      html`<ul class="headline dotted">${row.map((fact) => html`<li class="fact-${fact[1]}${fact[0].endsWith("\uff09") && " closes"}">${context.report.stale && fact === facts[0] && html`<small>${context.page.headline.then}</small>`}<bdi>${fact[0]}</bdi></li>`)}</ul>\n`,
  )}`;
}

/** Renders how much backs the score, and when it was made. An invented report was not saved. */
function renderSureness(context: ReportContext, isInvented: boolean): Html {
  const { report, facts, texts, page, plain } = context;
  const { labels } = texts;
  const { risk, queriedAt } = report;
  const { percent } = facts;
  const { failed } = countSources(context);
  const off = listTurnedOff(context).length;
  // The script writes the age in place of the tier, counted from when the page is read.
  return html`<p class="sure dotted"><span>${renderConfidence(risk.confidence)} ${labels.confidence} <b>${texts.confidences[risk.confidence]}</b>${isAged(report) && texts.withDetail("", page.aged)}</span>${percent !== undefined && html` <span>${page.coverageOfUsable(percent)}</span>`}${failed > 0 && html` <a href="#sources">${plain.say("failed", failed)}</a>`}${off > 0 && html` <span>${page.off(off)}</span>`}</p>
<p class="asked dotted"><time datetime="${queriedAt}" data-local="${page.localTime}" data-now="${page.justNow}">${formatTime(queriedAt)}</time>${!isInvented && html` <span data-aged="${page.surveyedAgo}">${texts.tiers[report.source]}</span>`}</p>`;
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
export function renderBogon({ report, language, page, common }: ReportContext): Html {
  const { risk } = report;
  return html`<section class="hero bogon" aria-labelledby="address">
${GLOBE}
<div class="finding">
<h1 id="address" class="v${report.version}">${renderAddress(report.ip)}</h1>
<ul class="headline"><li>${page.bogonTitle}</li></ul>
<p class="verdict">${risk.verdict}</p>
<p>${page.bogonLead}</p>
<p class="next">${page.bogonNext} <a class="button" href="${homePathOf(language)}">${common.ownAddress}</a></p>
</div>
</section>`;
}

/** Lists the facts that carry the score, strongest first, then facts in favour of the address where there is room. */
function listHeadline(context: ReportContext): readonly HeadlineFact[] {
  const costs = joinAbuse(context.report.risk.factors)
    .filter((factor) => factor.points > 0 && !UNTOLD.includes(factor.id) && !isAdjustment(factor))
    .toSorted((a, b) => b.points - a.points)
    .map((factor): HeadlineFact => {
      const isMajor = factor.points >= COST_FROM || factor.floor !== undefined;
      return [
        nameFactor(factor, context),
        isMajor ? "cost" : factor.points < MINOR_FROM ? "slight" : "minor",
      ];
    });
  // Without a score the facts carry none.
  if (!context.facts.isScored) return costs.slice(0, FILLED_FACTS).map(([text]) => [text, "plain"]);
  const isAccused = costs.some(([, tone]) => tone !== "slight");
  const good = listMerits(context, isAccused);
  return [...costs.slice(0, MAX_FACTS), ...good.slice(0, Math.max(FILLED_FACTS - costs.length, 0))];
}

/**
 * Lists what sources that answered say in favour of the address, and the policy lists that name it; what is not fully known
 * comes last. What nobody answered does not count, and nothing is good with sources that failed, in an old report, or
 * beside a fact that costs points.
 */
function listMerits(context: ReportContext, isAccused: boolean): readonly HeadlineFact[] {
  const { report, facts, page } = context;
  const { lists } = facts;
  const { notListed, policy, partlyListed, unknownLists } = page.headline;
  const tone = isAccused || report.stale || countSources(context).failed > 0 ? "slight" : "good";
  const unknown = lists.unavailable.length;
  const isUnlisted = lists.notListed.length > 0 && lists.listed.length + lists.exit.length === 0;
  const { flags, sources } = report;
  const resale = findResale(report);
  const isExit = flags.isProxy || flags.isVpn || flags.isTor || flags.isRelay;
  const isDenied = sources.some(({ answer }) => answer?.flags?.isVpn === false);
  const unlisted = lists.notListed.length;
  const merits: readonly (HeadlineFact | false)[] = [
    isUnlisted && unknown === 0 && [notListed(unlisted), tone],
    !isExit && isDenied && !facts.isExitUnknown && [describeNoExit(context), tone],
    resale !== undefined && [resale.label, "slight"],
    lists.benign.length > 0 && [policy(lists.benign.length), "slight"],
    unknown > 0 && [isUnlisted ? partlyListed(unlisted, unknown) : unknownLists(unknown), "slight"],
  ];
  return merits.filter((merit) => merit !== false);
}
