import { writeRuns } from "./card/card_text.ts";
import { type Html, html } from "./html/html.ts";

// A dial is three quarters of a circle, open below, in degrees clockwise from the right. The page and the cards draw it
// with one scale. The sizes differ, and the colours of the page come from style sheets, which the painter of the cards
// does not read.
const START_DEGREES = 135;
const SWEEP_DEGREES = 270;

/** Purities at which one band ends and the next begins. */
const BAND_BORDERS: readonly number[] = [10, 30, 50, 70, 90];

/** What a dial shows: the purity, and the low end of its range. */
export interface DialRange {
  readonly purity: number;
  readonly low: number;
}

/** What the dial of a page shows beside the range. */
export interface DialParts extends DialRange {
  /** Under the number. */
  readonly band: string;
  /** What the number is, below the band. */
  readonly name: string;
  /** Above the number, where the dial is narrow: the last word of several is on a line of its own. */
  readonly warning?: string | undefined;
  /** What screen readers read in place of the drawing. */
  readonly label: string;
}

/** The angle of a purity on the dial, in degrees. */
function angleOf(purity: number): number {
  return START_DEGREES + (purity * SWEEP_DEGREES) / 100;
}

/** The point of the dial at a purity. */
function pointAt(
  purity: number,
  radius: number,
  [x, y]: readonly [number, number],
): readonly [number, number] {
  const angle = (angleOf(purity) * Math.PI) / 180;
  return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
}

const PAGE_CENTRE = [100, 100] as const;
const PAGE_RADIUS = 84;

const PAGE_TICKS = html`${BAND_BORDERS.map((purity) => html`<path d="M9 100h14" transform="rotate(${Math.round(angleOf(purity)) - 180} 100 100)"></path>`)}`;

/**
 * Renders the dial of a page: a solid arc up to `low`, a hatched arc from there to the purity, and a knob at the purity,
 * which is visible at 0 too.
 */
export function renderDial(parts: DialParts): Html {
  const { purity, low, band, name, warning, label } = parts;
  const [x, y] = pointAt(purity, PAGE_RADIUS, PAGE_CENTRE).map((place) => Math.round(place * 10) / 10);
  const warnings = breakLast(warning, 68, 17).map(
    (one) =>
      html`<text class="name warning" x="100" y="${one.y}" text-anchor="middle" font-size="15" font-weight="700">${one.line}</text>\n`,
  );
  return html`<svg viewBox="0 0 200 190" role="img" aria-label="${label}">
<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M2.5 0v5"></path></pattern></defs>
${renderPageArc("track", 0, 100)}
${purity > low && html`<g stroke="url(#hatch)">${renderPageArc("unheard", low, purity)}</g>\n`}${low > 0 && html`${renderPageArc("value", 0, low)}\n`}<g class="cuts">${PAGE_TICKS}</g>
<circle class="knob" cx="${x}" cy="${y}" r="9"></circle>
${warnings}<text x="100" y="${warning === undefined ? 112 : 118}" text-anchor="middle" font-size="${warning === undefined && purity < 100 ? 68 : 60}" font-weight="700">${purity}</text>
<text class="name" x="100" y="${warning === undefined ? 140 : 144}" text-anchor="middle" font-size="18" font-weight="700">${band}</text>
<text class="of" x="100" y="186" text-anchor="middle" font-size="17">${name} / 100</text>
</svg>`;
}

/** The lines of a warning, `step` apart and the last one at `bottom`: the last of several words has its own line. */
function breakLast(
  warning: string | undefined,
  bottom: number,
  step: number,
): readonly { line: string; y: number }[] {
  if (warning === undefined) return [];
  const cut = Math.max(0, warning.lastIndexOf(" "));
  const lines = [warning.slice(0, cut), warning.slice(cut).trimStart()].filter((line) => line !== "");
  return lines.map((line, at) => ({ line, y: bottom - step * (lines.length - 1 - at) }));
}

function renderPageArc(name: string, from: number, to: number): Html {
  const length = Math.round(((to - from) * SWEEP_DEGREES) / 3.6) / 100;
  const turn = Math.round(angleOf(from) * 10) / 10;
  return html`<circle class="${name}" cx="100" cy="100" r="${PAGE_RADIUS}" pathLength="100" stroke-dasharray="${length} 100" transform="rotate(${turn} 100 100)"></circle>`;
}

const CARD_CENTRE = [255, 222] as const;
const CARD_RADIUS = 158;
const CARD_WIDTH = 34;

/** Renders the dial of a share card. Without `parts` the whole dial is striped and has no number. */
export function renderCardDial(parts?: DialRange & Pick<DialParts, "name" | "warning">): Html {
  const [x, y] = CARD_CENTRE;
  if (parts === undefined)
    return html`${renderCardArc(0, 100, "0.2")}
${renderCardArc(0, 100, "0.35", { dashes: "5 13" })}
<text x="${x}" y="${y + 48}" font-size="140" font-weight="700" text-anchor="middle" fill-opacity="0.85">?</text>`;
  const { purity, name, warning } = parts;
  const size = warning !== undefined ? 116 : purity === 100 ? 124 : 142;
  const warnings = breakLast(warning, y - 57, 30).map(
    (one) =>
      html`<text x="${x}" y="${one.y}" font-size="27" font-weight="700" text-anchor="middle">${writeRuns(one.line)}</text>\n`,
  );
  return html`${renderCardArcs(parts)}
${warnings}<text x="${x}" y="${y + 44}" font-size="${size}" font-weight="700" text-anchor="middle">${purity}</text>
<text x="${x}" y="${y + 92}" font-size="28" text-anchor="middle" fill-opacity="0.85">${writeRuns(`${name} / 100`)}</text>`;
}

/** Renders the arcs of a card dial without its number. At purity 0 the knob shows that there is a score. */
export function renderCardArcs(range: DialRange): Html {
  const { purity, low } = range;
  const [knobX, knobY] = cardPoint(purity, CARD_RADIUS).split(" ");
  return html`${renderCardArc(0, 100, "0.2")}
${purity > low && renderCardArc(low, purity, "0.8", { dashes: "5 9", offset: 5 })}
${low > 0 && renderCardArc(0, low)}
<circle cx="${knobX}" cy="${knobY}" r="${CARD_WIDTH / 2 + 5}"/>
${BAND_BORDERS.map(
  (border) =>
    html`<path d="M${cardPoint(border, CARD_RADIUS + CARD_WIDTH / 2 + 5)}L${cardPoint(border, CARD_RADIUS + CARD_WIDTH / 2 + 13)}" stroke="#fff" stroke-opacity="0.6" stroke-width="3"/>`,
)}`;
}

function renderCardArc(
  from: number,
  to: number,
  opacity = "1",
  stripes?: { readonly dashes: string; readonly offset?: number },
): Html {
  const isLong = ((to - from) / 100) * SWEEP_DEGREES > 180 ? 1 : 0;
  const path = `M${cardPoint(from, CARD_RADIUS)}A${CARD_RADIUS} ${CARD_RADIUS} 0 ${isLong} 1 ${cardPoint(to, CARD_RADIUS)}`;
  return html`<path d="${path}" fill="none" stroke="#fff" stroke-opacity="${opacity}" stroke-width="${CARD_WIDTH}"${stripes !== undefined && html` stroke-dasharray="${stripes.dashes}" stroke-dashoffset="${stripes.offset ?? 0}"`}/>`;
}

function cardPoint(purity: number, radius: number): string {
  return pointAt(purity, radius, CARD_CENTRE)
    .map((place) => place.toFixed(1))
    .join(" ");
}
