import { methodWordsOf, type PartialTexts, type PlainTexts, plainWordsOf, wordsOf } from "#locale";
import { type Band, type Language, type Report, SCENARIOS, type ScenarioLevel } from "#report";
import { describeAttacks } from "./describe_attacks.ts";
import { describeFlags } from "./describe_flags.ts";
import { describeNetwork, type Field as Fact } from "./describe_network.ts";
import { describeVpn } from "./describe_vpn.ts";
import { displayWidth } from "./display_width.ts";
import { formatMoment } from "./format_moment.ts";
import { groupSources } from "./group_sources.ts";
import { listCredits } from "./list_credits.ts";
import { makeBill } from "./make_bill.ts";
import { methodUrlOf } from "./method_url_of.ts";
import { neutralise } from "./neutralise.ts";
import {
  blanks,
  columnOf,
  createSheet,
  type Field,
  INDENT,
  type Palette,
  type Sheet,
  type Tone,
  WIDTH,
} from "./sheet.ts";
import { type ListState, sortBlocklists } from "./sort_blocklists.ts";
import { wrapItems } from "./wrap_items.ts";
import { wrapText } from "./wrap_text.ts";

const GAUGE_CELLS = 20;
const BAR_CELLS = 10;
const DETAIL_END = WIDTH - 8;
const RULE = "=".repeat(WIDTH);

// The same in every report of a language, so laid out once.
const legends = new Map<Language, Columns>();

const LEVEL_TONES: Readonly<Partial<Record<ScenarioLevel, Band>>> = {
  excellent: "pristine",
  good: "clean",
  fair: "neutral",
  poor: "suspicious",
  unusable: "risky",
  restricted: "risky",
};

const LIST_TONES: Readonly<Partial<Record<ListState, Tone>>> = { listed: "risky", unavailable: "suspicious" };

type Row = readonly [label: string, value: string, tone?: Tone];

/** Fields, and where their values begin. */
interface Columns {
  readonly fields: readonly Field[];
  readonly column: number;
}

/** What a section is written with. */
interface Desk {
  readonly sheet: Sheet;
  readonly report: Report;
  readonly language: Language;
  readonly texts: PartialTexts;
  readonly plain: PlainTexts;
}

/**
 * The whole report in lines of at most 72 columns, CJK characters and emoji counted as two, neutral: the one
 * composition of the text and, with a palette, of the terminal. No blanks at line ends; ends with a line feed.
 * The language is the report's own (`lang` absent = Chinese).
 */
export function composeReport(report: Report, palette?: Palette): string {
  const language: Language = report.lang ?? "zh";
  const sheet = createSheet(palette);
  const desk: Desk = { sheet, report, language, texts: wordsOf(language), plain: plainWordsOf(language) };
  const words = desk.texts.headings;
  const network = describeNetwork(report, desk.texts, language);

  writeHeader(desk);
  if (network.length > 0) {
    begin(desk, words.location);
    writeFacts(desk, network);
  }
  begin(desk, words.bill);
  writeBill(desk);
  begin(desk, words.scenarios);
  writeScenarios(desk);
  begin(desk, words.blocklists);
  writeBlocklists(desk);
  begin(desk, words.abuse);
  writeAbuse(desk);
  begin(desk, words.exposure);
  writeExposure(desk);
  begin(desk, words.sharing);
  writeSharing(desk);
  if (report.vpnOperator !== null) {
    begin(desk, words.vpn);
    writeVpn(desk, report.vpnOperator);
  }
  if (report.feedback !== undefined && Object.keys(report.feedback).length > 0) {
    begin(desk, words.feedback);
    writeFeedback(desk, report.feedback);
  }
  begin(desk, words.sources);
  writeSources(desk);
  begin(desk, words.unknowns);
  for (const { label, detail } of report.unknowns) {
    sheet.paragraph(label, INDENT, { tone: "strong" });
    sheet.paragraph(detail, INDENT * 2);
  }
  begin(desk, desk.plain.legend);
  writeLegend(desk);
  writeFooter(desk);
  return sheet.read();
}

function begin({ sheet }: Desk, title: string): void {
  sheet.blank();
  sheet.heading(title);
}

function writeHeader({ sheet, report, texts }: Desk): void {
  const words = texts.headings;
  const { risk } = report;
  const flags = describeFlags(report, texts);
  const moment = texts.bracket(formatMoment(report.queriedAt), texts.tiers[report.source]);
  const purity = `${risk.purity}/100 ${bar(risk.purity, GAUGE_CELLS)} ${risk.label}`;
  sheet.line(RULE, "quiet");
  sheet.line(`limpid${blanks(WIDTH - "limpid".length - displayWidth(words.title))}${words.title}`, "title");
  sheet.line(RULE, "quiet");
  const rows: readonly Row[] = [
    [words.address, texts.bracket(report.ip, `IPv${report.version}`), "strong"],
    [words.purity, purity, risk.level],
    [words.confidence, texts.confidences[risk.confidence]],
    [words.verdict, risk.verdict, "strong"],
    [words.usage, texts.usages[report.usageType]],
    [words.native, texts.natives[report.nativeType]],
    [words.flags, flags.length === 0 ? words.noFlags : texts.joinItems(flags)],
    [words.surveyed, report.stale ? texts.joinDetails([moment, words.stale]) : moment],
  ];
  writeFields(sheet, rows, 0);
}

function writeBill({ sheet, report, texts, language }: Desk): void {
  const words = texts.headings;
  const bill = makeBill(report.risk);
  sheet.amount(words.start, String(bill.start));
  for (const line of bill.lines) {
    const tone = line.effect < 0 ? "risky" : line.effect > 0 ? "clean" : undefined;
    const label = line.kind === "factor" ? line.factor.label : words[line.kind];
    sheet.amount(label, signed(line.effect), tone);
    if (line.kind === "factor") sheet.paragraph(line.factor.detail, INDENT * 2, { end: DETAIL_END });
  }
  if (report.risk.factors.length === 0) sheet.paragraph(words.noFactors, INDENT);
  sheet.line(`${blanks(WIDTH - 6)}------`, "quiet");
  sheet.amount(words.purity, String(bill.purity), report.risk.level);
  sheet.paragraph(methodWordsOf(language).at(methodUrlOf(report)), INDENT);
}

function writeScenarios({ sheet, report, plain }: Desk): void {
  const { scenarios, scenarioNote } = report;
  if (scenarioNote !== undefined) sheet.paragraph(scenarioNote, INDENT);
  let sharing = 0;
  for (const [index, { label, score, level, levelLabel, reason }] of scenarios.entries()) {
    const tone = LEVEL_TONES[level];
    sheet.row([
      { text: label, cells: 25 },
      { text: score === null ? "--" : String(score), cells: 3, atEnd: true, tone },
      { text: score === null ? "" : bar(score, BAR_CELLS), cells: BAR_CELLS + 2, tone },
      { text: levelLabel, cells: 26, tone },
    ]);
    // Neighbours often have one reason, and nobody reads it six times.
    sharing += 1;
    if (scenarios[index + 1]?.reason === reason) continue;
    sheet.paragraph(sharing === 1 ? reason : plain.pair(plain.above(sharing), reason), INDENT * 2);
    sharing = 0;
  }
}

function writeBlocklists({ sheet, report, texts, plain }: Desk): void {
  const words = texts.headings;
  if (report.blocklists.length === 0) {
    sheet.paragraph(words.noLists, INDENT);
    return;
  }
  const { listed, benign, unavailable, notListed } = sortBlocklists(report);
  const count = texts.listCount(listed.length, benign.length, unavailable.length, notListed.length);
  sheet.paragraph(`${count}${texts.stop}`, INDENT);
  const column = columnOf([words.listed, words.benign, words.unavailable, words.notListed]);
  const states: readonly (readonly [ListState, Report["blocklists"]])[] = [
    ["listed", [...listed]],
    ["benign", [...benign]],
    ["unavailable", [...unavailable]],
    ["notListed", [...notListed]],
  ];
  const fields: Field[] = [];
  for (const [state, lists] of states) {
    if (lists.length === 0) continue;
    const names = lists.map(({ label }) => neutralise(label));
    const tone = LIST_TONES[state];
    const lines = wrapItems("", names, plain.comma, WIDTH - column);
    fields.push({ label: words[state], lines, tone });
  }
  sheet.fields(fields, column);
  if (benign.length > 0) sheet.paragraph(words.benignNote, INDENT);
  if (unavailable.length > 0) sheet.paragraph(words.unavailableNote, INDENT);
}

function writeAbuse(desk: Desk): void {
  const { sheet, report, texts } = desk;
  const words = texts.headings;
  if (report.abuse.length === 0) {
    sheet.paragraph(words.noAbuse, INDENT);
    return;
  }
  const rows = report.abuse.map((abuse): Fact => {
    const { source, score, reports, attacks } = abuse;
    const facts = [
      ...(score === undefined ? [] : [`${words.abuseScore} ${score}`]),
      ...(reports === undefined ? [] : [`${words.reports} ${reports}`]),
      ...(attacks === undefined ? [] : [`${words.attacks} ${attacks.total}`]),
      ...describeAttacks(abuse, texts),
    ];
    return [source, facts.length === 0 ? words.none : texts.joinDetails(facts)];
  });
  writeFacts(desk, rows);
}

function writeExposure(desk: Desk): void {
  const { sheet, report, texts } = desk;
  const words = texts.headings;
  const { exposure } = report;
  if (exposure === null) {
    sheet.paragraph(words.noExposure, INDENT);
    return;
  }
  if (!exposure.observed) {
    sheet.paragraph(words.notObserved, INDENT);
    return;
  }
  writeFacts(desk, [
    [words.ports, exposure.ports.join(", ") || words.none],
    [words.vulns, exposure.vulns.join(", ") || words.none],
  ]);
}

function writeSharing(desk: Desk): void {
  const { sheet, report, texts } = desk;
  const words = texts.headings;
  const { address, subnet } = report.sharing ?? {};
  if (address === undefined && subnet === undefined) {
    sheet.paragraph(words.noSharing, INDENT);
    return;
  }
  writeFacts(desk, [
    ...(address === undefined ? [] : [[words.devicesAddress, String(address)] as const]),
    ...(subnet === undefined ? [] : [[words.devicesSubnet, String(subnet)] as const]),
  ]);
}

function writeVpn(desk: Desk, vpn: NonNullable<Report["vpnOperator"]>): void {
  const url = vpn.url === undefined ? [] : [["URL", vpn.url] as const];
  writeFacts(desk, [...describeVpn(vpn, desk.texts), ...url]);
}

function writeFeedback(desk: Desk, feedback: NonNullable<Report["feedback"]>): void {
  const { texts } = desk;
  const words = texts.headings;
  const rows: Fact[] = [];
  for (const id of SCENARIOS) {
    const votes = feedback[id];
    if (votes === undefined) continue;
    const facts = [`${words.average} ${votes.average}`, `${words.votes} ${votes.count}`];
    rows.push([texts.scenarios[id], texts.joinDetails(facts)]);
  }
  writeFacts(desk, rows);
}

function writeSources({ sheet, report, texts, plain }: Desk): void {
  const words = texts.headings;
  let answered = 0;
  let skipped = 0;
  for (const source of report.sources) {
    if (source.ok) answered += 1;
    else if (source.skipped !== undefined) skipped += 1;
  }
  const failed = report.sources.length - answered - skipped;
  sheet.paragraph(`${texts.sourceCount(answered, failed, skipped)}${texts.stop}`, INDENT);
  if (answered < report.sources.length) sheet.paragraph(words.sourcesNote, INDENT);
  const column = columnOf([plain.answered, plain.foundNothing, plain.failed, plain.skipped]);
  let above = "";
  const fields = groupSources(report, texts).map(({ outcome, fact, sources }): Field => {
    const timed = outcome === "answered" || outcome === "failed";
    const names = sources.map(({ name, kind, ms }) => {
      const marked = kind === "commercial" ? `${neutralise(name)}*` : neutralise(name);
      return timed && ms > 0 ? `${marked} ${ms} ms` : marked;
    });
    const lead = fact === "" ? "" : plain.lead(neutralise(fact));
    const label = outcome === above ? "" : plain[outcome];
    above = outcome;
    const lines = wrapItems(lead, names, plain.comma, WIDTH - column);
    return { label, lines, tone: outcome === "failed" ? "suspicious" : undefined };
  });
  sheet.fields(fields, column);
}

function writeLegend({ sheet, language, plain }: Desk): void {
  let legend = legends.get(language);
  if (legend === undefined) {
    legend = layOut(plain.terms, INDENT);
    legends.set(language, legend);
  }
  sheet.fields(legend.fields, legend.column);
}

function writeFooter({ sheet, report, texts, plain }: Desk): void {
  const words = texts.headings;
  sheet.blank();
  sheet.line(RULE, "quiet");
  sheet.paragraph(words.disclaimer, 0);
  sheet.paragraph(plain.noSignals, 0);
  for (const { text, url } of listCredits(report, words.credit)) sheet.paragraph(`${text} (${url})`, 0);
  sheet.paragraph(words.cite, 0);
  sheet.paragraph(report.reportUrl, displayWidth(report.reportUrl) > WIDTH - INDENT ? 0 : INDENT, {
    tone: "strong",
  });
}

function writeFacts({ sheet }: Desk, rows: readonly Fact[]): void {
  writeFields(sheet, rows, INDENT);
}

/** Labels in one column, values wrapped in the other. */
function writeFields(sheet: Sheet, rows: readonly Row[], indent: number): void {
  const { fields, column } = layOut(rows, indent);
  sheet.fields(fields, column, indent);
}

function layOut(rows: readonly Row[], indent: number): Columns {
  const labels = rows.map(([label]) => neutralise(label));
  const column = columnOf(labels, indent);
  const fields = rows.map(([, value, tone], index): Field => {
    const lines = wrapText(neutralise(value), WIDTH - column);
    return { label: labels[index] ?? "", lines, tone };
  });
  return { fields, column };
}

/** Only 0 leaves a bar empty, and only 100 fills it. */
function bar(score: number, cells: number): string {
  const near = Math.round((score / 100) * cells);
  const full = Math.min(Math.max(near, score > 0 ? 1 : 0), score < 100 ? cells - 1 : cells);
  return `[${"#".repeat(full)}${".".repeat(cells - full)}]`;
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}
