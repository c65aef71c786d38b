import { renderScreen } from "#render";
import type { Language } from "#report";
import { measureCells } from "../render/measure_cells.ts";
import { exampleReport } from "./example_report.ts";

const CELL = 8.4;
const LINE = 19;
const PADDING = 20;
const COLUMNS = 79;

/** Colours of the escape sequences of a terminal report on a dark ground. */
const COLOURS: Readonly<Record<string, string>> = {
  "1": "#f2f6f9",
  "2": "#7b8a97",
  "1;32": "#4cd39a",
  "32": "#93d46d",
  "38;5;100": "#e2c54c",
  "38;5;166": "#f5a860",
  "1;38;5;166": "#f5a860",
  "31": "#ff8a7c",
  "1;31": "#ff86a4",
};

/** Writes the terminal report of an example as an SVG image. The example has addresses and values of our own. */
export function writePicture(language: Language): string {
  const lines = renderScreen(exampleReport(language), { colour: true }).trimEnd().split("\n");
  const width = COLUMNS * CELL + 2 * PADDING;
  const height = lines.length * LINE + 2 * PADDING;
  const texts = lines.flatMap((line, row) => drawLine(line, PADDING + (row + 0.8) * LINE));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${language === "en" ? "A report of limpid in a terminal" : "limpid 在终端里的一份报告"}</title>
<rect width="${width}" height="${height}" rx="10" fill="#11181f"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace" font-size="14" fill="#c9d4dd" xml:space="preserve">
${texts.join("\n")}
</g>
</svg>
`;
}

/** Draws each coloured piece at its column. Bars are rectangles, so that no font can shift what follows them. */
function drawLine(line: string, y: number): readonly string[] {
  const drawn: string[] = [];
  let column = 0;
  let style: string | undefined;
  for (const piece of line
    .split(/\u001b\[([\d;]+)m/)
    .map((text, index) => ({ text, isCode: index % 2 === 1 }))) {
    if (piece.isCode) {
      style = piece.text === "0" ? undefined : piece.text;
      continue;
    }
    const fill = style === undefined ? undefined : COLOURS[style];
    if (style !== undefined && fill === undefined) throw new Error(`Cannot draw the style ${style}`);
    // A renderer drops spaces at the start of a text.
    for (const part of piece.text.split(/(█+|▒+|░+| {2,}|^ )/)) {
      const cells = measureCells(part);
      // A renderer may drop a space at the end, and would stretch the rest to the length of the whole.
      const shown = part.trimEnd();
      const x = PADDING + column * CELL;
      if (/^[█▒░]/.test(part)) {
        const opacity = part.startsWith("░") ? 0.25 : part.startsWith("▒") ? 0.6 : 1;
        const faint = opacity < 1 ? ` fill-opacity="${opacity}"` : "";
        drawn.push(
          `<rect x="${round(x)}" y="${round(y - 11)}" width="${round(cells * CELL)}" height="13"${fill === undefined ? "" : ` fill="${fill}"`}${faint}/>`,
        );
      } else if (shown !== "") {
        const weight = style?.startsWith("1") === true ? ' font-weight="700"' : "";
        drawn.push(
          `<text x="${round(x)}" y="${round(y)}" textLength="${round(measureCells(shown) * CELL)}" lengthAdjust="spacingAndGlyphs"${fill === undefined ? "" : ` fill="${fill}"`}${weight}>${Bun.escapeHTML(shown)}</text>`,
        );
      }
      column += cells;
    }
  }
  return drawn;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
