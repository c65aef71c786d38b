import type { Report } from "#report";
import { displayWidth, sanitize } from "../characters.ts";
import { listSummary, type Tone } from "../report_blocks.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import {
  describeLists,
  describeNetwork,
  describeScore,
  describeSources,
  listCredits,
  listSum,
} from "../report_fields.ts";
import type { TerminalOptions } from "./report_text.ts";
import {
  columnOf,
  formatBar,
  LEVEL_TONES,
  paletteOf,
  type Row,
  TextWriter,
  WIDTH,
  writePurity,
} from "./text_writer.ts";
import { wrapItems, wrapText } from "./wrap.ts";

/** Most lines of each part, so that the whole has at most 40, which fit on one screen. */
const MOST = { verdict: 5, note: 2, reason: 2, sum: 5, warning: 2, credits: 2 } as const;

const FACT_LINES = 2;

const BAR_CELLS = 30;
const BAR = ["\u2588", "\u2591"] as const;
/** Cells of the words after a bar, and of those after a bar and a figure. */
const SCORE_CELLS = 25;
const LEVEL_CELLS = 20;
const CUT = "...";

interface ScreenContext extends ReportContext {
  readonly writer: TextWriter;
  /** Where bars and values begin. */
  readonly column: number;
  /** Most lines of a value, by its label; of any other one FACT_LINES. */
  readonly mostLines: ReadonlyMap<string, number>;
}

/**
 * Renders the most important parts of a report for one terminal screen: at most 40 lines of 72 columns, in the order of
 * the page. The score, the verdict, the facts, the use cases, the sum of the score, and what was checked. Longer parts
 * are cut, and the last line says where the whole report is. Bars are block characters (U+2588, U+2591). Only they have
 * a colour, because no colour is easy to read on both light and dark grounds.
 */
export function renderScreen(report: Report, { colour }: TerminalOptions): string {
  const base = contextOf(report);
  const { labels } = base.texts;
  const writer = new TextWriter(paletteOf(colour, base.facts));
  const column = columnOf([labels.purity, labels.vpn, labels.breakdown, labels.blocklists], 0);
  const oneLine = [labels.place, labels.vpn, labels.hostname].map((label) => [label, 1] as const);
  const mostLines = new Map([...oneLine, [labels.flags, 3]]);
  const context: ScreenContext = { ...base, writer, column, mostLines };
  writeScore(context);
  // Nothing was asked about a special-purpose address, and its verdict says what it is.
  if (!report.flags.isBogon) {
    writer.blank();
    writeFacts(context);
    writer.blank();
    writeUses(context);
    writer.blank();
    writeChecked(context);
  }
  writer.blank();
  writeEnd(context);
  return writer.text();
}

function writeScore(context: ScreenContext): void {
  const { writer, column, report, facts, texts } = context;
  const { labels } = texts;
  const { risk } = report;
  const address = cutText(report.ip, WIDTH - 10 - displayWidth(labels.title));
  writer.ends(`limpid  ${address}`, labels.title, "title");
  const score = cutText(
    describeScore(context),
    facts.isScored && !facts.isThin ? SCORE_CELLS : WIDTH - column,
  );
  writePurity(writer, context, { score, bar: formatBar(risk.purity, BAR_CELLS, BAR) });
  if (!report.flags.isBogon)
    writeFields(context, [
      [labels.confidence, texts.confidences[risk.confidence]],
      ...listSummary(context).before,
    ]);
  writer.blank();
  writeCut(context, risk.verdict, MOST.verdict, "strong");
}

/** Kind, place, network, flags and time. */
function writeFacts(context: ScreenContext): void {
  const { labels } = context.texts;
  const hostname = new Map(describeNetwork(context)).get(labels.hostname);
  const rows = [...listSummary(context).after];
  if (hostname !== undefined) rows.splice(-1, 0, [labels.hostname, hostname]);
  writeFields(context, rows);
}

function writeUses(context: ScreenContext): void {
  const { writer, column, report, texts, plain, page } = context;
  const { scenarios, scenarioNote } = report;
  if (scenarioNote !== undefined) {
    writeCut(context, scenarioNote, MOST.note);
    return;
  }
  for (const { id, score, level, levelLabel } of scenarios) {
    const bar = score === null ? "" : formatBar(score, BAR_CELLS, BAR);
    writer.row(
      [
        { text: page.scenarios[id], cells: column - 1 },
        { text: bar, cells: BAR_CELLS, tone: LEVEL_TONES[level] },
        { text: score === null ? "--" : String(score), cells: 3, atEnd: true },
        { text: cutText(levelLabel, LEVEL_CELLS), cells: LEVEL_CELLS },
      ],
      0,
    );
  }
  const [reason, other] = new Set(scenarios.map((scenario) => scenario.reason));
  if (reason !== undefined && other === undefined)
    writeCut(context, plain.field(texts.labels.reason, reason), MOST.reason);
}

/** How the score is made, and what the lists and the other sources said. */
function writeChecked(context: ScreenContext): void {
  const { writer, column, report, facts, texts, plain } = context;
  const { labels } = texts;
  if (facts.isScored) {
    const parts = listSum(context).map((part) => cutText(part, WIDTH - column));
    const sum = wrapItems("", parts, " ", WIDTH - column);
    const lines = sum.length > MOST.sum ? [...sum.slice(0, MOST.sum - 1), `${CUT} ${parts.at(-1)}`] : sum;
    writer.fields([{ label: labels.breakdown, lines }], column, 0);
  }
  const { listed } = facts.lists;
  const names = listed.map(({ label }) => label).join(plain.comma);
  writeFields(context, [
    [labels.blocklists, report.blocklists.length === 0 ? labels.noLists : describeLists(context)],
    ...(names === "" ? [] : [["", plain.field(labels.listed, names), "strong"] as const]),
    [labels.sources, describeSources(context)],
  ]);
}

function writeEnd(context: ScreenContext): void {
  const { writer, report, plain } = context;
  if (!report.flags.isBogon) writeCut(context, plain.noSignals, MOST.warning);
  const credits = listCredits(context).map(({ text, url }) => `${text} (${url})`);
  if (credits.length > 0) writeCut(context, credits.join("; "), MOST.credits);
  writer.paragraph(plain.whole(report.reportUrl), 0, { tone: "strong" });
}

/** Writes labels and values, each cut to a few lines. */
function writeFields({ writer, column, mostLines }: ScreenContext, rows: readonly Row[]): void {
  const fields = rows.map(([label, value, tone]) => {
    const lines = cutLines(value, WIDTH - column, mostLines.get(label) ?? FACT_LINES);
    return { label, lines, tone };
  });
  writer.fields(fields, column, 0);
}

function writeCut({ writer }: ScreenContext, text: string, most: number, tone?: Tone): void {
  for (const line of cutLines(text, WIDTH, most)) writer.line(line, tone);
}

/** Wraps a text and keeps at most `most` lines. A cut text ends with dots. */
function cutLines(text: string, width: number, most: number): readonly string[] {
  const lines = wrapText(sanitize(text), width);
  if (lines.length <= most) return lines;
  const last = wrapText(lines[most - 1] ?? "", width - CUT.length)[0] ?? "";
  return [...lines.slice(0, most - 1), `${last}${CUT}`];
}

/** Keeps as much of a text as fits one line of `width` cells. */
function cutText(text: string, width: number): string {
  return cutLines(text, width, 1)[0] ?? "";
}
