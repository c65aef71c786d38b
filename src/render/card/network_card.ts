import { reportTextsOf } from "#locale";
import type { Language, NetworkSummary, UsageType } from "#report";
import { html } from "../html/html.ts";
import { describeNetwork, formatPercent, heightOf } from "../network/network_fields.ts";
import { renderCardFrame, TEXT_WIDTH, TEXT_X } from "./card_frame.ts";
import { fitParts, shortenTo, toDrawable, wrapTo, writeRuns } from "./card_text.ts";

const GRID = { x: 76, y: 96, size: 360 } as const;

/** The shares of uses end above the foot. */
const MOST_Y = 532;

/** Opacities of a cell by its use. The part of it that lists accuse is lighter than all of them. */
const OPACITIES: Readonly<Partial<Record<UsageType, number>>> = {
  residential: 0.2,
  mobile: 0.28,
  hosting: 0.5,
};
const ACCUSED = "#ffb3a5";

/** Renders the share card of a prefix as SVG: its cells, and in words who announces it and what it is used for. */
export function renderNetworkCard(summary: NetworkSummary, language: Language, origin: string): string {
  const { usages } = reportTextsOf(language);
  const { prefix, cells, use, date } = summary;
  const width = Math.ceil(Math.sqrt(cells.length));
  const step = GRID.size / width;
  const title = fitParts([prefix], "", { most: 64, least: 30, maxWidth: TEXT_WIDTH });
  const [first] = summary.networks;
  // Of a network of many operators none is named.
  const operator = first === undefined || first.share < 0.5 ? "" : `AS${first.asn} ${first.name}`;
  const shares = use.length < 2 ? [] : use.slice(0, 4);
  const lines = shares.map((one) => `${formatPercent(one.share)} ${usages[one.usageType]}`);
  let y = 200;
  const row = (line: string, size: number, weight: number) => {
    y += size * 1.4;
    return html`<text x="${TEXT_X}" y="${Math.round(y)}" font-size="${size}" font-weight="${weight}">${writeRuns(shortenTo(toDrawable(line), size, TEXT_WIDTH))}</text>\n`;
  };
  const sentence = wrapTo(toDrawable(describeNetwork(summary, language)), 32, TEXT_WIDTH, 5).map((line) =>
    row(line, 32, 700),
  );
  y += 16;
  return renderCardFrame({
    language,
    tone: "site",
    host: origin.replace(/^https?:\/\//, ""),
    foot: date ?? "",
    body: html`${cells.map((cell, at) => {
      const x = GRID.x + (at % width) * step;
      const top = GRID.y + Math.floor(at / width) * step;
      const side = Math.round((step - 2) * 10) / 10;
      const accused = side * heightOf(cell);
      return html`<rect x="${x}" y="${top}" width="${side}" height="${side}" fill-opacity="${OPACITIES[cell.usageType] ?? 0.1}"/>${accused > 0 && html`<rect x="${x}" y="${top + side - accused}" width="${side}" height="${accused}" fill="${ACCUSED}"/>`}`;
    })}
<text x="${TEXT_X}" y="112" font-size="28" fill-opacity="0.85">${writeRuns(shortenTo(toDrawable(operator), 28, TEXT_WIDTH))}</text>
<text x="${TEXT_X}" y="186" font-size="${title.size}" font-weight="700">${writeRuns(title.lines[0] ?? "")}</text>
${sentence}${lines.slice(0, Math.floor((MOST_Y - y) / 42)).map((line) => row(line, 30, 500))}`,
  });
}
