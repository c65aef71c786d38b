import { methodWordsOf, type PartialTexts, wordsOf } from "#locale";
import { type Language, type Report, SCENARIOS } from "#report";
import { describeAttacks } from "./describe_attacks.ts";
import { describeFlags } from "./describe_flags.ts";
import { describeNetwork, type Field } from "./describe_network.ts";
import { describeVpn } from "./describe_vpn.ts";
import { displayWidth } from "./display_width.ts";
import { formatMoment } from "./format_moment.ts";
import { listCredits } from "./list_credits.ts";
import { makeBill } from "./make_bill.ts";
import { neutralise } from "./neutralise.ts";
import { methodPathOf } from "./render_method.ts";
import { type ListState, sortBlocklists } from "./sort_blocklists.ts";
import { wrapText } from "./wrap_text.ts";

const WIDTH = 72;
const INDENT = 2;
const GAUGE_CELLS = 20;
const LABEL_CELLS = 14;
const LONGEST_LABEL = 30;

/**
 * The whole report as plain text of 72 columns, CJK characters counted as two; no escape sequences,
 * ends with a line feed. The language is the report's own (`lang` absent = Chinese).
 */
export function renderText(report: Report): string {
  const language: Language = report.lang ?? "zh";
  const texts = wordsOf(language);
  const words = texts.headings;
  const sections: readonly (readonly string[])[] = [
    writeHeader(report, texts),
    section(words.location, fields(describeNetwork(report, texts, language))),
    section(words.bill, writeBill(report, texts)),
    section(words.scenarios, writeScenarios(report)),
    section(words.blocklists, writeBlocklists(report, texts)),
    section(words.abuse, writeAbuse(report, texts)),
    section(words.exposure, writeExposure(report, texts)),
    section(words.sharing, writeSharing(report, texts)),
    report.vpnOperator === null ? [] : section(words.vpn, writeVpn(report.vpnOperator, texts)),
    section(words.feedback, writeFeedback(report, texts)),
    section(words.sources, writeSources(report, texts)),
    section(
      words.unknowns,
      report.unknowns.flatMap(({ label, detail }) => titled(label, detail)),
    ),
    writeFooter(report, texts),
  ];
  const written = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${written.join("\n\n")}\n`;
}

function writeHeader(report: Report, texts: PartialTexts): string[] {
  const words = texts.headings;
  const { risk } = report;
  const flags = describeFlags(report, texts);
  const full = Math.round((risk.purity / 100) * GAUGE_CELLS);
  const gauge = `[${"#".repeat(full)}${".".repeat(GAUGE_CELLS - full)}]`;
  const moment = texts.bracket(formatMoment(report.queriedAt), texts.tiers[report.source]);
  return [
    "=".repeat(WIDTH),
    spread("limpid", words.title),
    "=".repeat(WIDTH),
    ...fields(
      [
        [words.address, texts.bracket(report.ip, `IPv${report.version}`)],
        [words.purity, `${risk.purity}/100 ${gauge} ${risk.label}`],
        [words.confidence, texts.confidences[risk.confidence]],
        [words.verdict, risk.verdict],
        [words.usage, texts.usages[report.usageType]],
        [words.native, texts.natives[report.nativeType]],
        [words.flags, flags.length === 0 ? words.noFlags : texts.joinItems(flags)],
        [words.surveyed, report.stale ? texts.joinDetails([moment, words.stale]) : moment],
      ],
      0,
    ),
  ];
}

function writeBill(report: Report, texts: PartialTexts): string[] {
  const words = texts.headings;
  const bill = makeBill(report.risk);
  const lines = [amount(words.start, String(bill.start))];
  for (const line of bill.lines) {
    lines.push(amount(line.kind === "factor" ? line.factor.label : words[line.kind], signed(line.effect)));
    if (line.kind === "factor") lines.push(...paragraph(line.factor.detail, INDENT * 2, WIDTH - 8));
  }
  if (report.risk.factors.length === 0) lines.push(...paragraph(words.noFactors, INDENT));
  lines.push(" ".repeat(WIDTH - 6) + "-".repeat(6), amount(words.purity, String(bill.purity)));
  const language: Language = report.lang ?? "zh";
  lines.push(...paragraph(methodWordsOf(language).at(methodUrl(report, language)), INDENT));
  return lines;
}

function writeScenarios(report: Report): string[] {
  const lines = report.scenarios.flatMap((scenario) => [
    row([
      [scenario.label, 26],
      [scenario.score === null ? "--" : String(scenario.score), 3, "end"],
      [scenario.levelLabel, 30],
    ]),
    ...paragraph(scenario.reason, INDENT * 2),
  ]);
  const note = report.scenarioNote;
  return note === undefined ? lines : [...paragraph(note, INDENT), ...lines];
}

function writeBlocklists(report: Report, texts: PartialTexts): string[] {
  const words = texts.headings;
  if (report.blocklists.length === 0) return paragraph(words.noLists, INDENT);
  const sorted = sortBlocklists(report);
  const count = (state: ListState) => sorted[state].length;
  const named: readonly Field[] = (["listed", "benign", "unavailable", "notListed"] as const)
    .filter((state) => count(state) > 0)
    .map((state) => [words[state], texts.joinItems(sorted[state].map(({ label }) => label))]);
  return [
    ...paragraph(
      `${texts.listCount(count("listed"), count("benign"), count("unavailable"), count("notListed"))}${texts.stop}`,
      INDENT,
    ),
    ...fields(named),
    ...(count("benign") === 0 ? [] : paragraph(words.benignNote, INDENT)),
    ...(count("unavailable") === 0 ? [] : paragraph(words.unavailableNote, INDENT)),
  ];
}

function writeAbuse(report: Report, texts: PartialTexts): string[] {
  const words = texts.headings;
  if (report.abuse.length === 0) return paragraph(words.noAbuse, INDENT);
  return fields(
    report.abuse.map((abuse): Field => {
      const { source, score, reports, attacks } = abuse;
      const facts = [
        ...(score === undefined ? [] : [`${words.abuseScore} ${score}`]),
        ...(reports === undefined ? [] : [`${words.reports} ${reports}`]),
        ...(attacks === undefined ? [] : [`${words.attacks} ${attacks.total}`]),
        ...describeAttacks(abuse, texts),
      ];
      return [source, facts.length === 0 ? words.none : texts.joinDetails(facts)];
    }),
  );
}

function writeExposure(report: Report, texts: PartialTexts): string[] {
  const words = texts.headings;
  const { exposure } = report;
  if (exposure === null) return paragraph(words.noExposure, INDENT);
  if (!exposure.observed) return paragraph(words.notObserved, INDENT);
  return fields([
    [words.ports, exposure.ports.join(", ") || words.none],
    [words.vulns, exposure.vulns.join(", ") || words.none],
  ]);
}

function writeSharing(report: Report, texts: PartialTexts): string[] {
  const words = texts.headings;
  const { address, subnet } = report.sharing ?? {};
  if (address === undefined && subnet === undefined) return paragraph(words.noSharing, INDENT);
  return fields([
    ...(address === undefined ? [] : [[words.devicesAddress, String(address)] as const]),
    ...(subnet === undefined ? [] : [[words.devicesSubnet, String(subnet)] as const]),
  ]);
}

function writeVpn(vpn: NonNullable<Report["vpnOperator"]>, texts: PartialTexts): string[] {
  return fields([...describeVpn(vpn, texts), ...(vpn.url === undefined ? [] : [["URL", vpn.url] as const])]);
}

function writeFeedback(report: Report, texts: PartialTexts): string[] {
  const { feedback } = report;
  if (feedback === undefined) return [];
  const words = texts.headings;
  return fields(
    SCENARIOS.flatMap((id) => {
      const votes = feedback[id];
      if (votes === undefined) return [];
      return [
        [
          texts.scenarios[id],
          texts.joinDetails([`${words.average} ${votes.average}`, `${words.votes} ${votes.count}`]),
        ] as const,
      ];
    }),
  );
}

function writeSources(report: Report, texts: PartialTexts): string[] {
  const words = texts.headings;
  const answered = report.sources.filter(({ ok }) => ok).length;
  const skipped = report.sources.filter(({ skipped }) => skipped !== undefined).length;
  const failed = report.sources.length - answered - skipped;
  const silent = answered < report.sources.length;
  return [
    ...paragraph(`${texts.sourceCount(answered, failed, skipped)}${texts.stop}`, INDENT),
    ...(silent ? paragraph(words.sourcesNote, INDENT) : []),
    ...report.sources.flatMap((source) => {
      const state = source.ok ? words.answered : source.skipped === undefined ? words.failed : words.skipped;
      const word = source.error ?? source.skipped ?? source.detail;
      return [
        row([
          [state, 8],
          [source.name, 36],
          [source.skipped === undefined ? `${source.ms} ms` : "", 9, "end"],
          [texts.kinds[source.kind], 11],
        ]),
        ...(word === undefined ? [] : paragraph(word, INDENT + 9)),
      ];
    }),
  ];
}

function writeFooter(report: Report, texts: PartialTexts): string[] {
  const words = texts.headings;
  return [
    "=".repeat(WIDTH),
    ...paragraph(words.disclaimer, 0),
    ...listCredits(report, words.credit).flatMap(({ text, url }) => paragraph(`${text} (${url})`, 0)),
    ...paragraph(words.cite, 0),
    ...paragraph(report.reportUrl, INDENT),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return [`-- ${title} ${"-".repeat(WIDTH - 4 - displayWidth(title))}`, ...lines];
}

/** Labels in one column, values wrapped in the other. */
function fields(rows: readonly Field[], indent = INDENT): string[] {
  const plain = rows.map(([label, value]) => [neutralise(label), neutralise(value)] as const);
  const widest = Math.max(LABEL_CELLS, ...plain.map(([label]) => displayWidth(label)));
  const column = indent + Math.min(widest, LONGEST_LABEL) + 2;
  return plain.flatMap(([label, value]) => {
    const labels = wrapText(label, column - indent - 2);
    const values = wrapText(value, WIDTH - column);
    return Array.from({ length: Math.max(labels.length, values.length) }, (_, index) =>
      `${" ".repeat(indent)}${pad(labels[index] ?? "", column - indent)}${values[index] ?? ""}`.trimEnd(),
    );
  });
}

function titled(title: string, text: string): string[] {
  return [...paragraph(title, INDENT), ...paragraph(text, INDENT * 2)];
}

function paragraph(text: string, indent: number, end = WIDTH): string[] {
  const lines = wrapText(neutralise(text), end - indent).filter((line) => line !== "");
  return lines.map((line) => " ".repeat(indent) + line);
}

/** A label at the left and an amount at the right edge. */
function amount(label: string, figure: string): string {
  const lines = wrapText(neutralise(label), WIDTH - INDENT - 8);
  const first = pad(`${" ".repeat(INDENT)}${lines[0] ?? ""}`, WIDTH - figure.length) + figure;
  return [first, ...lines.slice(1).map((line) => " ".repeat(INDENT) + line)].join("\n");
}

type Cell = readonly [text: string, cells: number, align?: "end"];

/** Cells in columns, one blank between; a cell too long goes on below, in its own column. */
function row(cells: readonly Cell[]): string {
  const wrapped = cells.map(([text, width]) => wrapText(neutralise(text), width));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) => {
    const line = cells.map(([, width, align], column) => {
      const text = wrapped[column]?.[index] ?? "";
      return align === "end" ? " ".repeat(Math.max(0, width - displayWidth(text))) + text : pad(text, width);
    });
    return `${" ".repeat(INDENT)}${line.join(" ")}`.trimEnd();
  }).join("\n");
}

function spread(left: string, right: string): string {
  return left + " ".repeat(WIDTH - displayWidth(left) - displayWidth(right)) + right;
}

function pad(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - displayWidth(text)));
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}

/** On the origin of the report's own address, or the bare path where that is none. */
function methodUrl(report: Report, language: Language): string {
  const origin = URL.canParse(report.reportUrl) ? new URL(report.reportUrl).origin : "";
  return `${origin === "null" ? "" : origin}${methodPathOf(language)}`;
}
