import { angleOf, BAND_BORDERS, DIAL_SWEEP_DEGREES, type DialRange, splitDial } from "../dial_scale.ts";
import { type Html, html } from "../html/html.ts";

// The page has its own drawing (html/dial.ts): its colours and sizes come from style sheets, which the painter of the
// cards does not read. Both use one scale.
const CENTRE_X = 255;
const CENTRE_Y = 250;
const RADIUS = 158;
const WIDTH = 34;

/**
 * Renders the dial of a share card: an arc to the lowest possible purity, stripes from there to the highest, and a knob
 * at the purity. Without `parts` the whole dial is striped and has no number.
 */
export function renderDial(parts?: DialRange): Html {
  if (parts === undefined)
    return html`${renderTrack()}
<path d="${arcOf(0, 100)}" fill="none" stroke="#fff" stroke-opacity="0.35" stroke-width="${WIDTH}" stroke-dasharray="5 13"/>
<text x="${CENTRE_X}" y="${CENTRE_Y + 48}" font-size="140" font-weight="700" text-anchor="middle" fill-opacity="0.85">?</text>`;
  const { purity } = parts;
  return html`${renderArcs(parts)}
<text x="${CENTRE_X}" y="${CENTRE_Y + 44}" font-size="${purity === 100 ? 124 : 142}" font-weight="700" text-anchor="middle">${purity}</text>
<text x="${CENTRE_X}" y="${CENTRE_Y + 96}" font-size="32" text-anchor="middle" fill-opacity="0.8">/ 100</text>`;
}

/** Renders the arcs of a dial without its number. At purity 0 the knob shows that there is a score. */
export function renderArcs(range: DialRange): Html {
  const { purity } = range;
  const { solid, end } = splitDial(range);
  const [knobX, knobY] = pointAt(purity, RADIUS);
  return html`${renderTrack()}
${end > solid && html`<path d="${arcOf(solid, end)}" fill="none" stroke="#fff" stroke-opacity="0.8" stroke-width="${WIDTH}" stroke-dasharray="5 9" stroke-dashoffset="5"/>`}
${solid > 0 && html`<path d="${arcOf(0, solid)}" fill="none" stroke="#fff" stroke-width="${WIDTH}"/>`}
<circle cx="${knobX}" cy="${knobY}" r="${WIDTH / 2 + 5}"/>
${BAND_BORDERS.map((border) => renderTick(border))}`;
}

function renderTrack(): Html {
  return html`<path d="${arcOf(0, 100)}" fill="none" stroke="#fff" stroke-opacity="0.2" stroke-width="${WIDTH}"/>`;
}

/** The path of the arc between two scores. */
function arcOf(from: number, to: number): string {
  const [startX, startY] = pointAt(from, RADIUS);
  const [endX, endY] = pointAt(to, RADIUS);
  const isLong = ((to - from) / 100) * DIAL_SWEEP_DEGREES > 180 ? 1 : 0;
  return `M${startX} ${startY}A${RADIUS} ${RADIUS} 0 ${isLong} 1 ${endX} ${endY}`;
}

/** A short line outside the arc at the border of two bands. */
function renderTick(score: number): Html {
  const [fromX, fromY] = pointAt(score, RADIUS + WIDTH / 2 + 5);
  const [toX, toY] = pointAt(score, RADIUS + WIDTH / 2 + 13);
  return html`<path d="M${fromX} ${fromY}L${toX} ${toY}" stroke="#fff" stroke-opacity="0.6" stroke-width="3"/>`;
}

function pointAt(score: number, radius: number): readonly [x: string, y: string] {
  const angle = (angleOf(score) * Math.PI) / 180;
  return [(CENTRE_X + radius * Math.cos(angle)).toFixed(1), (CENTRE_Y + radius * Math.sin(angle)).toFixed(1)];
}
