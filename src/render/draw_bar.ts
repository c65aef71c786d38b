import type { ScenarioLevel } from "#report";
import { type Html, html } from "./html.ts";

/** A bar filled to `score` percent, for the eye only: the figure stands beside it. */
export function drawBar(score: number, level: ScenarioLevel): Html {
  return html`<svg class="bar level-${level}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="8"></rect><rect class="fill" width="${score}" height="8"></rect></svg>`;
}
