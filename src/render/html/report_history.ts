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
 * Renders purity over time as a chart and as a table, with a mark at each change of the scoring version. Renders nothing
 * with fewer than two assessments. The point at `thinAt` (milliseconds since the epoch) is of a thin report: it is hollow
 * and the line leaves it out. The chart is stretched to its place: labels are outside of it, dots are strokes.
 */
export function renderHistory(
  history: readonly Conclusion[],
  { texts, common: page }: ReportContext,
  thinAt?: number,
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
  const isThin = ({ surveyedAt }: Conclusion) => surveyedAt === thinAt;
  const changes = points.flatMap((point, index) => {
    const before = points[index - 1];
    return before === undefined || before.scoringVersion === point.scoringVersion ? [] : [{ before, point }];
  });
  return renderCard(
    page.history,
    html`<div class="history"><div class="scale" aria-hidden="true"><span>100</span><span>50</span><span>0</span></div>
<svg viewBox="0 0 ${WIDTH} 100" preserveAspectRatio="none" role="img" aria-labelledby="history-title history-facts"><title id="history-title">${page.history}</title><desc id="history-facts">${facts}</desc>
<path class="grid" d="M0 0h${WIDTH}M0 50h${WIDTH}M0 100h${WIDTH}"></path>
${changes.map(({ point }) => html`<path class="change" d="M${x(point)} 0v100"></path>\n`)}<path class="line" d="M${points
      .filter((point) => !isThin(point))
      .map(place)
      .join("L")}"></path>
${points.map((point) => html`<path class="dot band-${isThin(point) ? "thin" : bandClassOf(point.band, texts)}" d="M${place(point)}h0.01"></path>${isThin(point) && html`<path class="dot hole" d="M${place(point)}h0.01"></path>`}`)}</svg>
<div class="span" aria-hidden="true"><span>${dayOf(first)}</span><span>${dayOf(last)}</span></div></div>
<p class="quiet">${facts}</p>
${changes.map(({ before, point }) => html`<p class="quiet">${page.scoringChanged(before.scoringVersion, point.scoringVersion, dayOf(point))}</p>\n`)}<details><summary>${page.historyTable}</summary>
<table><caption class="unseen">${page.history}</caption>
<thead><tr><th scope="col">${page.date}</th><th scope="col" class="figure">${texts.labels.purity}</th><th scope="col">${page.band}</th><th scope="col" class="figure">${page.scoringVersion}</th></tr></thead>
<tbody>${points.toReversed().map(
      (point) => html`
<tr><th scope="row"><time datetime="${dayOf(point)}">${dayOf(point)}</time></th><td class="figure">${isThin(point) && html`<small>${texts.notEnough}</small> `}${point.purity}</td><td>${nameOf(texts.bands, point.band)}</td><td class="figure">${point.scoringVersion}</td></tr>`,
    )}</tbody></table></details>`,
  );
}

function dayOf({ surveyedAt }: Conclusion): string {
  return new Date(surveyedAt).toISOString().slice(0, 10);
}

/** A stored band may be unknown to this build. */
function bandClassOf(band: string, { bands }: ReportTexts): string {
  return Object.hasOwn(bands, band) ? band : "unknown";
}
