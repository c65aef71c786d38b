import { methodTextsOf, plainTextsOf, reportTextsOf } from "#locale";
import type { Band, Language, Report, ScenarioLevel } from "#report";
import { displayWidth } from "../characters.ts";
import { listCredits } from "../credits.ts";
import { methodUrlOf } from "../paths.ts";
import {
  describeFlags,
  describeNative,
  describeNetwork,
  describeRange,
  formatTime,
} from "../report_fields.ts";
import { breakDownScore, formatEffect } from "../score_breakdown.ts";
import { type SectionContext, writeEvidence } from "./evidence_text.ts";
import { COLOURS } from "./palette.ts";
import {
  createTextWriter,
  INDENT,
  type Layout,
  layOut,
  type Palette,
  type Row,
  spaces,
  WIDTH,
} from "./text_writer.ts";

const GAUGE_CELLS = 20;
const BAR_CELLS = 10;
const DETAIL_END = WIDTH - 8;
const RULE = "=".repeat(WIDTH);

/** The tone of each level of a use case. */
export const LEVEL_TONES: Readonly<Partial<Record<ScenarioLevel, Band>>> = {
  excellent: "pristine",
  good: "clean",
  fair: "neutral",
  poor: "suspicious",
  unusable: "risky",
  restricted: "risky",
};

// The legend is the same in every report of a language, so its layout is computed once.
const legends = new Map<Language, Layout>();

/** What a terminal report may use. */
export interface TerminalOptions {
  readonly colour: boolean;
}

/**
 * Renders the whole report as plain text in lines of at most 72 columns, where CJK characters and emoji take two and
 * combining marks none. There are no escape sequences and no spaces at line ends, and the text ends with a line feed.
 * Only a word longer than its column, such as a URL, is broken. The language is that of the report (no `lang` means
 * Chinese).
 */
export function renderText(report: Report): string {
  return writeReport(report);
}

/**
 * Renders the text report for a terminal: the same lines, in the 16 colours that every terminal has. Without `colour`
 * there is no escape sequence. Colours are reset within each line, so that a pager can cut lines.
 */
export function renderTerminal(report: Report, { colour }: TerminalOptions): string {
  return writeReport(report, colour ? COLOURS : undefined);
}

function writeReport(report: Report, palette?: Palette): string {
  const language: Language = report.lang ?? "zh";
  const writer = createTextWriter(palette);
  const texts = reportTextsOf(language);
  const context: SectionContext = { writer, report, language, texts, plain: plainTextsOf(language) };
  const { labels } = texts;
  const network = describeNetwork(report, texts, language);

  writeHeader(context);
  if (network.length > 0) {
    writer.section(labels.location);
    writer.rows(network);
  }
  writer.section(labels.breakdown);
  writeBreakdown(context);
  writer.section(labels.scenarios);
  writeScenarios(context);
  writeEvidence(context);
  writer.section(labels.unknowns);
  for (const { label, detail } of report.unknowns) {
    writer.paragraph(label, INDENT, { tone: "strong" });
    writer.paragraph(detail, INDENT * 2);
  }
  writeFooter(context);
  writer.section(context.plain.legend);
  writeLegend(context);
  return writer.text();
}

function writeHeader({ writer, report, texts }: SectionContext): void {
  const { labels } = texts;
  const { risk } = report;
  const flags = describeFlags(report, texts);
  const time = texts.withDetail(formatTime(report.queriedAt), texts.tiers[report.source]);
  const purity = `${risk.purity}/100 ${formatBar(risk.purity, GAUGE_CELLS)} ${risk.label}`;
  writer.line(RULE, "quiet");
  writer.line(
    `limpid${spaces(WIDTH - "limpid".length - displayWidth(labels.title))}${labels.title}`,
    "title",
  );
  writer.line(RULE, "quiet");
  const range = report.flags.isBogon ? undefined : describeRange(report, texts);
  const rows: readonly Row[] = [
    [labels.address, texts.withDetail(report.ip, `IPv${report.version}`), "strong"],
    [labels.purity, purity, risk.level],
    [labels.confidence, texts.confidences[risk.confidence]],
    ...(range === undefined ? [] : [[labels.range, range] as const]),
    [labels.verdict, risk.verdict, "strong"],
    [labels.usage, texts.usages[report.usageType]],
    [labels.native, describeNative(report, texts)],
    [labels.flags, flags.length === 0 ? labels.noFlags : texts.joinItems(flags)],
    [labels.surveyed, report.stale ? texts.joinDetails([time, labels.stale]) : time],
  ];
  writer.rows(rows, 0);
}

function writeBreakdown({ writer, report, texts, language }: SectionContext): void {
  const { labels } = texts;
  const breakdown = breakDownScore(report.risk);
  writer.amount(labels.start, String(breakdown.start));
  for (const line of breakdown.lines) {
    const tone = line.effect < 0 ? "risky" : line.effect > 0 ? "clean" : undefined;
    const label = line.kind === "factor" ? line.factor.label : labels[line.kind];
    writer.amount(label, formatEffect(line.effect), tone);
    if (line.kind === "factor") writer.paragraph(line.factor.detail, INDENT * 2, { end: DETAIL_END });
  }
  if (report.risk.factors.length === 0) writer.paragraph(labels.noFactors, INDENT);
  writer.line(`${spaces(WIDTH - 6)}------`, "quiet");
  writer.amount(labels.purity, String(breakdown.purity), report.risk.level);
  writer.paragraph(methodTextsOf(language).linkLine(methodUrlOf(report)), INDENT);
}

function writeScenarios({ writer, report, plain }: SectionContext): void {
  const { scenarios, scenarioNote } = report;
  if (scenarioNote !== undefined) writer.paragraph(scenarioNote, INDENT);
  let sharing = 0;
  for (const [index, { label, score, level, levelLabel, reason }] of scenarios.entries()) {
    const tone = LEVEL_TONES[level];
    writer.row([
      { text: label, cells: 25 },
      { text: score === null ? "--" : String(score), cells: 3, atEnd: true, tone },
      { text: score === null ? "" : formatBar(score, BAR_CELLS), cells: BAR_CELLS + 2, tone },
      { text: levelLabel, cells: 26, tone },
    ]);
    // Neighbours often have the same reason. It is written once, after the last of them.
    sharing += 1;
    if (scenarios[index + 1]?.reason === reason) continue;
    writer.paragraph(sharing === 1 ? reason : plain.field(plain.linesAbove(sharing), reason), INDENT * 2);
    sharing = 0;
  }
}

function writeLegend({ writer, language, plain }: SectionContext): void {
  let legend = legends.get(language);
  if (legend === undefined) {
    legend = layOut(plain.terms);
    legends.set(language, legend);
  }
  writer.fields(legend.fields, legend.column);
}

function writeFooter({ writer, report, texts, plain }: SectionContext): void {
  const { labels } = texts;
  writer.blank();
  writer.line(RULE, "quiet");
  writer.paragraph(labels.disclaimer, 0);
  writer.paragraph(plain.noSignals, 0);
  for (const { text, url } of listCredits(report, labels.credit)) writer.paragraph(`${text} (${url})`, 0);
  writer.paragraph(labels.cite, 0);
  writer.paragraph(report.reportUrl, displayWidth(report.reportUrl) > WIDTH - INDENT ? 0 : INDENT, {
    tone: "strong",
  });
}

/** Formats a score as a bar. Only a score of 0 gives an empty bar, and only 100 a full one. */
function formatBar(score: number, cells: number): string {
  const near = Math.round((score / 100) * cells);
  const full = Math.min(Math.max(near, score > 0 ? 1 : 0), score < 100 ? cells - 1 : cells);
  return `[${"#".repeat(full)}${".".repeat(cells - full)}]`;
}
