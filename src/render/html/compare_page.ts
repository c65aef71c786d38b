import {
  type PageTexts,
  pageTextsOf,
  type ReportTexts,
  reportTextsOf,
  type SiteTexts,
  siteTextsOf,
} from "#locale";
import { type Language, type Problem, pickHeaviest, type Report, SCENARIOS, type ScenarioId } from "#report";
import { pagePathOf, reportPathOf, webLinkOf } from "../paths.ts";
import { FAIR_FROM, type Metric, type Ranking, rankReports } from "../ranking.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import { countSources, describeConfidence, describeScore, MINUS } from "../report_fields.ts";
import { renderDocument } from "./document.ts";
import { type Html, html } from "./html.ts";
import { bandOf, NONE, renderCard, renderCompareForm } from "./parts.ts";

/** What the page compares. */
export interface ComparePageParts {
  /** At most twenty reports, in the order of the request. */
  readonly reports: readonly Report[];
  /** The addresses as the visitor wrote them, and what is mistyped. */
  readonly asked: readonly string[];
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

/**
 * Renders reports as a table with one row for each address, the best of each column marked, and the addresses without a
 * report. On a narrow screen each row is a card. Comparisons are not indexed.
 */
export function renderComparePage(parts: ComparePageParts): string {
  const { reports, asked, typed, language, problems, origin } = parts;
  const page = pageTextsOf(language);
  const groups = Map.groupBy(problems, ({ problem }) =>
    problem.code === "invalid_ip" ? page.notAddresses : page.notAvailable,
  );
  // The reasons stand below the comparison.
  const mistyped = groups.get(page.notAddresses);
  const query =
    asked.length === 0 ? "" : `?ips=${asked.map(encodeURIComponent).join(",").replaceAll("%3A", ":")}`;
  return renderDocument({
    language,
    title: `${page.compareTitle} - limpid`,
    description: page.compareDescription,
    ...(origin !== undefined ? { published: { origin } } : {}),
    head: html`<link rel="stylesheet" href="/static/compare.css">\n`,
    path: { zh: pagePathOf("compare", "zh") + query, en: pagePathOf("compare", "en") + query },
    body: html`<section class="card"><h1>${page.compareTitle}</h1>${typed !== undefined && problems.map(({ problem }) => html`\n<p class="note">${problem.code === "invalid_ip" ? html`<strong>${page.noAddress}</strong>` : html`<strong>${problem.error}</strong> ${problem.hint}`}</p>`)}${typed === undefined && reports.length + problems.length < 2 && html`\n<p>${page.compareEmpty}</p>`}
${renderCompareForm(language, typed ?? asked.join("\n"))}
${reports.length > 0 && mistyped !== undefined && html`<p class="mistyped"><strong>${page.notAddresses}</strong>${mistyped.map(({ asked: text }) => html` <bdi>${text}</bdi>`)}</p>\n`}</section>
${reports.length > 0 && renderComparison(reports, language)}
${typed === undefined && [...groups].map(([title, some]) => renderCard(title, renderProblems(some, page)))}`,
  });
}

function renderComparison(reports: readonly Report[], language: Language): Html {
  const page = pageTextsOf(language);
  const texts = reportTextsOf(language);
  const site = siteTextsOf(language);
  const ranking = rankReports(reports);
  const contexts = ranking.ordered.map(contextOf);
  const isAny = (state: "unavailable" | "benign") =>
    contexts.some(({ facts }) => facts.lists[state].length > 0);
  return html`<section class="card">${reports.length > 1 && html`${renderWinner(ranking, texts, site)}\n<p class="quiet">${texts.joinSentences([site.orderNote, ...(ranking.hasBest ? [site.bestNote] : [])])}</p>`}
<table class="versus"><caption class="unseen">${page.compareCaption}</caption>
<thead><tr><th scope="col">${page.candidate}</th><th scope="col">${texts.labels.purity}</th><th scope="col">${site.typeColumn}</th><th scope="col">${site.listsColumn} <small>${site.listsRatio}</small></th>${SCENARIOS.map(
    (id) => html`<th scope="col">${site.uses[id]}</th>`,
  )}<th scope="col" class="unseen">${site.reasonsColumn}</th></tr></thead>
<tbody>${contexts.map((context) => renderRow(context, ranking))}</tbody></table>
<ul class="quiet notes">${[
    ...(ranking.hasBest ? [site.noBestNote] : []),
    ...(isAny("unavailable") ? [texts.labels.unavailableNote] : []),
    ...(isAny("benign") ? [site.policyNote] : []),
    site.bookmark,
  ].map((note) => html`<li>${note}</li>`)}</ul>
</section>`;
}

/** Says which address has the highest purity, of how many, for what another one is better, and for what none is good. */
function renderWinner(ranking: Ranking, texts: ReportTexts, site: SiteTexts): Html {
  const { winners, ordered, count, bestUses, poorUses, worseUses } = ranking;
  const [first, ...others] = winners;
  if (first === undefined) return html`<p class="winner none">${site.noWinner}</p>`;
  const { ip, scenarios } = first;
  const { purity } = first.risk;
  const scoreOf = (use: ScenarioId) => scenarios.find(({ id }) => id === use)?.score ?? 0;
  const worse = worseUses
    .map(({ id, better, score }) => site.betterUse(site.usesInText[id], better, score))
    .join("");
  const poor = texts.joinItems(poorUses.map((id) => site.poorUse(site.usesInText[id], scoreOf(id))));
  const sentence =
    others.length === 0
      ? site.winner({ ip, purity, count, of: ordered.length, uses: bestUses.length, poor, worse })
      : site.tie(
          winners.map((one) => one.ip),
          purity,
        );
  return html`<p class="winner${purity < FAIR_FROM && " none"}"><strong>${sentence}</strong></p>`;
}

function renderRow(context: ReportContext, ranking: Ranking): Html {
  const { report, facts, language, texts, plain, page, card } = context;
  const { failed } = countSources(context);
  const site = siteTextsOf(language);
  const { ip, stale } = report;
  const isWinner = ranking.winners.includes(report) && report.risk.purity >= FAIR_FROM;
  const renderBest = (metric: Metric) =>
    ranking.isBest(report, metric) &&
    html` <span class="star" aria-hidden="true">★</span><span class="unseen"> ${site.best}</span>`;
  const { listed, unavailable, benign } = facts.lists;
  const place = [report.geo?.countryName, facts.network].filter((part) => part !== undefined && part !== "");
  const trust = [
    describeConfidence(context),
    ...((facts.percent ?? 100) < 100 ? [page.coverage(facts.percent ?? 0)] : []),
    ...(failed > 0 ? [plain.say("failed", failed)] : []),
  ];
  const { kinds, flags } = listKinds(context);
  const [first = html`<span class="quiet">${NONE}</span>`, ...others] = kinds;
  return html`
<tr${isWinner && html` class="won"`}${facts.isThin && html` class="thin"`}><th scope="row"><a class="v${report.version}" href="${reportPathOf(ip, language)}"><bdi class="whole">${ip.split(/(?<=:)(?=[^:])/).map((group, index) => html`${index > 0 && html`<wbr>`}${group}`)}</bdi></a><span class="where">${place.map((part) => html`<span>${part}</span> `)}</span></th>
<td class="score band-${bandOf(context)}"><span class="name">${texts.labels.purity}</span>${renderTotal(context, renderBest("purity"))}${stale && html` <small class="firm">${card.stale}</small>`}</td>
<td class="kind"><span class="name">${site.typeColumn}</span>${first}${others.length > 0 && html`<small>${texts.joinItems(others)}</small>`}${flags.length > 0 && html`<small class="firm">${texts.joinItems(flags)}</small>`}</td>
<td class="lists"><span class="name">${site.listsColumn}</span>${
    facts.listsAnswered === 0
      ? html`<span class="quiet">${NONE}</span>`
      : html`<b class="figure">${site.listedOf(listed.length, facts.listsAnswered)}</b>${renderBest("lists")}<small class="name">${site.listsRatio}</small>`
  }${unavailable.length > 0 && html`<small>${site.unknownLists(unavailable.length)}</small>`}${benign.length > 0 && html`<small>${page.headline.policy(benign.length)}</small>`}</td>${
    report.scenarioApplicable
      ? SCENARIOS.map((id) => renderUse(context, id, site, renderBest(id)))
      : html`<td class="use none" colspan="${SCENARIOS.length}"><small>${report.scenarioNote ?? texts.otherNote}</small></td>`
  }
<td class="grounds">${facts.isScored && html`<small>${texts.joinDetails(trust)}</small>`}${renderDeductions(context)}</td></tr>`;
}

/** Renders the purity, its band and its low end, before them that too little is known; the role of an address without a score. */
function renderTotal(context: ReportContext, star: Html | false): Html {
  const { report, facts, texts, card } = context;
  if (!facts.isScored) return html`<small>${describeScore(context)}</small>`;
  const { purity, label } = report.risk;
  return html`${facts.isThin && html`<small>${texts.notEnough}</small> `}<span class="total">${purity}</span>${star} <strong class="band">${label}</strong>${facts.hasLow && html` <small class="firm">${card.usually(facts.low)}</small>`}`;
}

function renderUse(
  { report, facts, texts }: ReportContext,
  id: ScenarioId,
  site: SiteTexts,
  star: Html | false,
): Html {
  const scenario = report.scenarios.find((it) => it.id === id);
  const name = html`<span class="name">${site.uses[id]}</span>`;
  if (scenario === undefined) return html`\n<td class="use">${name}${NONE}</td>`;
  const { level, levelLabel, score } = scenario;
  return html`\n<td class="use level-${level}">${name}${facts.isThin && html`<small class="unseen">${texts.notEnough}</small>`}${score !== null && html`<b class="figure">${score}</b>`}${star}<small class="level level-${level}">${levelLabel}</small></td>`;
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

/** Renders the largest deductions in the order of the report, and how many there are besides. */
function renderDeductions({ facts: { deductions, isScored }, language }: ReportContext): Html | false {
  const costs = deductions.filter(({ points }) => isScored && points > 0);
  const shown = pickHeaviest(costs, MAX_DEDUCTIONS);
  const more = costs.length - shown.length;
  return (
    shown.length > 0 &&
    html`<span class="minus">${shown.map(({ label, points }) => html`<span>${label} ${MINUS}${points}</span> `)}${more > 0 && html`<span>${siteTextsOf(language).moreDeductions(more)}</span>`}</span>`
  );
}

function renderProblems(problems: ComparePageParts["problems"], page: PageTexts): Html {
  return html`<dl class="unknowns">${problems.map(
    ({ asked, problem }) => html`
<div><dt><bdi>${asked}</bdi></dt><dd>${problem.code === "invalid_ip" ? page.mistake(asked) : `${problem.error} ${problem.hint ?? ""}`}${
      problem.reportUrl !== undefined &&
      html` <a href="${webLinkOf(problem.reportUrl) ?? "#"}" rel="nofollow">${page.openReport}<span class="unseen"> (${asked})</span></a>`
    }</dd></div>`,
  )}</dl>`;
}
