import { reportTextsOf } from "#locale";
import type { Language, NetworkSummary } from "#report";
import { html } from "../html/html.ts";
import {
  describeNetwork,
  formatPercent,
  LISTED_SIGN,
  listFacts,
  signOf,
  writePart,
} from "../network/network_fields.ts";
import { renderCardFrame, TEXT_WIDTH, TEXT_X } from "./card_frame.ts";
import { fitParts, shortenTo, toDrawable, wrapTo, writeRuns } from "./card_text.ts";

const GRID = { x: 76, y: 96, size: 360 } as const;

/** Opacities of a cell by its sign; an accused one is white with a hole. */
const OPACITIES: Readonly<Record<string, number>> = { ".": 0.2, m: 0.28, b: 0.4, e: 0.4, g: 0.4, h: 0.6 };

/** Renders the share card of a prefix as SVG: its cells, and in words who announces it and what it is used for. */
export function renderNetworkCard(summary: NetworkSummary, language: Language, origin: string): string {
  const { joinItems, usages } = reportTextsOf(language);
  const { prefix, cells, use, date } = summary;
  const width = Math.ceil(Math.sqrt(cells.length));
  const step = GRID.size / width;
  const title = fitParts([prefix], "", { most: 64, least: 30, maxWidth: TEXT_WIDTH });
  const [operators] = listFacts(summary, language);
  const shares = use.slice(0, 4).map((one) => `${formatPercent(one.share)} ${usages[one.usageType]}`);
  let y = 200;
  const row = (line: string, size: number, weight: number) => {
    y += size * 1.4;
    return html`<text x="${TEXT_X}" y="${Math.round(y)}" font-size="${size}" font-weight="${weight}">${writeRuns(shortenTo(toDrawable(line), size, TEXT_WIDTH))}</text>\n`;
  };
  const sentence = wrapTo(toDrawable(describeNetwork(summary, language)), 36, TEXT_WIDTH, 3).map((line) =>
    row(line, 36, 700),
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
      const sign = signOf(cell);
      const side = Math.round((step - 2) * 10) / 10;
      return sign === LISTED_SIGN
        ? html`<rect x="${x + side / 8}" y="${top + side / 8}" width="${(side * 3) / 4}" height="${(side * 3) / 4}" fill="#a32b1f" stroke="#fff" stroke-width="${side / 4}"/>`
        : html`<rect x="${x}" y="${top}" width="${side}" height="${side}" fill-opacity="${OPACITIES[sign] ?? 0.1}"/>`;
    })}
<text x="${TEXT_X}" y="112" font-size="28" fill-opacity="0.85">${writeRuns(shortenTo(toDrawable(joinItems(operators?.[1].map(writePart) ?? [])), 28, TEXT_WIDTH))}</text>
<text x="${TEXT_X}" y="186" font-size="${title.size}" font-weight="700">${writeRuns(title.lines[0] ?? "")}</text>
${sentence}${shares.map((line) => row(line, 30, 500))}`,
  });
}
