import { findUseLow, type Report } from "#report";
import { displayWidth, sanitize } from "../characters.ts";
import { terminalUrlOf, webLinkOf } from "../paths.ts";
import { listSummary, type Row, type Tone } from "../report_blocks.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import {
  describeCaution,
  describeLists,
  describeNetwork,
  describeReasons,
  describeResult,
  describeScore,
  listCredits,
  listNames,
  listSum,
} from "../report_fields.ts";
import { describeCounts } from "../source_groups.ts";
import {
  type Cell,
  columnOf,
  formatBar,
  paletteOf,
  TextWriter,
  toneOfLevel,
  writePurity,
} from "./text_writer.ts";
import { wrapAfterCommas, wrapItems, wrapText } from "./wrap.ts";

/** Most lines of each part, so that the whole has at most 40, and usually 24 to 26. */
const MOST = {
  verdict: 4,
  reason: 3,
  reasons: 4,
  basis: 2,
  fact: 2,
  sum: 4,
  warning: 2,
  credits: 2,
} as const;

/** Of the bar of the score, and of those of the use cases, which are two in a line. */
const BAR_CELLS = 30;
const USE_BAR_CELLS = 6;
/** Cells of the words after a bar, of those after a bar and a figure, and of a use case of the second column. */
const SCORE_CELLS = 31;
const LEVEL_CELLS = 9;
/** Of the low end of a use case. */
const LOW_CELLS = 4;
const USE_CELLS = 10;
const CUT = "...";
/** A terminal has 80 columns or more, and some break a line that is full. */
const WIDTH = 79;

interface ScreenContext extends ReportContext {
  readonly writer: TextWriter;
  /** Where bars and values begin. */
  readonly column: number;
  readonly summary: ReturnType<typeof listSummary>;
}

/**
 * Renders the most important parts of a report for one terminal screen: at most 40 lines of 79 columns, in the order of
 * the page. The score, the verdict, the facts, the use cases, the sum of the score, and what was checked. Longer parts
 * are cut. The last lines have the score again, which may have left the screen, and say where the whole report is: without
 * a page, by a command that has `options`. Only a URL may be longer than a line. Bars are block characters (U+2588, U+2592,
 * U+2591). They have a colour, and so has what makes the score less sure.
 */
export function renderScreen(
  report: Report,
  { colour, options = "" }: { readonly colour: boolean; readonly options?: string },
): string {
  const base = contextOf(report);
  const { labels } = base.texts;
  const writer = new TextWriter(paletteOf(colour, base.facts), WIDTH, listNames(report));
  const column = columnOf([labels.purity, labels.vpn, labels.breakdown, labels.blocklists], 0);
  const context: ScreenContext = { ...base, writer, column, summary: listSummary(base) };
  writeScore(context);
  // Nothing was asked about a special-purpose address, and its verdict says what it is.
  if (!report.flags.isBogon) {
    writer.blank();
    writeFacts(context);
    writer.blank();
    writeUses(context);
    writer.blank();
    writeChecked(context);
    writer.blank();
  }
  writeEnd(context, options);
  return writer.text();
}

function writeScore(context: ScreenContext): void {
  const { writer, column, report, facts, texts, summary } = context;
  const { labels } = texts;
  const address = cutText(report.ip, WIDTH - 10 - displayWidth(labels.title));
  writer.ends(`limpid  ${address}`, labels.title, "title");
  const isShort = facts.isScored && !facts.isThin;
  const score = cutText(describeScore(context), isShort ? SCORE_CELLS : WIDTH - column);
  writePurity(writer, context, { score, cells: BAR_CELLS });
  writeFields(context, summary.before);
  writeCut(context, report.risk.verdict, MOST.verdict, "strong");
}

/** Kind, place, network, flags and time. */
function writeFacts(context: ScreenContext): void {
  const { report, texts, page } = context;
  const { labels } = texts;
  const hostname = new Map(describeNetwork(context)).get(labels.hostname);
  const isNative = report.nativeType === "native";
  const rows = context.summary.after.flatMap((row): readonly Row[] => {
    const [label, value] = row;
    // That the address is native needs no explanation, so it stands beside the type of the address.
    if (label === labels.native && isNative) return [];
    if (label === labels.usage && isNative) return [[label, texts.joinDetails([value, page.natives.native])]];
    return label === labels.vpn && report.risk.verdict.includes(value) ? [] : [row];
  });
  const at = rows.findIndex(([label]) => label === labels.flags);
  writeFields(context, hostname === undefined ? rows : rows.toSpliced(at, 0, [labels.hostname, hostname]));
}

/** Writes the use cases in two columns, and what speaks against and for the address in them. */
function writeUses(context: ScreenContext): void {
  const { writer, column, report, facts, texts, plain, page } = context;
  const { scenarios, scenarioApplicable } = report;
  if (!scenarioApplicable) {
    writer.line(plain.noUses);
    return;
  }
  if (facts.isThin) writer.line(texts.notEnough, "strong");
  const half = Math.ceil(scenarios.length / 2);
  for (let row = 0; row < half; row++)
    writer.row(
      [
        ...listCells(context, scenarios[row], column - 1),
        { text: "", cells: 1 },
        ...listCells(context, scenarios[row + half], USE_CELLS),
      ],
      0,
    );
  const [low] = scenarios.flatMap((use) => findUseLow(use) ?? []);
  const basis = [...(low === undefined ? [] : [page.useMore(low)]), page.untested];
  writeCut(context, texts.joinSentences(basis), MOST.basis);
  let room: number = MOST.reasons;
  for (const reason of describeReasons(context)) {
    const lines = cutLines(plain.field(...reason), WIDTH, MOST.reason, writer.wrap);
    room -= lines.length;
    if (room < 0) break;
    for (const line of lines) writer.line(line);
  }
}

/** The cells of a use case. A level that is longer than its cell takes that of the bar. */
function listCells(
  { facts, page }: ScreenContext,
  scenario: Report["scenarios"][number] | undefined,
  cells: number,
): readonly Cell[] {
  if (scenario === undefined) return [];
  const { id, score, level, levelLabel } = scenario;
  const low = findUseLow(scenario);
  const isLong = displayWidth(levelLabel) > LEVEL_CELLS || score === null;
  const bar = {
    text: isLong ? "" : formatBar(score, USE_BAR_CELLS, low),
    cells: USE_BAR_CELLS,
    tone: toneOfLevel(level, facts),
  };
  const levelCells = LEVEL_CELLS + (isLong ? USE_BAR_CELLS + 1 : 0);
  return [
    { text: page.scenarios[id], cells },
    ...(isLong ? [] : [bar]),
    { text: score === null ? "--" : String(score), cells: 3, atEnd: true },
    { text: cutText(levelLabel, levelCells), cells: levelCells },
    { text: low === undefined ? "" : `${low}+`, cells: LOW_CELLS, tone: "suspicious" },
  ];
}

/** How the score is made, and what the lists and the other sources said. */
function writeChecked(context: ScreenContext): void {
  const { writer, column, report, facts, texts, plain } = context;
  const { labels } = texts;
  if (facts.isScored) {
    // The result is on the line of the last item.
    const sum = listSum(context);
    const parts = [...sum.slice(0, -2), sum.slice(-2).join(" ")];
    const items = parts.map((part) => cutText(part, WIDTH - column));
    const all = wrapItems("", items, "  ", WIDTH - column);
    const lines = all.length > MOST.sum ? [...all.slice(0, MOST.sum - 1), `${CUT} ${items.at(-1)}`] : all;
    writer.fields([{ label: labels.breakdown, lines }], column, 0);
  }
  const names = facts.lists.listed.map(({ label }) => label).join(plain.comma);
  writeFields(context, [
    [labels.blocklists, report.blocklists.length === 0 ? labels.noLists : describeLists(context)],
    ...(names === "" ? [] : [["", plain.field(labels.listed, names), "strong"] as const]),
    [labels.sources, describeCounts(context)],
  ]);
}

function writeEnd(context: ScreenContext, options: string): void {
  const { writer, report, facts, texts, plain } = context;
  const caution = describeCaution(context);
  if (caution !== undefined) writeCut(context, caution, MOST.warning);
  const credits = listCredits(context).map(({ text, url }) => `${text} (${url})`);
  if (credits.length > 0) writeCut(context, texts.joinClaims(credits), MOST.credits);
  if (facts.isScored) {
    const result = plain.field(report.ip, describeResult(context));
    const isShort = displayWidth(result) <= WIDTH;
    writeCut(context, isShort ? result : plain.field(report.ip, describeScore(context)), 1, "strong");
  }
  const page = webLinkOf(report.reportUrl);
  if (page === undefined) {
    writeCut(context, plain.say("wholeHere", report.ip + options), MOST.warning);
    return;
  }
  const terminal = terminalUrlOf(page).replaceAll("'", "%27");
  const other = terminal.replace(/(\/en)?(?=\/cli\/[^/]*$)/, report.lang === "en" ? "" : "/en");
  const places = plain.listPlaces({ page, terminal, other });
  for (const [name, place] of report.flags.isBogon ? places.slice(0, 1) : places) {
    const line = plain.field(name, place);
    // What is to be copied is not broken.
    writer.line(displayWidth(line) > WIDTH ? `${plain.say("reasonPrefix", name)}\n${place}` : line);
  }
}

/** Writes labels and values, each cut to a few lines. */
function writeFields({ writer, column, texts: { labels } }: ScreenContext, rows: readonly Row[]): void {
  const fields = rows.map(([label, value, tone]) => {
    const wrap = label === labels.flags || label === labels.sources ? wrapAfterCommas : writer.wrap;
    const isShort = [labels.place, labels.vpn, labels.hostname].includes(label);
    const most = label === labels.flags ? 3 : isShort ? 1 : MOST.fact;
    return { label, lines: cutLines(value, WIDTH - column, most, wrap), tone };
  });
  writer.fields(fields, column, 0);
}

function writeCut({ writer }: ScreenContext, text: string, most: number, tone?: Tone): void {
  for (const line of cutLines(text, WIDTH, most, writer.wrap)) writer.line(line, tone);
}

/** Wraps a text and keeps at most `most` lines. A cut text ends with dots. */
function cutLines(text: string, width: number, most: number, wrap = wrapText): readonly string[] {
  const lines = wrap(sanitize(text), width);
  if (lines.length <= most) return lines;
  const last = wrapText(lines[most - 1] ?? "", width - CUT.length)[0] ?? "";
  return [...lines.slice(0, most - 1), `${last.replace(/[-,;\uff0c\u3001]+$/, "")}${CUT}`];
}

/** Keeps as much of a text as fits one line of `width` cells. */
function cutText(text: string, width: number): string {
  return cutLines(text, width, 1)[0] ?? "";
}
