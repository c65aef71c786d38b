import type { ReportFacts, ScenarioLevel } from "#report";
import { displayWidth } from "../characters.ts";
import type { Tone } from "../report_blocks.ts";
import { sanitize } from "../sanitize.ts";
import { wrapText } from "./wrap.ts";

/** Width of a line, in terminal cells. */
export const WIDTH = 72;
/** Spaces before the lines of a section. */
export const INDENT = 2;
const MIN_LABEL_CELLS = 14;
const MAX_LABEL_CELLS = 30;
const NO_OPTIONS = {};

/** The escape sequences before a piece of each tone and after it. Without a palette, tones have no effect. */
export interface Palette {
  readonly before: Readonly<Record<Tone, string>>;
  readonly after: string;
}

/**
 * Colours of a terminal report: Select Graphic Rendition (ECMA-48, 8.3.117). Yellow, white, black and the bright colours
 * are hard to read on one of the usual backgrounds. Dim is used for lines only, because some terminals do not show it.
 */
export const COLOURS: Palette = {
  before: {
    title: "\u001b[1m",
    strong: "\u001b[1m",
    quiet: "\u001b[2m",
    pristine: "\u001b[1;32m",
    clean: "\u001b[32m",
    neutral: "\u001b[36m",
    suspicious: "\u001b[35m",
    risky: "\u001b[31m",
    dangerous: "\u001b[1;31m",
  },
  after: "\u001b[0m",
};

/** The colours of a thin report: nothing is green. */
const { strong } = COLOURS.before;
const THIN_COLOURS: Palette = { ...COLOURS, before: { ...COLOURS.before, pristine: strong, clean: strong } };

/** The palette of a report: none without colour. */
export function paletteOf(colour: boolean, { isThin }: ReportFacts): Palette | undefined {
  return colour ? (isThin ? THIN_COLOURS : COLOURS) : undefined;
}

/** The tone of each level of a use case. */
export const LEVEL_TONES: Readonly<Partial<Record<ScenarioLevel, Tone>>> = {
  excellent: "pristine",
  good: "clean",
  fair: "neutral",
  poor: "suspicious",
  unusable: "risky",
  restricted: "risky",
};

/** The tone of an effect on purity. */
export function toneOf(effect: number): Tone | undefined {
  return effect < 0 ? "risky" : effect > 0 ? "clean" : undefined;
}

/** Formats a score as a bar of two characters. Only a score of 0 gives an empty bar, and only 100 a full one. */
export function formatBar(score: number, cells: number, [full, rest]: readonly [string, string]): string {
  const near = Math.round((score / 100) * cells);
  const filled = Math.min(Math.max(near, score > 0 ? 1 : 0), score < 100 ? cells - 1 : cells);
  return full.repeat(filled) + rest.repeat(cells - filled);
}

/** A label with the lines of its value, which must be sanitized and wrapped to the column, and a tone. */
export interface FieldLines {
  readonly label: string;
  readonly lines: readonly string[];
  readonly tone?: Tone | undefined;
}

/** A label, its value, and the tone of the value. */
export type Row = readonly [label: string, value: string, tone?: Tone];

/** A cell of a row: its text, its width in terminal cells, and its alignment. */
export interface Cell {
  readonly text: string;
  readonly cells: number;
  readonly atEnd?: boolean;
  readonly tone?: Tone | undefined;
}

/** Writes lines of at most {@link WIDTH} cells, and sanitizes the strings that it is given. */
export interface TextWriter {
  /** Returns all the text written so far. */
  text(): string;
  blank(): void;
  /** Writes a line as it is: it must be sanitized and short enough. */
  line(text: string, tone?: Tone): void;
  heading(title: string): void;
  /** Writes an empty line and a heading. */
  section(title: string): void;
  paragraph(text: string, indent: number, options?: { readonly end?: number; readonly tone?: Tone }): void;
  fields(fields: readonly FieldLines[], column: number, indent?: number): void;
  /** Writes labels in one column and wrapped values in the other. */
  rows(rows: readonly Row[], indent?: number): void;
  /** Writes cells in columns, one space apart. A long text continues below, in its own column. */
  row(cells: readonly Cell[]): void;
}

const SPACES = Array.from({ length: WIDTH + 1 }, (_, cells) => " ".repeat(cells));
const DASHES = SPACES.map((space) => ` ${"-".repeat(space.length)}`);

/** Returns that many spaces, none when negative. */
export function spaces(cells: number): string {
  return SPACES[Math.max(0, cells)] ?? " ".repeat(cells);
}

/** Returns the column where the values begin next to these labels. */
export function columnOf(labels: readonly string[], indent = INDENT): number {
  let widest = MIN_LABEL_CELLS;
  for (const label of labels) widest = Math.max(widest, displayWidth(label));
  return indent + Math.min(widest, MAX_LABEL_CELLS) + 2;
}

/** Creates an empty {@link TextWriter}. `palette` adds colours. */
export function createTextWriter(palette?: Palette): TextWriter {
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
    pieces.push(spaces(indent));
    line(text, tone);
  }

  function heading(title: string): void {
    put("-- ", "quiet");
    put(title, "title");
    line(DASHES[Math.max(0, WIDTH - 4 - displayWidth(title))] ?? "", "quiet");
  }

  function writeFields(fields: readonly FieldLines[], column: number, indent = INDENT): void {
    for (const { label, lines, tone } of fields) {
      const labels = wrapText(sanitize(label), column - indent - 2);
      const height = Math.max(labels.length, lines.length);
      for (let index = 0; index < height; index++) {
        const name = labels[index] ?? "";
        const value = lines[index] ?? "";
        if (value !== "") {
          if (name === "") pieces.push(spaces(column));
          else pieces.push(spaces(indent), name, spaces(column - indent - displayWidth(name)));
          line(value, tone);
        } else if (name !== "") indented(name, indent);
      }
    }
  }

  return {
    text: () => pieces.join(""),
    line,
    heading,
    fields: writeFields,
    section(title) {
      pieces.push("\n");
      heading(title);
    },
    rows(rows, indent = INDENT) {
      const column = columnOf(
        rows.map(([label]) => sanitize(label)),
        indent,
      );
      const fields = rows.map(([label, value, tone]): FieldLines => {
        return { label, lines: wrapText(sanitize(value), WIDTH - column), tone };
      });
      writeFields(fields, column, indent);
    },
    blank() {
      pieces.push("\n");
    },
    paragraph(text, indent, { end = WIDTH, tone } = NO_OPTIONS) {
      for (const part of wrapText(sanitize(text), end - indent)) {
        if (part !== "") indented(part, indent, tone);
      }
    },
    row(cells) {
      const wrapped = cells.map((cell) => wrapText(sanitize(cell.text), cell.cells));
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
            pieces.push(spaces(gap + (cell.atEnd ? free : 0)));
            put(text, cell.tone);
            gap = (cell.atEnd ? 0 : free) + 1;
          }
        }
        pieces.push("\n");
      }
    },
  };
}
