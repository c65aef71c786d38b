import { type Html, html } from "./html.ts";

/** A titled part of a page. */
export function drawCard(title: string, body: Html): Html {
  return html`<section class="card"><h2>${title}</h2>
${body}
</section>`;
}
