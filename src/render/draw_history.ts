import { type PartialTexts, pageWordsOf, wordsOf } from "#locale";
import type { Language } from "#report";
import { drawCard } from "./draw_card.ts";
import { type Html, html } from "./html.ts";

/** One earlier conclusion; `surveyedAt` is milliseconds since the epoch. */
export interface HistoryPoint {
  readonly surveyedAt: number;
  readonly purity: number;
  readonly band: string;
  readonly scoringVersion: number;
}

/** Most points shown, the newest. */
const MOST = 50;

/** The last millisecond of the year 9999. */
const LATEST = 253_402_300_799_999;

const WIDTH = 1000;

/**
 * Purity over time as a drawing, with the same as a table; changes of the scoring are marked. Nothing with fewer than
 * two conclusions. The drawing is stretched to its place, so its labels stand beside it and dots are strokes.
 */
export function drawHistory(history: readonly HistoryPoint[], language: Language): Html | false {
  const points = history
    .filter(
      ({ surveyedAt, purity }) => surveyedAt >= 0 && surveyedAt <= LATEST && purity >= 0 && purity <= 100,
    )
    .toSorted((a, b) => a.surveyedAt - b.surveyedAt || a.scoringVersion - b.scoringVersion)
    .slice(-MOST);
  const [first] = points;
  const last = points.at(-1);
  if (points.length < 2 || first === undefined || last === undefined) return false;
  const texts = wordsOf(language);
  const page = pageWordsOf(language);
  const span = Math.max(last.surveyedAt - first.surveyedAt, 1);
  const place = (point: HistoryPoint) =>
    `${Math.round(((point.surveyedAt - first.surveyedAt) / span) * WIDTH)} ${100 - point.purity}`;
  const purities = points.map(({ purity }) => purity);
  const facts = page.historyFacts({
    count: points.length,
    from: dayOf(first),
    to: dayOf(last),
    lowest: Math.min(...purities),
    highest: Math.max(...purities),
  });
  const changes = points.flatMap((point, index) => {
    const before = points[index - 1];
    return before === undefined || before.scoringVersion === point.scoringVersion ? [] : [{ before, point }];
  });
  return drawCard(
    page.history,
    html`<div class="history"><div class="scale" aria-hidden="true"><span>100</span><span>50</span><span>0</span></div>
<svg viewBox="0 0 ${WIDTH} 100" preserveAspectRatio="none" role="img" aria-labelledby="history-title history-facts"><title id="history-title">${page.history}</title><desc id="history-facts">${facts}</desc>
<path class="grid" d="M0 0h${WIDTH}M0 50h${WIDTH}M0 100h${WIDTH}"></path>
${changes.map(({ point }) => html`<path class="change" d="M${place(point).split(" ")[0] ?? 0} 0v100"></path>\n`)}<path class="line" d="M${points.map(place).join("L")}"></path>
${points.map((point) => html`<path class="dot band-${bandClassOf(point.band, texts)}" d="M${place(point)}h0.01"></path>`)}</svg>
<div class="span" aria-hidden="true"><span>${dayOf(first)}</span><span>${dayOf(last)}</span></div></div>
<p class="quiet">${facts}</p>
${changes.map(({ before, point }) => html`<p class="quiet">${page.scoringChanged(before.scoringVersion, point.scoringVersion, dayOf(point))}</p>\n`)}<details><summary>${page.historyTable}</summary>
<table><caption class="unseen">${page.history}</caption>
<thead><tr><th scope="col">${page.date}</th><th scope="col" class="figure">${texts.headings.purity}</th><th scope="col">${page.band}</th><th scope="col" class="figure">${page.scoringVersion}</th></tr></thead>
<tbody>${points.toReversed().map(
      (point) => html`
<tr><th scope="row"><time datetime="${dayOf(point)}">${dayOf(point)}</time></th><td class="figure">${point.purity}</td><td>${bandNameOf(point.band, texts)}</td><td class="figure">${point.scoringVersion}</td></tr>`,
    )}</tbody></table></details>`,
  );
}

function dayOf({ surveyedAt }: HistoryPoint): string {
  return new Date(surveyedAt).toISOString().slice(0, 10);
}

/** A band's name; one this build does not know stands for itself. */
function bandNameOf(band: string, { bands }: PartialTexts): string {
  const names: Readonly<Record<string, string>> = bands;
  return Object.hasOwn(names, band) ? (names[band] ?? band) : band;
}

function bandClassOf(band: string, { bands }: PartialTexts): string {
  return Object.hasOwn(bands, band) ? band : "unknown";
}
