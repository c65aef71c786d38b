import { formatCount } from "#locale";
import type { Report } from "#report";
import { displayWidth, sanitize } from "../characters.ts";
import {
  type Block,
  type FigureRow,
  listSections,
  listSummary,
  type NameGroup,
  type Tone,
} from "../report_blocks.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import {
  describeCaution,
  describePair,
  describeResult,
  describeScore,
  describeUseLow,
  describeUsePoints,
  type Field,
  formatEffect,
  listCredits,
  listNames,
} from "../report_fields.ts";
import {
  columnOf,
  type FieldLines,
  formatBar,
  INDENT,
  paletteOf,
  spaces,
  TextWriter,
  toneOfLevel,
  WIDTH,
  writePurity,
} from "./text_writer.ts";
import { wrapAfterCommas, wrapItems } from "./wrap.ts";

const GAUGE_CELLS = 20;
const BAR_CELLS = 10;
const FIGURE_CELLS = 7;
const RULE = "=".repeat(WIDTH);

/**
 * Renders the whole report as plain text in lines of at most 72 columns, where CJK characters and emoji take two and
 * combining marks none. There are no escape sequences and no spaces at line ends, and the text ends with a line feed.
 * Only a word longer than its column, such as a URL, is broken. The language is that of the report (no `lang` means
 * Chinese).
 */
export function renderText(report: Report): string {
  return renderTerminal(report, { colour: false });
}

/**
 * Renders the text report for a terminal: the same lines, in the 16 colours that every terminal has. Without `colour`
 * there is no escape sequence. Colours are reset within each line, so that a pager can cut lines.
 */
export function renderTerminal(report: Report, { colour }: { readonly colour: boolean }): string {
  const context = contextOf(report);
  const writer = new TextWriter(paletteOf(colour, context.facts), WIDTH, listNames(report));
  writeHeader(writer, context);
  for (const { title, blocks } of listSections(context)) {
    writer.section(title);
    for (const block of blocks) writeBlock(writer, block, context);
  }
  writeFooter(writer, context);
  return writer.text();
}

function writeHeader(writer: TextWriter, context: ReportContext): void {
  const { report, facts, texts, plain } = context;
  const { labels } = texts;
  const { before, after } = listSummary(context);
  writer.line(RULE, "quiet");
  writer.ends("limpid", labels.title, "title");
  writer.line(RULE, "quiet");
  writer.rows([[labels.address, texts.withDetail(report.ip, `IPv${report.version}`), "strong"]], 0);
  writePurity(writer, context, { score: describeScore(context), cells: GAUGE_CELLS });
  writer.rows([...before, [labels.verdict, report.risk.verdict, "strong"], ...after], 0, labels.flags);
  if (facts.isScored) writer.paragraph(plain.legendBelow, 0, { tone: "quiet" });
}

function writeBlock(writer: TextWriter, block: Block, context: ReportContext): void {
  const { plain } = context;
  const { kind } = block;
  if (kind === "prose") writer.paragraph(block.text, INDENT);
  else if (kind === "link") writer.paragraph(plain.field(block.name, block.url), INDENT);
  else if (kind === "rows") writer.rows(block.rows);
  else if (kind === "code") writer.rows([[block.name, block.value]]);
  else if (kind === "figures") writer.rows(block.rows.map((row) => joinFigures(row, block.heads, context)));
  else if (kind === "names") writeNames(writer, block.groups, context);
  else if (kind === "breakdown") writeBreakdown(writer, context);
  else if (kind === "uses") writeUses(writer, context);
  else {
    for (const [label, detail] of block.terms) {
      writer.paragraph(label, INDENT, { tone: "strong" });
      writer.paragraph(detail, INDENT * 2);
    }
  }
}

function joinFigures(
  { name, figures, note }: FigureRow,
  heads: readonly string[],
  { texts }: ReportContext,
): Field {
  const known = figures.flatMap((figure, index) =>
    figure === undefined ? [] : [`${heads[index + 1]?.toLowerCase()} ${formatCount(figure)}`],
  );
  const facts = texts.joinDetails(known) || texts.labels.none;
  return [name, note === undefined || note === "" ? facts : texts.withDetail(facts, note)];
}

function writeNames(writer: TextWriter, groups: readonly NameGroup[], { plain, texts }: ReportContext): void {
  const { labels } = texts;
  const column = columnOf([
    ...[labels.listed, labels.exit, labels.benign, labels.unavailable, labels.notListed],
    ...Object.values(texts.sourceStates),
  ]);
  let previous = "";
  const fields = groups.map(({ state, fact, names, tone }): FieldLines => {
    const prefix = fact === "" ? "" : plain.say("reasonPrefix", sanitize(fact));
    const items = names.map(({ name, mark }) => sanitize(name) + mark);
    const label = state === previous ? "" : state;
    previous = state;
    return { label, lines: wrapItems(prefix, items, plain.comma, WIDTH - column), tone };
  });
  writer.fields(fields, column);
}

function writeBreakdown(writer: TextWriter, { report, facts, texts: { labels } }: ReportContext): void {
  const { steps } = facts;
  const decimals = Math.max(...steps.map(({ points }) => countDecimals(String(points))), 0);
  writeAmount(writer, labels.start, "100", decimals);
  for (const { label, points, detail } of steps) {
    // Bold red is readable on light and dark grounds, green is not.
    writeAmount(writer, label, formatEffect(-points), decimals, points > 0 ? "dangerous" : undefined);
    writer.paragraph(detail, INDENT * 2);
  }
  if (steps.length === 0) writer.paragraph(labels.noFactors, INDENT);
  writer.line(`${spaces(WIDTH - 6)}------`, "quiet");
  writeAmount(writer, labels.purity, String(report.risk.purity), decimals, "strong");
}

/** The cells of the decimal point and the digits after it. */
function countDecimals(figure: string): number {
  return /\..*$/.exec(figure)?.[0].length ?? 0;
}

/** Writes a label at the left edge, and a number at the right edge, with room for `most` cells of decimals. */
function writeAmount(writer: TextWriter, label: string, figure: string, most: number, tone?: Tone): void {
  writer.row([
    { text: label, cells: WIDTH - INDENT - FIGURE_CELLS - 1 },
    { text: figure, cells: FIGURE_CELLS - most + countDecimals(figure), atEnd: true, tone },
  ]);
}

/** Writes the use cases, then what speaks against and for the address in them. */
function writeUses(writer: TextWriter, context: ReportContext): void {
  const { report, facts, texts, plain, page } = context;
  for (const scenario of report.scenarios) {
    const { id, score, low, level, levelLabel } = scenario;
    const tone = toneOfLevel(level, facts);
    writer.row([
      { text: page.scenarios[id], cells: 15 },
      { text: score === null ? "--" : String(score), cells: 3, atEnd: true },
      { text: score === null ? "" : formatBar(score, BAR_CELLS, low), cells: BAR_CELLS, tone },
      { text: texts.joinDetails([levelLabel, ...describeUseLow(scenario, context)]), cells: 36 },
    ]);
  }
  // Points stay on the line of their use case.
  for (const reason of describeUsePoints(context))
    for (const line of wrapAfterCommas(plain.field(...reason), WIDTH - INDENT * 2))
      writer.paragraph(line, INDENT * 2);
  writer.paragraph(texts.joinSentences([...describePair(context), page.untested]), INDENT);
}

function writeFooter(writer: TextWriter, context: ReportContext): void {
  const { report, facts, texts, plain } = context;
  const { labels } = texts;
  const caution = describeCaution(context);
  writer.blank();
  writer.line(RULE, "quiet");
  if (!report.flags.isBogon) writer.paragraph(labels.disclaimer, 0);
  if (caution !== undefined) writer.paragraph(caution, 0);
  for (const { text, url } of listCredits(context)) writer.paragraph(`${text} (${url})`, 0);
  if (report.reportUrl !== "") {
    writer.paragraph(labels.cite, 0);
    writer.paragraph(report.reportUrl, displayWidth(report.reportUrl) > WIDTH - INDENT ? 0 : INDENT, {
      tone: "strong",
    });
  }
  if (!facts.isScored) return;
  writer.section(plain.legend);
  writer.rows(plain.listTerms(context.facts));
  // The start of a long report has left the screen.
  writer.blank();
  writer.paragraph(plain.field(report.ip, describeResult(context)), 0, { tone: "strong" });
  writer.paragraph(report.risk.verdict, 0);
}
