import { type Html, html } from "./html.ts";

// Three quarters of a circle, open below; the lengths are percent of the whole circle.
const ARC = 75;

// Where one band ends and the next begins, in degrees from the start of the arc.
const CUTS = [10, 30, 50, 70, 90].map((purity) => purity * 2.7);

const MARKS = html`${CUTS.map((degrees) => html`<path d="M4 60h12" transform="rotate(${degrees - 45} 60 60)"></path>`)}`;

/** A dial filled to `purity` percent with the figure inside and a mark at each band; `label` is read out in its place. */
export function drawGauge(purity: number, label: string): Html {
  const filled = Math.round(purity * ARC) / 100;
  return html`<svg viewBox="0 0 120 108" role="img" aria-label="${label}">
<circle class="track" cx="60" cy="60" r="50" pathLength="100" stroke-dasharray="${ARC} 100" transform="rotate(135 60 60)"></circle>
${purity > 0 && html`<circle class="value" cx="60" cy="60" r="50" pathLength="100" stroke-dasharray="${filled} 100" transform="rotate(135 60 60)"></circle>\n`}<g class="cuts">${MARKS}</g>
<text x="60" y="${purity === 100 ? 68 : 70}" text-anchor="middle" font-size="${purity === 100 ? 32 : 38}" font-weight="700">${purity}</text>
<text class="of" x="60" y="90" text-anchor="middle" font-size="12">/ 100</text>
</svg>`;
}
