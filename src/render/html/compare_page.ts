import { lowerFirst, pageTextsOf, reportTextsOf, siteTextsOf } from "#locale";
import { findUseLow, type Language, POLICY_FLAGS, type Problem, type Report, SCENARIOS } from "#report";
import { comparePathOf, networkPathOf, pagePathOf, reportPathOf, webLinkOf } from "../paths.ts";
import { FAIR_FROM, type Metric, type Ranking, rankReports } from "../ranking.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import {
  creditPlaces,
  DOT,
  describeLowEnd,
  describeNoExit,
  describeScore,
  findResale,
  isPartlyChecked,
  MINUS,
} from "../report_fields.ts";
import { renderDocument } from "./document.ts";
import { type Html, html } from "./html.ts";
import {
  bandOf,
  listTrust,
  NONE,
  renderAddress,
  renderCard,
  renderCompareForm,
  renderCredits,
} from "./parts.ts";

/** What the page compares. */
export interface ComparePageParts {
  /** At most twenty reports, in the order of the request. */
  readonly reports: readonly Report[];
  /** What the visitor wrote: addresses, what is mistyped, and what is ignored. */
  readonly asked: readonly string[];
  /** The parts of it that are a network or an AS. */
  readonly networks?: readonly string[];
  /** The parts of it that are none of these. */
  readonly ignored?: readonly string[];
  /** What the visitor typed, if it is not a list of addresses. The only problem is about the whole of it. */
  readonly typed?: string;
  readonly language: Language;
  /** The addresses without a report, and why. */
  readonly problems: readonly { readonly asked: string; readonly problem: Problem }[];
  /** Public origin without a trailing slash. With it, the page without addresses has metadata for search engines. */
  readonly origin?: string;
}

/** Most deductions shown for each address. */
const MAX_DEDUCTIONS = 3;

/** A sentence names so many addresses; of more it counts the others. */
const MAX_NAMED = 5;

/**
 * Renders reports as a table with one row for each address, the best of each column marked, and the addresses without a
 * report. On a narrow screen each row is a card. Comparisons are not indexed.
 */
export function renderComparePage(parts: ComparePageParts): string {
  const { reports, asked, networks = [], ignored = [], typed, language, problems, origin } = parts;
  const page = pageTextsOf(language);
  const mistyped = problems.filter(({ problem }) => problem.code === "invalid_ip");
  const missing = problems.filter((one) => !mistyped.includes(one));
  const hasRemarks = typed === undefined && mistyped.length + networks.length + ignored.length > 0;
  const remarks =
    hasRemarks &&
    html`${mistyped.length > 0 && html`<dl class="mistyped"><dt>${page.notAddresses}</dt>${mistyped.map(({ asked: text }) => html`<dd><bdi>${text}</bdi> ${page.mistake(text)}</dd>`)}</dl>\n`}${networks.map((network) => html`<p class="ignored">${page.say("networkPart", { network })} <a class="whole" href="${networkPathOf(network, language)}">${page.networkLink}<span class="unseen"> (${network})</span></a></p>\n`)}${ignored.length > 0 && html`<p class="ignored"><strong>${page.ignored}</strong>${ignored.map((text) => html` <bdi>${text}</bdi>`)}</p>\n`}`;
  return renderDocument({
    language,
    title: `${page.compareTitle} - limpid`,
    description: page.compareDescription,
    ...(origin !== undefined ? { published: { origin } } : {}),
    head: html`<link rel="stylesheet" href="/static/compare.css">\n`,
    ...(reports.length > 0 ? { footer: renderCredits([creditPlaces(reportTextsOf(language))]) } : {}),
    path: { zh: comparePathOf(asked, "zh"), en: comparePathOf(asked, "en") },
    body: html`<section class="card"><h1>${page.compareTitle}</h1>${typed !== undefined && problems.map(({ problem }) => html`\n<p class="note">${problem.code === "invalid_ip" ? html`<strong>${page.noAddress}</strong>` : html`<strong>${reportTextsOf(language).joinSentences([problem.error, problem.hint ?? ""])}</strong>`}</p>`)}${typed === undefined && reports.length + problems.length < 2 && html`\n<p>${page.compareEmpty}</p>`}
${renderCompareForm(language, typed ?? asked.join("\n"), remarks)}
</section>
${reports.length > 0 && renderComparison(reports, language)}
${typed === undefined && missing.length > 0 && renderCard(page.notAvailable, renderProblems(missing, language))}`,
  });
}

function renderComparison(reports: readonly Report[], language: Language): Html {
  const page = pageTextsOf(language);
  const texts = reportTextsOf(language);
  const site = siteTextsOf(language);
  const ranking = rankReports(reports);
  const contexts = ranking.ordered.map(contextOf);
  const order = ranking.count < reports.length ? site.orderNoteRest : site.orderNote;
  const isAny = (state: "unavailable" | "benign") =>
    contexts.some(({ facts }) => facts.lists[state].length > 0);
  return html`<section class="card">${reports.length > 1 && html`${renderWinner(ranking, language)}\n<p class="quiet">${texts.joinSentences([order, ...(ranking.hasBest ? [site.bestNote] : [])])}</p>`}
<table class="versus"><caption class="unseen">${texts.joinSentences([page.compareCaption, order])}</caption>
<thead><tr><th scope="col">${page.candidate}</th><th scope="col">${texts.labels.purity}</th><th scope="col">${site.typeColumn}</th><th scope="col">${site.listsColumn} <small>${site.listsRatio}</small></th>${SCENARIOS.map(
    (id) => html`<th scope="col">${site.uses[id]}</th>`,
  )}<th scope="col" class="unseen">${site.reasonsColumn}</th></tr></thead>
<tbody>${contexts.map((context) => renderRow(context, ranking))}</tbody></table>
<ul class="quiet notes">${[
    ...(ranking.hasBest ? [site.noBestNote] : []),
    ...(isAny("unavailable") ? [texts.labels.unavailableNote] : []),
    ...(isAny("benign") ? [site.policyNote] : []),
    ...(contexts.some((context) => listCosts(context).shown.some(({ isLone }) => isLone))
      ? [site.loneNote]
      : []),
    ...(contexts.some(
      ({ facts, report }) => facts.hasLow || report.scenarios.some((use) => findUseLow(use) !== undefined),
    )
      ? [site.lowNote]
      : []),
    site.bookmark,
  ].map((note) => html`<li>${note}</li>`)}</ul>
</section>`;
}

/** Says which addresses have the highest purity, of how many, for what another is better, and for what none is good. */
function renderWinner(ranking: Ranking, language: Language): Html {
  const { highest, winners, decidedBy, ordered, count, bestUses, poorUses, worseUses } = ranking;
  const site = siteTextsOf(language);
  const [first] = winners;
  if (first === undefined) {
    const isThin = new Set(ordered.map((report) => contextOf(report).facts.isThin));
    const cause = isThin.size > 1 ? "noWinner" : isThin.has(true) ? "noWinner.thin" : "noWinner.unscored";
    return html`<p class="winner none">${site[cause]}</p>`;
  }
  const { facts, texts } = contextOf(first);
  // British English has no comma before "and".
  const join = (names: readonly string[]) =>
    language === "en" ? new Intl.ListFormat("en-GB").format(names) : texts.joinItems(names);
  const nameUses = (uses: Ranking["poorUses"]) =>
    join(uses.map(({ id, score }) => site.say("useScore", { use: site.usesInText[id], score })));
  const nameReports = (reports: readonly Report[], nameOne = ({ ip }: Report) => ip) => {
    const named = reports.slice(0, MAX_NAMED).map((report) => nameOne(report));
    const others = reports.length - named.length;
    return join(others > 0 ? [...named, site.say("otherAddresses", { count: others })] : named);
  };
  const nameUnsure = (report: Report) =>
    contextOf(report).facts.hasLow ? texts.withDetail(report.ip, site.mayBeLower) : report.ip;
  const values = {
    among: site.say(count === ordered.length ? "amongAll" : "amongRanked", { count }),
    addresses: nameReports(highest),
    purity: first.risk.purity,
    uses: bestUses.length,
    winners: nameReports(winners),
    percent: facts.percent ?? 0,
  };
  const best =
    bestUses.length === SCENARIOS.length ? "winnerAll" : bestUses.length > 0 ? "winnerBest" : "winner";
  const sole = count === 1 ? "winnerAlone" : best;
  const sentences = [
    site.say(highest.length > 1 ? "tie" : sole, values),
    ...(highest.length > 1 ? [site.say(`first.${decidedBy ?? "none"}`, values)] : []),
    // Several winners are equal in the sum of the use cases only.
    ...(winners.length > 1 ? [] : worseUses).map((uses) =>
      site.say("betterUse", {
        uses: nameUses(uses),
        addresses: nameReports(uses[0]?.best ?? [], nameUnsure),
      }),
    ),
    ...(poorUses.length > 0 ? [site.say("poorUses", { uses: nameUses(poorUses) })] : []),
  ];
  return html`<p class="winner${values.purity < FAIR_FROM && " none"}"><strong>${breakAddresses(texts.joinSentences(sentences))}</strong></p>`;
}

/** Lets an IPv6 address break after the colons. */
function breakAddresses(text: string): readonly Html[] {
  return text.split(/(?<=[\da-f:]:)(?=[\da-f])/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`);
}

function renderRow(context: ReportContext, ranking: Ranking): Html {
  const { report, facts, language, texts, page, plain, card } = context;
  const site = siteTextsOf(language);
  const { ip, stale } = report;
  const isWinner = ranking.winners.includes(report) && report.risk.purity >= FAIR_FROM;
  const renderBest = (metric: Metric) =>
    ranking.isBest(report, metric) &&
    html` <span class="star" aria-hidden="true">★</span><span class="unseen"> ${site.best}</span>`;
  const { listed, unavailable, benign } = facts.lists;
  const place = [report.geo?.countryName, facts.network].filter((part) => part !== undefined && part !== "");
  const { kinds, flags } = listKinds(context);
  const isExit = report.flags.isProxy || report.flags.isVpn || report.flags.isTor;
  const unsure = [
    ...(isExit || !isPartlyChecked(report)
      ? []
      : [lowerFirst(facts.isExitUnknown ? texts.labels.flagsUnknown : describeNoExit(context))]),
    ...(findResale(report) === undefined ? [] : [texts.labels.resaleUnknown]),
  ];
  const [first = html`<span class="quiet">${NONE}</span>`, ...others] = kinds;
  return html`
<tr${isWinner && html` class="won"`}${facts.isThin && html` class="thin"`}><th scope="row"><a class="v${report.version}" href="${reportPathOf(ip, language)}"><bdi class="whole">${breakAddresses(ip)}</bdi></a><span class="where">${place.map((part) => html`<span>${part}</span> `)}</span></th>
<td class="score band-${bandOf(context)}">${renderTotal(context, renderBest("purity"))}${stale && html` <small class="firm">${card.stale}</small>`}</td>
<td class="kind"><span class="name">${site.typeColumn}</span>${first}${others.length > 0 && html`<small>${texts.joinItems(others)}</small>`}${flags.length > 0 && html`<small class="firm">${texts.joinItems(flags)}</small>`}</td>
<td class="lists"><span class="name">${site.listsColumn}</span>${
    facts.listsAnswered === 0
      ? html`<span class="quiet">${NONE}</span>`
      : html`<b class="figure${listed.length > 0 && " accused"}">${listed.length} / ${facts.listsAnswered}</b><small class="name">${site.listsRatio}</small>`
  }${unavailable.length > 0 && html`<small>${site.unknownLists(unavailable.length)}</small>`}${benign.length > 0 && html`<small>${page.headline.policy(benign.length)}</small>`}${facts.isThin && html`<span class="name caution" aria-hidden="true">${texts.notEnough}</span>`}</td>${
    report.scenarioApplicable
      ? SCENARIOS.map((id) => renderUse(context, id, renderBest(id)))
      : html`<td class="use none" colspan="${SCENARIOS.length}"><small>${report.scenarioNote ?? texts.otherNote}</small></td>`
  }
<td class="grounds">${!report.flags.isBogon && html`<small>${plain.field(texts.labels.surveyed, `${report.queriedAt.slice(0, 16).replace("T", " ")} UTC`)}</small> `}${facts.isScored && html`<small>${[...listTrust(context), ...unsure].join(DOT)}</small> `}${renderDeductions(context)}</td></tr>`;
}

/** Renders the purity, its band and its low end, before them that too little is known; the role of an address without a score. */
function renderTotal(context: ReportContext, star: Html | false): Html {
  const { report, facts, language, texts } = context;
  if (!facts.isScored) return html`<small>${describeScore(context)}</small>`;
  const { purity, label } = report.risk;
  return html`${facts.isThin && html`<small>${texts.notEnough}</small> `}<span class="total">${purity}</span>${star} <strong class="band">${label}</strong>${facts.hasLow && html` <small class="firm"><a href="${pagePathOf("method", language)}#range">${describeLowEnd(context)}</a></small>`}`;
}

function renderUse(context: ReportContext, id: (typeof SCENARIOS)[number], star: Html | false): Html {
  const { report, facts, texts, language, page } = context;
  const scenario = report.scenarios.find((it) => it.id === id);
  const name = html`<span class="name">${siteTextsOf(language).uses[id]}</span>`;
  if (scenario === undefined) return html`\n<td class="use">${name}${NONE}</td>`;
  const { level, levelLabel, score } = scenario;
  const low = findUseLow(scenario);
  return html`\n<td class="use level-${level}">${name}${facts.isThin && html`<small class="unseen">${texts.notEnough}</small>`}${score !== null && html`<b class="figure">${score}</b>`}${star}<small class="level level-${level}">${levelLabel}</small>${low !== undefined && html`<small>${page.useLow(low)}</small>`}</td>`;
}

/** Short words for the use of the network with its native type, and for the flags. */
function listKinds({ report, facts, texts, card }: ReportContext) {
  const { usageType, nativeType } = report;
  // The use of the network names these two flags already.
  const named = { hosting: "isHosting", mobile: "isMobile" }[usageType as string];
  // The row of a special-purpose address says so already.
  const flags = facts.flags
    .filter(({ flag }) => flag !== named && flag !== "isBogon")
    .map(({ flag }) => texts.flags[flag]);
  return { kinds: [card.usages[usageType], card.natives[nativeType]].filter((word) => word !== ""), flags };
}

/** The largest deductions in the order of the report, and how many there are besides. */
function listCosts({ report, facts }: ReportContext) {
  const costs = facts.deductions.filter(({ points }) => facts.isScored && points > 0);
  const shown = costs.slice(0, MAX_DEDUCTIONS).map((cost) => {
    const flag = POLICY_FLAGS[cost.id.replace("_exit", "") as keyof typeof POLICY_FLAGS];
    // A flag that one provider reports costs half, so the same deduction differs between addresses.
    return { ...cost, isLone: report.flagAgreement[flag] === 1 };
  });
  return { shown, more: costs.length - shown.length };
}

function renderDeductions(context: ReportContext): Html | false {
  const { language, texts } = context;
  const { shown, more } = listCosts(context);
  return (
    shown.length > 0 &&
    html`<span class="minus"><b>${siteTextsOf(language).pointsLabel}</b> ${shown.map(({ label, points, isLone }) => html`<span>${isLone ? texts.withDetail(label, texts.agreement(1)) : label} ${MINUS}${points}</span> `)}${more > 0 && html`<span>${siteTextsOf(language).moreDeductions(more)}</span>`}</span>`
  );
}

/** Renders each reason once, then the addresses without a report for that reason, each with a link. */
function renderProblems(problems: ComparePageParts["problems"], language: Language): Html {
  const page = pageTextsOf(language);
  const { joinSentences } = reportTextsOf(language);
  // These two have hints for programs, or name no address.
  const links: Partial<Record<Problem["code"], string>> = {
    verification_required: page.verifyOpen,
    invalid_parameter: page.lookUpAlone,
  };
  const reasons = Map.groupBy(problems, ({ problem: { code, error, hint = "" } }) =>
    code === "verification_required" ? code : joinSentences([error, hint]),
  );
  return html`<dl class="unknowns">${[...reasons].map(
    ([reason, members]) => html`
<div class="long"><dt>${reason === "verification_required" ? page.say("verifyFirst", { count: members.length }) : reason}</dt>${members.map(({ asked, problem }) => html`<dd>${renderAddress(asked)} <a href="${problem.reportUrl === undefined ? reportPathOf(asked, language) : (webLinkOf(problem.reportUrl) ?? "#")}" rel="nofollow">${links[problem.code] ?? page.openReport}<span class="unseen"> (${asked})</span></a></dd>`)}</div>`,
  )}</dl>`;
}
