import type { Field } from "./describe_network.ts";
import { type Html, html } from "./html.ts";

/** Labels and what stands beside them. */
export function drawFields(rows: readonly Field[]): Html {
  return html`<dl class="fields">${rows.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`,
  )}</dl>`;
}
