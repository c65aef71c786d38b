import { pickHeaviest, type Report } from "#report";
import { displayWidth, sanitize } from "../characters.ts";
import { listSummary, type Tone } from "../report_blocks.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import {
  describeLists,
  describeNetwork,
  describeScore,
  formatEffect,
  listCredits,
} from "../report_fields.ts";
import {
  columnOf,
  type FieldLines,
  formatBar,
  LEVEL_TONES,
  paletteOf,
  spaces,
  TextWriter,
  toneOf,
  WIDTH,
} from "./text_writer.ts";
import { wrapText } from "./wrap.ts";

/** Most lines of each part, so that the whole has at most 40, which fit on one screen. */
const MOST = {
  verdict: 5,
  note: 2,
  reason: 1,
  fact: 2,
  deductions: 6,
  lists: 2,
  warning: 2,
  credits: 2,
} as const;

const GAUGE_CELLS = 30;
const BAR_CELLS = 20;
const BAR = ["\u2588", "\u2591"] as const;
/** Most cells of a name from the report, such as that of a use case. */
const MAX_WORD_CELLS = 23;
const MAX_SCORE_CELLS = 40;
const CUT = "...";

interface ScreenContext extends ReportContext {
  readonly writer: TextWriter;
}

/** What a terminal report may use. */
export interface ScreenOptions {
  readonly colour: boolean;
}

/**
 * Renders the most important parts of a report for one terminal screen: at most 40 lines of 72 columns. The score, the
 * use cases, the facts, the deductions, and what was checked. Longer parts are cut, and the last line says where the
 * whole report is. Bars are block characters (U+2588, U+2591); nothing in their line is aligned after them except text
 * that may shift. Colours are those of the full terminal report.
 */
export function renderScreen(report: Report, { colour }: ScreenOptions): string {
  const base = contextOf(report);
  const writer = new TextWriter(paletteOf(colour, base.facts));
  const context: ScreenContext = { ...base, writer };
  writeScore(context);
  writer.blank();
  // Nothing was asked about a special-purpose address, and its verdict says what it is.
  if (!report.flags.isBogon) {
    writeUses(context);
    writer.blank();
    writer.fields(describeFacts(context), columnOfFacts(context), 0);
    writer.blank();
    writeDeductions(context);
    if (context.facts.isScored) writer.blank();
    writeChecked(context);
    writer.blank();
  }
  writeEnd(context);
  return writer.text();
}

function writeScore(context: ScreenContext): void {
  const { writer, report, facts, texts, plain } = context;
  const { labels } = texts;
  const { risk } = report;
  const title = `limpid  ${cutText(report.ip, WIDTH - 10 - displayWidth(labels.title))}`;
  const confidence = plain.field(labels.confidence, texts.confidences[risk.confidence]);
  writer.line(
    `${title}${spaces(WIDTH - displayWidth(title) - displayWidth(labels.title))}${labels.title}`,
    "title",
  );
  const isSure = facts.isScored && !facts.isThin;
  const bar = isSure ? `${formatBar(risk.purity, GAUGE_CELLS, BAR)} ` : "";
  const score = cutText(describeScore(context), MAX_SCORE_CELLS);
  writer.line(`${bar}${score}  ${confidence}`, isSure ? risk.level : "strong");
  writeCut(writer, risk.verdict, MOST.verdict, "strong");
}

function writeUses({ writer, report, texts, plain }: ScreenContext): void {
  const { scenarios, scenarioNote } = report;
  if (scenarioNote !== undefined) {
    writeCut(writer, scenarioNote, MOST.note);
    return;
  }
  const labels = scenarios.map(({ label }) => cutText(label, MAX_WORD_CELLS));
  const widest = Math.max(0, ...labels.map(displayWidth));
  for (const [index, { score, level, levelLabel }] of scenarios.entries()) {
    const label = labels[index] ?? "";
    const name = `${label}${spaces(widest + 2 - displayWidth(label))}`;
    const figure = score === null ? " --" : String(score).padStart(3);
    const bar = formatBar(score ?? 0, BAR_CELLS, BAR);
    const line = `${name}${bar} ${figure} ${cutText(levelLabel, MAX_WORD_CELLS)}`;
    writer.line(line.trimEnd(), LEVEL_TONES[level]);
  }
  const [reason, other] = new Set(scenarios.map((scenario) => scenario.reason));
  if (reason !== undefined && other === undefined)
    writeCut(writer, plain.field(texts.labels.reason, reason), MOST.reason);
}

/** Kind, flags, place, network and time. */
function describeFacts(context: ScreenContext): readonly FieldLines[] {
  const { report, facts, texts } = context;
  const { labels } = texts;
  const summary = new Map(listSummary(context).after);
  const network = new Map(describeNetwork(context));
  const read = (...names: readonly string[]) => names.flatMap((name) => network.get(name) ?? []).join(", ");
  const native = report.nativeType === "unknown" ? [] : [texts.natives[report.nativeType]];
  const rows: readonly (readonly [label: string, value: string])[] = [
    [labels.usage, texts.joinItems([texts.usages[report.usageType], ...native])],
    [labels.flags, summary.get(labels.flags) ?? ""],
    [labels.place, read(labels.country, labels.region, labels.city)],
    [labels.network, facts.network],
    [labels.hostname, read(labels.hostname)],
    [labels.surveyed, summary.get(labels.surveyed) ?? ""],
  ];
  const column = columnOf([...rows.map(([label]) => label), labels.blocklists, labels.sources], 0);
  return rows
    .filter(([, value]) => value !== "")
    .map(([label, value]) => ({ label, lines: cutLines(value, WIDTH - column, MOST.fact) }));
}

function columnOfFacts({ texts: { labels } }: ScreenContext): number {
  return columnOf([labels.usage, labels.flags, labels.surveyed, labels.blocklists, labels.sources], 0);
}

/** The deductions in the order of the report. Where there are too many, those of the fewest points are summed. */
function writeDeductions({ writer, report, facts, texts, plain }: ScreenContext): void {
  const { factors } = report.risk;
  if (!facts.isScored) return;
  if (factors.length === 0) writer.line(texts.labels.noFactors);
  const shown = factors.length <= MOST.deductions ? factors : pickHeaviest(factors, MOST.deductions - 1);
  const rest = factors.filter((factor) => !shown.includes(factor));
  const points = Math.round(rest.reduce((total, factor) => total + factor.points, 0) * 100) / 100;
  for (const factor of rest.length === 0 ? shown : [...shown, { label: plain.others(rest.length), points }]) {
    const effect = 0 - factor.points;
    const line = `${formatEffect(effect).padStart(6)}  ${cutText(factor.label, WIDTH - 8)}`;
    writer.line(line.trimEnd(), toneOf(effect));
  }
}

/** What the lists and the other sources said. */
function writeChecked(context: ScreenContext): void {
  const { writer, report, facts, texts, plain } = context;
  const { labels } = texts;
  const { listed } = facts.lists;
  const count = report.blocklists.length === 0 ? labels.noLists : describeLists(context);
  const names = listed.map(({ label }) => label).join(plain.comma);
  const { answered, failed, skipped } = facts.sources;
  const sources = texts.sourceCount(answered.length, failed.length, skipped.length);
  const column = columnOfFacts(context);
  writer.fields(
    [
      {
        label: labels.blocklists,
        lines: [
          ...cutLines(count, WIDTH - column, MOST.lists),
          ...(names === "" ? [] : cutLines(plain.field(labels.listed, names), WIDTH - column, MOST.lists)),
        ],
        tone: listed.length > 0 ? "risky" : undefined,
      },
      { label: labels.sources, lines: cutLines(sources, WIDTH - column, 1) },
    ],
    column,
    0,
  );
}

function writeEnd(context: ScreenContext): void {
  const { writer, report, plain } = context;
  if (!report.flags.isBogon) writeCut(writer, plain.noSignals, MOST.warning);
  const credits = listCredits(context).map(({ text, url }) => `${text} (${url})`);
  if (credits.length > 0) writeCut(writer, credits.join("; "), MOST.credits);
  writer.paragraph(plain.whole(report.reportUrl), 0, { tone: "strong" });
}

function writeCut(writer: TextWriter, text: string, most: number, tone?: Tone): void {
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
