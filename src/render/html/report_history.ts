import { percentOf } from "#common";
import type { ReportTexts } from "#locale";
import type { Conclusion } from "#report";
import type { ReportContext } from "../report_context.ts";
import { nameOf } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import { renderCard } from "./parts.ts";

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
${changes.map(({ before, point }) => html`<p class="quiet">${page.scoringChanged(before.scoringVersion, point.scoringVersion, dayOf(point))}</p>\n`)}${covered !== undefined && html`<p class="quiet">${page.coverageChanged(percentOf(covered.before.coverage ?? 0), percentOf(covered.point.coverage ?? 0), dayOf(covered.point))}</p>\n`}<details><summary>${page.historyTable}</summary>
<table><caption class="unseen">${page.history}</caption>
<thead><tr><th scope="col">${page.date}</th><th scope="col" class="figure">${texts.labels.purity}</th><th scope="col">${page.band}</th><th scope="col" class="figure">${texts.labels.coverage}</th><th scope="col" class="figure">${page.scoringVersion}</th></tr></thead>
<tbody>${points.toReversed().map(
      (point) => html`
<tr><th scope="row"><time datetime="${dayOf(point)}">${dayOf(point)}</time></th><td class="figure">${isThin(point) && html`<small>${texts.notEnough}</small> `}${point.purity}</td><td>${nameOf(texts.bands, point.band)}</td><td class="figure">${point.coverage === null ? "--" : `${percentOf(point.coverage)}%`}${coverages.some((change) => change.point === point) && html` <small>${page.onlyCoverage}</small>`}</td><td class="figure">${point.scoringVersion}</td></tr>`,
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
