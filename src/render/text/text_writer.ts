import type { ReportFacts, ScenarioLevel } from "#report";
import { displayWidth, sanitize } from "../characters.ts";
import ALL_COLOURS from "../colours.json" with { type: "json" };
import type { Row, Tone } from "../report_blocks.ts";
import type { ReportContext } from "../report_context.ts";
import { describeLow } from "../report_fields.ts";
import { wrapAfterCommas, wrapAround, wrapText } from "./wrap.ts";

/** Width of a line, in terminal cells. */
export const WIDTH = 72;
/** Spaces before the lines of a section. */
export const INDENT = 2;
const MIN_LABEL_CELLS = 14;
const MAX_LABEL_CELLS = 30;

/** The escape sequences before a piece of each tone and after it. Without a palette, tones have no effect. */
export interface Palette {
  readonly before: Readonly<Record<Tone, string>>;
  readonly after: string;
}

/**
 * Colours of a terminal report: Select Graphic Rendition (ECMA-48, 8.3.117). The order is that of the page: green,
 * yellow, orange, red. Yellow and orange are of the 256 colours of xterm, because the yellow of the 16 is hard to read
 * on a light ground. Dim is used for lines only, because some terminals do not show it.
 */
export const COLOURS: Palette = ALL_COLOURS.terminal;

/** The colours of a thin report: nothing is green. */
const { strong } = COLOURS.before;
const THIN_COLOURS: Palette = { ...COLOURS, before: { ...COLOURS.before, pristine: strong, clean: strong } };

/** The palette of a report: none without colour. */
export function paletteOf(colour: boolean, { isThin }: ReportFacts): Palette | undefined {
  return colour ? (isThin ? THIN_COLOURS : COLOURS) : undefined;
}

/** The tone of a level of a use case. With too little data a level has none; that a region is restricted is certain. */
export function toneOfLevel(level: ScenarioLevel, { isThin }: ReportFacts): Tone | undefined {
  return isThin && level !== "restricted" ? undefined : LEVEL_TONES[level];
}

const LEVEL_TONES = ALL_COLOURS.levels as Readonly<Partial<Record<ScenarioLevel, Tone>>>;

/** The cells of a bar: of the score, of its part above the low end, which is not sure, and of the rest. */
const [SURE, UNSURE, REST] = ["\u2588", "\u2592", "\u2591"];

/** Formats a score as a bar. Only a score of 0 gives an empty bar, and only 100 a full one. `low`: the low end. */
export function formatBar(score: number, cells: number, low = score): string {
  const near = Math.round((score / 100) * cells);
  const filled = Math.min(Math.max(near, score > 0 ? 1 : 0), score < 100 ? cells - 1 : cells);
  const sure = low < score ? Math.min(Math.round((low / 100) * cells), filled - 1) : filled;
  return SURE.repeat(sure) + UNSURE.repeat(filled - sure) + REST.repeat(cells - filled);
}

/** A label with the lines of its value, which must be sanitized and wrapped to the column, and a tone. */
export interface FieldLines {
  readonly label: string;
  readonly lines: readonly string[];
  readonly tone?: Tone | undefined;
}

/** A cell of a row: its text, its width in terminal cells, and its alignment. */
export interface Cell {
  readonly text: string;
  readonly cells: number;
  readonly atEnd?: boolean;
  readonly tone?: Tone | undefined;
}

/** Returns that many spaces, none when negative. */
export function spaces(cells: number): string {
  return " ".repeat(Math.max(0, cells));
}

/** Returns the column where the values begin next to these labels. */
export function columnOf(labels: readonly string[], indent = INDENT): number {
  let widest = MIN_LABEL_CELLS;
  for (const label of labels) widest = Math.max(widest, displayWidth(label));
  return indent + Math.min(widest, MAX_LABEL_CELLS) + 2;
}

/**
 * Writes lines of at most `width` cells, and sanitizes the strings that it is given. `palette` adds colours. Each of
 * `names` stays on one line.
 */
export class TextWriter {
  readonly #palette: Palette | undefined;
  readonly width: number;
  /** Breaks a sanitized text into lines, but no name. */
  readonly wrap: (text: string, width: number) => string[];
  #text = "";

  constructor(palette?: Palette, width = WIDTH, names: readonly string[] = []) {
    this.#palette = palette;
    this.width = width;
    this.wrap = (text, cells) => wrapAround(text, cells, names);
  }

  /** Returns all the text written so far. */
  text(): string {
    return this.#text;
  }

  blank(): void {
    this.#text += "\n";
  }

  /** Writes a line as it is: it must be sanitized and short enough. */
  line(text: string, tone?: Tone): void {
    this.#put(text, tone);
    this.blank();
  }

  /** Writes one text at the left edge of the line and one at the right edge; both are sanitized and fit. */
  ends(left: string, right: string, tone: Tone): void {
    this.line(left + spaces(this.width - displayWidth(left) - displayWidth(right)) + right, tone);
  }

  /** Writes a heading with a rule. A long one continues below. */
  heading(title: string): void {
    const [first = "", ...others] = wrapText(sanitize(title), WIDTH - 5);
    this.#put("-- ", "quiet");
    this.#put(first, "title");
    this.line(` ${"-".repeat(WIDTH - 4 - displayWidth(first))}`, "quiet");
    for (const line of others) this.#indented(line, 3, "title");
  }

  /** Writes an empty line and a heading. */
  section(title: string): void {
    this.blank();
    this.heading(title);
  }

  /** Writes a wrapped text. */
  paragraph(text: string, indent: number, { tone }: { tone?: Tone } = {}): void {
    for (const part of this.wrap(sanitize(text), this.width - indent))
      if (part !== "") this.#indented(part, indent, tone);
  }

  fields(fields: readonly FieldLines[], column: number, indent = INDENT): void {
    for (const { label, lines, tone } of fields) {
      const labels = wrapText(sanitize(label), column - indent - 2);
      const height = Math.max(labels.length, lines.length);
      for (let index = 0; index < height; index++) {
        const name = labels[index] ?? "";
        const value = lines[index] ?? "";
        if (value === "") {
          if (name !== "") this.#indented(name, indent);
          continue;
        }
        const start = name === "" ? "" : spaces(indent) + name;
        this.#text += start + spaces(column - displayWidth(start));
        this.line(value, tone);
      }
    }
  }

  /** Writes labels in one column and wrapped values in the other. The value at the label `list` is a list. */
  rows(rows: readonly Row[], indent = INDENT, list?: string): void {
    const labels = rows.map(([label]) => sanitize(label));
    const column = columnOf(labels, indent);
    const fields = rows.map(([label, value, tone]) => {
      const wrap = label === list ? wrapAfterCommas : this.wrap;
      return { label, lines: wrap(sanitize(value), this.width - column), tone };
    });
    this.fields(fields, column, indent);
  }

  /** Writes cells in columns, one space apart. A long text continues below, in its own column. */
  row(cells: readonly Cell[], indent = INDENT): void {
    const columns = cells.map((cell) => ({ ...cell, lines: wrapText(sanitize(cell.text), cell.cells) }));
    const height = Math.max(...columns.map(({ lines }) => lines.length));
    for (let index = 0; index < height; index++) {
      let gap = indent;
      for (const { lines, cells, atEnd = false, tone } of columns) {
        const text = lines[index] ?? "";
        const free = cells - displayWidth(text);
        if (text === "") gap += cells + 1;
        else {
          this.#text += spaces(gap + (atEnd ? free : 0));
          this.#put(text, tone);
          gap = (atEnd ? 0 : free) + 1;
        }
      }
      this.blank();
    }
  }

  #put(text: string, tone: Tone | undefined): void {
    const palette = this.#palette;
    this.#text +=
      palette === undefined || tone === undefined ? text : palette.before[tone] + text + palette.after;
  }

  #indented(text: string, indent: number, tone?: Tone): void {
    this.#text += spaces(indent);
    this.line(text, tone);
  }
}

/** Writes the purity with a bar of `cells`, and its low end. Where the data are enough, the bar has the colour of the band. */
export function writePurity(
  writer: TextWriter,
  context: ReportContext,
  { score, cells }: { readonly score: string; readonly cells: number },
): void {
  const { report, facts, texts } = context;
  const { purity } = texts.labels;
  const column = columnOf([purity], 0);
  const bar = formatBar(report.risk.purity, cells, facts.hasLow ? facts.low : undefined);
  if (!facts.isScored || facts.isThin) writer.rows([[purity, score, "strong"]], 0);
  else
    writer.row(
      [
        { text: purity, cells: column - 1 },
        { text: bar, cells, tone: report.risk.level },
        { text: score, cells: writer.width - column - cells - 1, tone: "strong" },
      ],
      0,
    );
  for (const low of describeLow(context))
    writer.rows([["", facts.isThin ? low : `${UNSURE} ${low}`, "suspicious"]], 0);
}
