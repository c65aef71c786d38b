import { angleOf, BAND_BORDERS, type DialRange, splitDial } from "../dial_scale.ts";
import { type Html, html } from "./html.ts";

/** Length of the arc, in percent of the whole circle. */
const ARC = 75;
const CENTRE = 100;
const RADIUS = 84;

const BORDER_MARKS = html`${BAND_BORDERS.map((purity) => html`<path d="M9 100h14" transform="rotate(${Math.round(angleOf(purity)) - 180} 100 100)"></path>`)}`;

/** What a dial shows. `low` to `high` is the purity that remains possible: it is hatched, because it was not heard. */
export interface DialParts extends DialRange {
  /** Under the number: the band, and the range in words. */
  readonly band: string;
  readonly range: string;
  /** What screen readers read in place of the drawing. */
  readonly label: string;
}

/**
 * Renders a dial: a solid arc up to `low`, a hatched arc from there to `high`, and a knob at the purity, which is visible
 * at 0 too.
 */
export function renderDial(parts: DialParts): Html {
  const { purity, band, range, label } = parts;
  const { solid, end } = splitDial(parts);
  return html`<svg viewBox="0 0 200 172" role="img" aria-label="${label}">
<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M2.5 0v5"></path></pattern></defs>
${renderArc("track", 0, 100)}
${end > solid && html`<g stroke="url(#hatch)">${renderArc("unheard", solid, end)}</g>\n`}${solid > 0 && html`${renderArc("value", 0, solid)}\n`}<g class="cuts">${BORDER_MARKS}</g>
<circle class="knob" cx="${placeOf(purity, Math.cos)}" cy="${placeOf(purity, Math.sin)}" r="9"></circle>
<text x="100" y="112" text-anchor="middle" font-size="${purity === 100 ? 60 : 68}" font-weight="700">${purity}</text>
<text class="name" x="100" y="137" text-anchor="middle" font-size="18" font-weight="700">${band}</text>
<text class="of" x="100" y="159" text-anchor="middle" font-size="13">${range}</text>
</svg>`;
}

function renderArc(name: string, from: number, to: number): Html {
  const length = Math.round((to - from) * ARC) / 100;
  const turn = Math.round(angleOf(from) * 10) / 10;
  return html`<circle class="${name}" cx="${CENTRE}" cy="${CENTRE}" r="${RADIUS}" pathLength="100" stroke-dasharray="${length} 100" transform="rotate(${turn} ${CENTRE} ${CENTRE})"></circle>`;
}

/** Returns one coordinate of the point of the arc at a purity. */
function placeOf(purity: number, project: (angle: number) => number): number {
  const angle = (angleOf(purity) * Math.PI) / 180;
  return Math.round((CENTRE + RADIUS * project(angle)) * 10) / 10;
}
