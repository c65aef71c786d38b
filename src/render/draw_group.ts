import { type Html, html } from "./html.ts";

/** Longer groups are folded; they open without script and print open. */
const FOLDED_FROM = 7;

/** A titled group with its count under a card; nothing when it is empty. `state` colours the title. */
export function drawGroup(title: string, count: number, state: string, body: () => Html): Html | false {
  if (count === 0) return false;
  const head = html`<h3 class="state state-${state}">${title} <span class="count">${count}</span></h3>`;
  return count < FOLDED_FROM
    ? html`<div class="group">${head}
${body()}</div>\n`
    : html`<details class="group"><summary>${head}</summary>
${body()}</details>\n`;
}
