import { percentOf } from "#common";
import { capitalize, methodTextsOf, type ReportTexts } from "#locale";
import { type Conclusion, findUseLow, isAdjustment } from "#report";
import { pagePathOf } from "../paths.ts";
import type { ReportContext } from "../report_context.ts";
import {
  describePair,
  describeVendors,
  formatEffect,
  listReasons,
  listUsePoints,
  MINUS,
  nameOf,
} from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { NONE, renderBar, renderCard, renderScenarioIcon } from "./parts.ts";

/**
 * Renders the score breakdown as a waterfall: 100, then every deduction and credit with a bar from the purity before it to
 * the purity after it, the largest first, then the purity. Caps, the bounds 0 and 100, and rounding are one grey line.
 */
export function renderBreakdown({ report, facts, language, texts }: ReportContext): Html {
  const { labels } = texts;
  const { factors, purity } = report.risk;
  const shown = facts.deductions;
  const folded = factors.filter(isAdjustment);
  const adjustment = roundCents(folded.reduce((sum, { points }) => sum - points, 0));
  let reached = 100;
  const renderFall = (effect: number): Html => {
    const before = reached;
    reached = roundCents(reached + effect);
    return renderStep(before, reached);
  };
  return renderCard(
    labels.breakdown,
    html`<table class="bill"><caption class="unseen">${labels.breakdownCaption}</caption>
<thead class="unseen"><tr><th scope="col">${labels.item}</th><th scope="col">${labels.effect}</th></tr></thead>
<tbody>
<tr class="start"><th scope="row">${labels.start}</th><td class="figure">100</td></tr>${shown.map(
      ({ label, points, detail }) => html`
<tr class="${points < 0 ? "back" : points > 0 ? "cost" : "nil"}"><td class="what"><b><bdi>${label}</bdi></b>${points !== 0 && renderFall(-points)}<p class="words">${detail}</p></td>
<td class="figure">${formatEffect(-points, MINUS)}</td></tr>`,
    )}${
      folded.length > 0 &&
      html`
<tr class="folded"><td><details><summary>${texts.joinItems(folded.map(({ label }) => label))}</summary>${
        folded.length === 1
          ? html`<p>${folded[0]?.detail}</p>`
          : html`<dl>${folded.map(
              ({ label, points, detail }) => html`
<div><dt>${label} <span class="sum">${formatEffect(-points, MINUS)}</span></dt><dd>${detail}</dd></div>`,
            )}</dl>`
      }</details>${adjustment !== 0 && renderFall(adjustment)}</td>
<td class="figure">${formatEffect(adjustment, MINUS)}</td></tr>`
    }${factors.length === 0 && html`<tr><td colspan="2" class="quiet">${labels.noFactors}</td></tr>`}
</tbody>
<tfoot><tr><th scope="row">${labels.purity}</th><td class="figure">${purity}</td></tr></tfoot></table>
<p class="quiet"><a href="${pagePathOf("method", language)}">${methodTextsOf(language).link}</a></p>`,
  );
}

/** Rounds to two decimals; the 0 turns -0 into 0. */
function roundCents(points: number): number {
  return Math.round(points * 100) / 100 + 0;
}

/** Renders a bar between two sums, as far as they are from 0 to 100. Screen readers skip it: the number is next to it. */
function renderStep(before: number, after: number): Html {
  const [one, other] = [before, after].map((sum) => Math.min(Math.max(sum, 0), 100)) as [number, number];
  const [from, to] = one < other ? [one, other] : [other, one];
  return html`<svg class="step" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="6"></rect><rect class="drop" x="${Math.min(from, 99.2)}" width="${Math.max(Math.round((to - from) * 100) / 100, 0.8)}" height="6"></rect></svg>`;
}

/**
 * Renders the use cases with level and score, each reason once with the use cases that it applies to, and the AI vendors.
 * Where use cases do not apply, only the reason is rendered.
 */
export function renderScenarios(context: ReportContext): Html {
  const { report, texts, plain, page } = context;
  const { scenarioApplicable, scenarioNote } = report;
  if (!scenarioApplicable)
    return renderCard(texts.labels.scenarios, html`<p>${scenarioNote ?? texts.otherNote}</p>`);
  return renderCard(
    texts.labels.scenarios,
    html`${renderTiles(context)}
${renderVendors(context)}<dl class="reasons">${listReasons(context).map(
      ({ side, uses, reasons }, at, all) => html`
<div${side === "inFavour" && html` class="merit"`}><dt${uses === all[at - 1]?.uses && side === all[at - 1]?.side && html` class="unseen"`}>${side === "inFavour" ? plain.say(side, uses) : capitalize(uses)}</dt><dd>${side === "against" ? html`<b class="cost" aria-hidden="true">${MINUS}</b><span class="unseen">${page.againstIt}</span>` : html`<b class="back" aria-hidden="true">+</b><span class="unseen">${page.forIt}</span>`} ${reasons}</dd></div>`,
    )}</dl>
${renderUseSums(context)}<p class="words">${page.untested}</p>`,
  );
}

/** Renders what each use case deducts, on demand: a row for each reason and a column for each use case. */
function renderUseSums(context: ReportContext): Html | false {
  const { report, language, texts, page } = context;
  const { scenarios } = report;
  const { labels } = texts;
  const costs = listUsePoints(context);
  if (costs.length === 0) return false;
  const renderRow = (name: string, cells: readonly (string | number)[]) => html`
<tr><th scope="row" class="what">${name}</th>${cells.map((cell) => html`<td class="figure">${cell}</td>`)}</tr>`;
  return html`<details><summary>${page.useSums}</summary><table class="sums"><caption class="unseen">${page.useSums}</caption>
<thead><tr><td class="corner"></td>${scenarios.map(({ id }) => html`<th scope="col" class="figure">${renderScenarioIcon(id)}<span class="name">${page.scenarios[id]}</span></th>`)}</tr></thead>
<tbody>${renderRow(
    labels.start,
    scenarios.map(() => 100),
  )}${costs.map(({ reason, uses }) =>
    renderRow(
      capitalize(reason),
      uses.map(({ points }) => formatEffect(-points, MINUS)),
    ),
  )}</tbody>
<tfoot>${renderRow(
    labels.score,
    scenarios.map(({ score }) => score ?? NONE),
  )}</tfoot></table>
<p class="quiet">${describePair(context).map((text) => html`${text} `)}<a href="${pagePathOf("method", language)}#uses">${methodTextsOf(language).link}</a></p></details>
`;
}

/** Renders each use case with its score and level, before them that too little is known. */
export function renderTiles(context: ReportContext): Html {
  const { report, facts, texts, page } = context;
  return html`${facts.isThin && html`<p class="warning"><strong>${texts.notEnough}</strong></p>\n`}<ul class="tiles">${report.scenarios.map(
    (scenario) => {
      const { id, label, level, levelLabel, score } = scenario;
      const low = findUseLow(scenario);
      return html`
<li class="level-${level}"><h3 title="${label}">${renderScenarioIcon(id)} ${page.scenarios[id]}</h3><p><span class="figure">${score ?? NONE}</span> <span class="level">${levelLabel}</span></p>${score !== null && renderBar(score, ` level-${level}`, low)}${low !== undefined && html`<small>${page.useLow(low)}</small>`}</li>`;
    },
  )}</ul>`;
}

function renderVendors(context: ReportContext): Html | false {
  const vendors = describeVendors(context);
  if (vendors.length === 0) return false;
  return html`<p class="words">${vendors.map(({ state, text, lists }) => html`${state === "unsupported" ? html`<strong>${text}</strong>` : text}<span class="whole">${lists}</span> `)}</p>\n`;
}

/** Only the newest points are shown. */
const MAX_POINTS = 50;

/** The last millisecond of the year 9999. */
const MAX_TIME = 253_402_300_799_999;

const WIDTH = 1000;

/**
 * Renders purity over time as a chart and as a table, with a mark at each change of the scoring version and a
 * sentence about the last change of the coverage alone. Renders nothing with fewer than two assessments. A point of low
 * confidence is hollow, and the line leaves it out. The chart is stretched to its place: labels are outside of it, dots
 * are strokes.
 */
export function renderHistory(
  history: readonly Conclusion[],
  { report, facts: { isThin: isThinNow }, texts, common: page }: ReportContext,
): Html | false {
  const points = history
    .filter(
      ({ surveyedAt, purity }) => surveyedAt >= 0 && surveyedAt <= MAX_TIME && purity >= 0 && purity <= 100,
    )
    .toSorted((a, b) => a.surveyedAt - b.surveyedAt || a.scoringVersion - b.scoringVersion)
    .slice(-MAX_POINTS);
  const [first] = points;
  const last = points.at(-1);
  if (points.length < 2 || first === undefined || last === undefined) return false;
  const span = Math.max(last.surveyedAt - first.surveyedAt, 1);
  const x = (point: Conclusion) => Math.round(((point.surveyedAt - first.surveyedAt) / span) * WIDTH);
  const place = (point: Conclusion) => `${x(point)} ${100 - point.purity}`;
  const purities = points.map(({ purity }) => purity);
  const facts = page.historyFacts({
    count: points.length,
    from: dayOf(first),
    to: dayOf(last),
    lowest: Math.min(...purities),
    highest: Math.max(...purities),
  });
  const thinAt = isThinNow ? Date.parse(report.queriedAt) : undefined;
  const isThin = ({ surveyedAt, confidence }: Conclusion) => confidence === "low" || surveyedAt === thinAt;
  const line = points.filter((point) => !isThin(point)).map(place);
  const pairs = points.slice(1).map((point, index) => ({ before: points[index] ?? first, point }));
  const changes = pairs.filter(({ before, point }) => before.scoringVersion !== point.scoringVersion);
  const coverages = pairs.filter(isCoverageChange);
  const covered = coverages.at(-1);
  return renderCard(
    page.history,
    html`<div class="history"><div class="scale" aria-hidden="true"><span>100</span><span>50</span><span>0</span></div>
<svg viewBox="0 0 ${WIDTH} 100" preserveAspectRatio="none" role="img" aria-labelledby="history-title history-facts"><title id="history-title">${page.history}</title><desc id="history-facts">${facts}</desc>
<path class="grid" d="M0 0h${WIDTH}M0 50h${WIDTH}M0 100h${WIDTH}"></path>
${changes.map(({ point }) => html`<path class="change" d="M${x(point)} 0v100"></path>\n`)}${line.length > 0 && html`<path class="line" d="M${line.join("L")}"></path>`}
${points.map((point) => html`<path class="dot band-${isThin(point) ? "thin" : bandClassOf(point.band, texts)}" d="M${place(point)}h0.01"></path>${isThin(point) && html`<path class="dot hole" d="M${place(point)}h0.01"></path>`}`)}</svg>
<div class="span" aria-hidden="true"><span>${dayOf(first)}</span><span>${dayOf(last)}</span></div></div>
<p class="quiet">${facts}</p>
${changes.map(({ before, point }) => html`<p class="quiet">${page.say("scoringChanged", { from: before.scoringVersion, to: point.scoringVersion, date: dayOf(point) })}</p>\n`)}${covered !== undefined && html`<p class="quiet">${page.say("coverageChanged", { from: percentOf(covered.before.coverage ?? 0), to: percentOf(covered.point.coverage ?? 0), date: dayOf(covered.point) })}</p>\n`}<details><summary>${page.historyTable}</summary>
<table class="records"><caption class="unseen">${page.history}</caption>
<thead><tr><th scope="col">${page.date}</th><th scope="col" class="figure">${texts.labels.purity}</th><th scope="col">${page.band}</th><th scope="col" class="figure">${texts.labels.coverage}</th><th scope="col" class="figure">${page.scoringVersion}</th></tr></thead>
<tbody>${points.toReversed().map(
      (point) => html`
<tr><th scope="row"><time datetime="${dayOf(point)}">${dayOf(point)}</time></th><td class="figure">${isThin(point) && html`<small>${texts.notEnough}</small> `}${point.purity}</td><td>${nameOf(texts.bands, point.band)}</td><td class="figure">${point.coverage === null ? NONE : `${percentOf(point.coverage)}%`}${coverages.some((change) => change.point === point) && html` <small>${page.onlyCoverage}</small>`}</td><td class="figure">${point.scoringVersion}</td></tr>`,
    )}</tbody></table></details>`,
  );
}

/** Whether the coverage differs and the score does not. Nothing is known of conclusions without a coverage. */
function isCoverageChange({ before, point }: Readonly<Record<"before" | "point", Conclusion>>): boolean {
  const isSame = before.purity === point.purity && before.scoringVersion === point.scoringVersion;
  return isSame && before.coverage !== null && point.coverage !== null && before.coverage !== point.coverage;
}

function dayOf({ surveyedAt }: Conclusion): string {
  return new Date(surveyedAt).toISOString().slice(0, 10);
}

/** A stored band may be unknown to this build. */
function bandClassOf(band: string, { bands }: ReportTexts): string {
  return Object.hasOwn(bands, band) ? band : "unknown";
}

/** A proven change of a watched address. `at` is an RFC 3339 date-time. */
export interface ShownChange {
  readonly at: string;
  readonly type: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/** Renders the changes of a watched address, the newest first, for the operator. Renders nothing without any. */
export function renderChanges(changes: readonly ShownChange[], context: ReportContext): Html | false {
  const { common: page } = context;
  if (changes.length === 0) return false;
  return renderCard(
    page.changes,
    html`<table><caption class="unseen">${page.changes}</caption>
<thead><tr><th scope="col">${page.date}</th><th scope="col">${page.change}</th></tr></thead>
<tbody>${changes.map(
      (change) => html`
<tr><th scope="row"><time datetime="${change.at}">${change.at.slice(0, 10)}</time></th><td>${describeChange(change, context)}</td></tr>`,
    )}</tbody></table>`,
  );
}

function describeChange(
  { type, what, from, to }: ShownChange,
  { texts, common: page }: ReportContext,
): string {
  const kind = nameOf(page.changeTypes, type);
  if (type.endsWith("listed")) return texts.withDetail(kind, what);
  if (type.startsWith("address.flag")) return texts.withDetail(kind, nameOf(texts.flags, what));
  const names = { ...texts.usages, ...texts.bands };
  return texts.withDetail(kind, `${nameOf(names, from)} → ${nameOf(names, to)}`);
}
