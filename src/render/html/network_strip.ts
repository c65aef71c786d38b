import { networkTextsOf } from "#locale";
import type { Language, NetworkCell, NetworkSummary } from "#report";
import { describeNetwork, signOf } from "../network/network_fields.ts";
import { networkPathOf } from "../paths.ts";
import { type Html, html } from "./html.ts";
import { renderCard } from "./parts.ts";

const HEIGHT = 24;

/** Heights of a cell by its sign, so that the strip is readable without colour; an accused one has the full height. */
const HEIGHTS: Readonly<Record<string, number>> = { ".": 8, m: 8, b: 12, e: 12, g: 12, h: 16, "?": 4 };

/** The neighbours of an address: the summary of its prefix, and the position of its cell. */
export interface Neighbours {
  readonly summary: NetworkSummary;
  readonly at: number;
}

/** Renders an address among its neighbours: one small strip, one sentence, and the link to the network. */
export function renderStrip(
  { summary, at }: Neighbours,
  { language, own }: { readonly language: Language; readonly own: boolean },
): Html {
  const texts = networkTextsOf(language);
  const { prefix, cells } = summary;
  const title = own ? texts.ownStripTitle : texts.stripTitle;
  const sentence = describeNetwork(summary, language);
  const runs = listRuns(cells);
  const tallest = Math.max(...runs.map(({ height }) => height));
  const half = cells.length / 100;
  return renderCard(
    title,
    html`<svg class="strip" viewBox="0 0 ${cells.length} ${tallest * 1.4}" preserveAspectRatio="none" role="img" aria-label="${title}: ${sentence}">
${runs.map(
  ({ from, length, cell, height }) =>
    html`<rect class="${cell.listed > 0 ? "accused" : `use-${cell.usageType}`}" x="${from}" y="${tallest - height}" width="${length}" height="${height}"></rect>`,
)}<path class="here" d="M${at + 0.5} ${tallest * 1.06}l${half} ${tallest * 0.32}h${-2 * half}z"></path></svg>
<p>${sentence} ${texts.stripNote} <a href="${networkPathOf(prefix, language)}">${texts.say("stripLink", { prefix })}</a></p>`,
    { name: "neighbours" },
  );
}

/** Cells that follow each other and look the same. */
function listRuns(cells: readonly NetworkCell[]) {
  const runs: { from: number; length: number; height: number; cell: NetworkCell }[] = [];
  for (const [from, cell] of cells.entries()) {
    const run = runs.at(-1);
    if (run !== undefined && signOf(run.cell) === signOf(cell) && run.cell.usageType === cell.usageType)
      run.length += 1;
    else runs.push({ from, length: 1, height: HEIGHTS[signOf(cell)] ?? HEIGHT, cell });
  }
  return runs;
}
