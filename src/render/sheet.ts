import { displayWidth } from "./display_width.ts";
import { neutralise } from "./neutralise.ts";
import { wrapText } from "./wrap_text.ts";

/** Columns of the sheet. */
export const WIDTH = 72;
/** Blanks before the lines of a section. */
export const INDENT = 2;
const LABEL_CELLS = 14;
const LONGEST_LABEL = 30;
const FIGURE_CELLS = 8;
const NO_OPTIONS = {};

/** What a piece of text means to the eye; never the only bearer of its meaning. */
export type Tone =
  | "title"
  | "strong"
  | "quiet"
  | "pristine"
  | "clean"
  | "neutral"
  | "suspicious"
  | "risky"
  | "dangerous";

/** What stands before a piece of each tone, and what ends it; without a palette tones leave no trace. */
export interface Palette {
  readonly before: Readonly<Record<Tone, string>>;
  readonly after: string;
}

/** A label, the lines of its value, already neutral and wrapped to what {@link Sheet.columnOf} leaves, and a tone. */
export interface Field {
  readonly label: string;
  readonly lines: readonly string[];
  readonly tone?: Tone | undefined;
}

/** A cell of a row: what it says, the cells it has, and where it stands in them. */
export interface Cell {
  readonly text: string;
  readonly cells: number;
  readonly atEnd?: boolean;
  readonly tone?: Tone | undefined;
}

/** Lines of at most {@link WIDTH} cells under composition; strings are neutralised on the way in. */
export interface Sheet {
  /** Everything so far, painted. */
  read(): string;
  blank(): void;
  /** A line as it is: neutral, and not too long. */
  line(text: string, tone?: Tone): void;
  heading(title: string): void;
  paragraph(text: string, indent: number, options?: { readonly end?: number; readonly tone?: Tone }): void;
  fields(rows: readonly Field[], column: number, indent?: number): void;
  /** A label at the left and a figure at the right edge. */
  amount(label: string, figure: string, tone?: Tone): void;
  /** Cells in columns, one blank between; a cell too long goes on below, in its own column. */
  row(cells: readonly Cell[]): void;
}

const BLANKS = Array.from({ length: WIDTH + 1 }, (_, cells) => " ".repeat(cells));
const DASHES = BLANKS.map((blank) => ` ${"-".repeat(blank.length)}`);

/** That many blanks, 0 when negative. */
export function blanks(cells: number): string {
  return BLANKS[Math.max(0, cells)] ?? " ".repeat(cells);
}

/** Where the values begin beside these labels. */
export function columnOf(labels: readonly string[], indent = INDENT): number {
  let widest = LABEL_CELLS;
  for (const label of labels) widest = Math.max(widest, displayWidth(label));
  return indent + Math.min(widest, LONGEST_LABEL) + 2;
}

/** An empty sheet, painted with the palette as it is written. */
export function createSheet(palette?: Palette): Sheet {
  const pieces: string[] = [];

  function put(text: string, tone: Tone | undefined): void {
    if (palette === undefined || tone === undefined) pieces.push(text);
    else pieces.push(palette.before[tone], text, palette.after);
  }

  function line(text: string, tone?: Tone): void {
    put(text, tone);
    pieces.push("\n");
  }

  function indented(text: string, indent: number, tone?: Tone): void {
    pieces.push(blanks(indent));
    line(text, tone);
  }

  return {
    read: () => pieces.join(""),
    line,
    blank() {
      pieces.push("\n");
    },
    heading(title) {
      put("-- ", "quiet");
      put(title, "title");
      line(DASHES[Math.max(0, WIDTH - 4 - displayWidth(title))] ?? "", "quiet");
    },
    paragraph(text, indent, { end = WIDTH, tone } = NO_OPTIONS) {
      for (const part of wrapText(neutralise(text), end - indent)) {
        if (part !== "") indented(part, indent, tone);
      }
    },
    fields(rows, column, indent = INDENT) {
      for (const { label, lines, tone } of rows) {
        const labels = wrapText(neutralise(label), column - indent - 2);
        const height = Math.max(labels.length, lines.length);
        for (let index = 0; index < height; index++) {
          const name = labels[index] ?? "";
          const value = lines[index] ?? "";
          if (value !== "") {
            if (name === "") pieces.push(blanks(column));
            else pieces.push(blanks(indent), name, blanks(column - indent - displayWidth(name)));
            line(value, tone);
          } else if (name !== "") indented(name, indent);
        }
      }
    },
    amount(label, figure, tone) {
      const lines = wrapText(neutralise(label), WIDTH - INDENT - FIGURE_CELLS);
      const first = lines[0] ?? "";
      pieces.push(blanks(INDENT), first, blanks(WIDTH - INDENT - displayWidth(first) - figure.length));
      line(figure, tone);
      for (let index = 1; index < lines.length; index++) indented(lines[index] ?? "", INDENT);
    },
    row(cells) {
      const wrapped = cells.map((cell) => wrapText(neutralise(cell.text), cell.cells));
      let height = 0;
      for (const lines of wrapped) height = Math.max(height, lines.length);
      for (let index = 0; index < height; index++) {
        let gap = INDENT;
        for (let column = 0; column < cells.length; column++) {
          const cell = cells[column];
          if (cell === undefined) continue;
          const text = wrapped[column]?.[index] ?? "";
          const free = cell.cells - displayWidth(text);
          if (text === "") gap += cell.cells + 1;
          else {
            pieces.push(blanks(gap + (cell.atEnd ? free : 0)));
            put(text, cell.tone);
            gap = (cell.atEnd ? 0 : free) + 1;
          }
        }
        pieces.push("\n");
      }
    },
  };
}
