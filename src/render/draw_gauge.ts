import { type Html, html } from "./html.ts";

/** A ring filled to `purity` percent with the figure inside; `label` is read out in its place. */
export function drawGauge(purity: number, label: string): Html {
  return html`<svg viewBox="0 0 120 120" role="img" aria-label="${label}">
<circle class="track" cx="60" cy="60" r="52" fill="none" stroke-width="10"></circle>
<circle class="value" cx="60" cy="60" r="52" fill="none" stroke-width="10" stroke-linecap="${purity === 0 ? "butt" : "round"}" pathLength="100" stroke-dasharray="${purity} 100" transform="rotate(-90 60 60)"></circle>
<text x="60" y="68" text-anchor="middle" font-size="34" font-weight="700">${purity}</text>
<text class="of" x="60" y="86" text-anchor="middle" font-size="12">/ 100</text>
</svg>`;
}
