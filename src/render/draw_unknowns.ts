import type { PartialTexts } from "#locale";
import type { Report } from "#report";
import { drawCard } from "./draw_card.ts";
import { type Html, html } from "./html.ts";

/** What an address alone cannot tell. */
export function drawUnknowns(report: Report, texts: PartialTexts): Html {
  return drawCard(
    texts.headings.unknowns,
    html`<dl class="unknowns">${report.unknowns.map(
      ({ label, detail }) => html`
<div><dt>${label}</dt><dd>${detail}</dd></div>`,
    )}</dl>`,
  );
}
