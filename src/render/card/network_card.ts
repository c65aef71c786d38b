import { networkTextsOf, reportPageTextsOf } from "#locale";
import type { Language, NetworkSummary, UsageType } from "#report";
import { html } from "../html/html.ts";
import { describeNetwork, heightOf } from "../network/network_fields.ts";
import { renderCardFrame, TEXT_WIDTH, TEXT_X } from "./card_frame.ts";
import { fitParts, shortenTo, toDrawable, wrapTo, writeRuns } from "./card_text.ts";

const GRID = { x: 76, y: 70, size: 350 } as const;

/** The key below the cells: its rows, and the width of its columns. */
const KEY = { y: 460, row: 38, size: 22, column: 206, most: 4 } as const;

/** Opacities of a cell by its use. The part of it that lists accuse is lighter than all of them. */
const OPACITIES: Readonly<Partial<Record<UsageType, number>>> = {
  residential: 0.2,
  mobile: 0.28,
  hosting: 0.5,
};
const ACCUSED = "#ffb3a5";

/** Renders the share card of a prefix as SVG: its cells with their key, who announces it and what it is used for. */
export function renderNetworkCard(summary: NetworkSummary, language: Language, origin: string): string {
  const texts = networkTextsOf(language);
  const { usages } = reportPageTextsOf(language);
  const { prefix, cells, use, date, networks } = summary;
  const width = Math.ceil(Math.sqrt(cells.length));
  const step = GRID.size / width;
  const title = fitParts([prefix], "", { most: 64, least: 30, maxWidth: TEXT_WIDTH });
  const [first] = networks;
  // Of a network of many operators none is named.
  const several = texts.say("cardOthers", { count: networks.length });
  const named = first !== undefined && first.share >= 0.5 ? `AS${first.asn} ${first.name}` : several;
  const operator = first === undefined ? texts.nobody : named;
  const accusedCells = cells.filter(({ listed }) => listed > 0).length;
  const key = [
    ...use.slice(0, KEY.most - (accusedCells > 0 ? 1 : 0)).map(({ usageType }) => ({
      text: `${usages[usageType]} ${cells.filter((cell) => cell.usageType === usageType).length}`,
      fill: html`fill-opacity="${OPACITIES[usageType] ?? 0.1}"`,
    })),
    ...(accusedCells > 0
      ? [{ text: `${texts.accused} ${accusedCells}`, fill: html`fill="${ACCUSED}"` }]
      : []),
  ];
  const sentence = wrapTo(toDrawable(describeNetwork(summary, language)), 34, TEXT_WIDTH, 6);
  return renderCardFrame({
    language,
    tone: "site",
    host: origin.replace(/^https?:\/\//, ""),
    foot: date === undefined ? "" : texts.say("cardDate", { date }),
    body: html`${cells.map((cell, at) => {
      const x = GRID.x + (at % width) * step;
      const top = GRID.y + Math.floor(at / width) * step;
      const side = Math.round((step - 2) * 10) / 10;
      const accused = side * heightOf(cell);
      return html`<rect x="${x}" y="${top}" width="${side}" height="${side}" fill-opacity="${OPACITIES[cell.usageType] ?? 0.1}"/>${accused > 0 && html`<rect x="${x}" y="${top + side - accused}" width="${side}" height="${accused}" fill="${ACCUSED}"/>`}`;
    })}
${key.map(({ text, fill }, at) => {
  const [x, y] = [GRID.x + (at % 2) * KEY.column, KEY.y + Math.floor(at / 2) * KEY.row];
  return html`<rect x="${x}" y="${y - 18}" width="20" height="20" ${fill}/><text x="${x + 30}" y="${y}" font-size="${KEY.size}">${writeRuns(shortenTo(toDrawable(text), KEY.size, KEY.column - 34))}</text>\n`;
})}<text x="${TEXT_X}" y="122" font-size="28" fill-opacity="0.85">${writeRuns(shortenTo(toDrawable(operator), 28, TEXT_WIDTH))}</text>
<text x="${TEXT_X}" y="196" font-size="${title.size}" font-weight="700">${writeRuns(title.lines[0] ?? "")}</text>
${sentence.map((line, at) => html`<text x="${TEXT_X}" y="${258 + at * 46}" font-size="34" font-weight="700">${writeRuns(line)}</text>\n`)}`,
  });
}
