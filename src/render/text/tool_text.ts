import { methodTextsOf, plainTextsOf, toolTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { contextOf, type ReportContext } from "../report_context.ts";
import { describeLow, describeScore, formatEffect, listSum } from "../report_fields.ts";
import type { RuleDescription } from "../rule_description.ts";
import { INDENT, TextWriter } from "./text_writer.ts";

/** A source that did not answer, and why. */
export interface UnansweredSource {
  readonly name: string;
  readonly state: "failed" | "skipped";
  readonly why: string;
}

/** What must accompany a conclusion, drawn from one report or from several. */
export interface Caveats {
  readonly language: Language;
  readonly unanswered: readonly UnansweredSource[];
  readonly unknowns: Report["unknowns"];
  /** Lookups of addresses not yet stored that the client may still make today; undefined = no limits apply to it. */
  readonly openLeft: number | undefined;
}

/** One address of a comparison: its report and the sources that failed on it, or why it has no report. */
export type Compared =
  | { readonly ip: string; readonly report: Report; readonly failed?: readonly UnansweredSource[] }
  | { readonly ip: string; readonly refusal: string };

/**
 * Renders what must accompany a conclusion, as text of at most 72 columns: which sources did not answer and why, what an
 * address cannot tell, and what is left of the daily allowance of the client.
 */
export function renderCaveats({ language, unanswered, unknowns, openLeft }: Caveats): string {
  const writer = new TextWriter();
  const texts = toolTextsOf(language);
  const failed = unanswered.filter(({ state }) => state === "failed");
  const skipped = unanswered.filter(({ state }) => state === "skipped");
  if (unanswered.length === 0) writer.paragraph(texts.allAnswered, 0);
  if (failed.length > 0) writer.paragraph(texts.unanswered(listByReason(failed, language)), 0);
  if (skipped.length > 0) writer.paragraph(texts.skipped(listByReason(skipped, language)), 0);
  writer.paragraph(listUnknowns(unknowns, language), 0);
  if (openLeft !== undefined) writer.paragraph(texts.allowanceLeft(openLeft), 0);
  return writer.text();
}

/**
 * Renders reports one after another for comparison, as text of at most 72 columns: the conclusion of each, its
 * deductions, use cases, blocklists, and failed sources. The last paragraph says that no risk signals does not mean safe.
 */
export function renderComparison(compared: readonly Compared[], language: Language): string {
  const writer = new TextWriter();
  const texts = toolTextsOf(language);
  const { comma, noSignals } = plainTextsOf(language);
  writer.paragraph(texts.comparison(compared.length), 0);
  for (const one of compared) {
    writer.blank();
    if ("refusal" in one) {
      writer.paragraph(one.ip, 0);
      writer.paragraph(one.refusal, INDENT);
      continue;
    }
    const { report, failed = [] } = one;
    const context = contextOf(report);
    const levels = report.scenarios.map(({ id, score, levelLabel }) =>
      [context.page.scenarios[id], ...(score === null ? [] : [score]), levelLabel].join(" "),
    );
    const listed = context.facts.lists.listed.map(({ label }) => label);
    const unknown = context.facts.lists.unavailable.map(({ label }) => label);
    writeConclusion(writer, one.ip, context);
    writer.paragraph(levels.join(comma), INDENT);
    if (listed.length > 0) writer.paragraph(texts.listedOn(listed.join(comma)), INDENT);
    if (unknown.length > 0) writer.paragraph(texts.unknownLists(unknown.join(comma)), INDENT);
    if (failed.length > 0) writer.paragraph(texts.unanswered(listByReason(failed, language)), INDENT);
    writer.paragraph(texts.cite(report.reportUrl), INDENT);
  }
  writer.blank();
  writer.paragraph(noSignals, 0);
  return writer.text();
}

/** Renders one rule of the score as text of at most 72 columns. */
export function renderRule(rule: RuleDescription, language: Language): string {
  const texts = methodTextsOf(language);
  const writer = new TextWriter();
  writer.paragraph(`${rule.label} · ${rule.categoryLabel} · ${rule.id}`, 0);
  writer.paragraph(rule.meaning, INDENT);
  for (const weight of rule.weights) writer.paragraph(`- ${weight}`, INDENT);
  writer.blank();
  writer.heading(texts.weighingTitle);
  for (const sentence of rule.weighing) writer.paragraph(`- ${sentence}`, INDENT);
  writer.blank();
  writer.paragraph(texts.version(rule.scoringVersion), 0);
  writer.paragraph(plainTextsOf(language).field(plainTextsOf(language).method, rule.methodUrl), 0);
  return writer.text();
}

/** Lists the names of sources, those with the same reason together. */
function listByReason(sources: readonly UnansweredSource[], language: Language): string {
  const texts = toolTextsOf(language);
  const { comma } = plainTextsOf(language);
  const groups = Map.groupBy(sources, ({ why }) => why);
  const named = Array.from(groups, ([why, of]) =>
    texts.withReason(of.map(({ name }) => name).join(comma), why),
  );
  return named.join(texts.semicolon);
}

/** A report in a few lines. `most` limits every list; what is left out is counted. */
export interface BriefText {
  readonly report: Report;
  /** The sources that did not answer and would have counted. */
  readonly missing: readonly UnansweredSource[];
  readonly openLeft: number | undefined;
  readonly most: number;
}

/** Renders the conclusion of one report and what must accompany it, as text of at most 72 columns. */
export function renderBriefReport({ report, missing, openLeft, most }: BriefText): string {
  const context = contextOf(report);
  const { language, plain } = context;
  const texts = toolTextsOf(language);
  const writer = new TextWriter();
  const listed = context.facts.lists.listed.map(({ label }) => label);
  writeConclusion(writer, report.ip, context, most);
  if (listed.length > 0) writer.paragraph(texts.listedOn(shorten(listed, most, plain.comma)), INDENT);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name);
    writer.paragraph(texts.unanswered(shorten(names, Math.max(most, 1), plain.comma)), 0);
  }
  writer.paragraph(listUnknowns(report.unknowns, language), 0);
  if (openLeft !== undefined) writer.paragraph(texts.allowanceLeft(openLeft), 0);
  writer.paragraph(texts.cite(report.reportUrl), 0);
  writer.paragraph(plain.noSignals, 0);
  writer.paragraph(texts.moreDetail, 0);
  return writer.text();
}

/** Renders the conclusions of a few reports, one after another, as text of at most 72 columns. */
export function renderBriefComparison(
  compared: readonly Compared[],
  { language, unknowns, most }: Pick<Caveats, "language" | "unknowns"> & Pick<BriefText, "most">,
): string {
  const writer = new TextWriter();
  const texts = toolTextsOf(language);
  for (const one of compared) {
    writer.paragraph(one.ip, 0);
    if ("refusal" in one) {
      writer.paragraph(one.refusal, INDENT);
      continue;
    }
    const context = contextOf(one.report);
    writer.paragraph(summarize(context), INDENT);
    if (most > 0) writeDeductions(writer, context, most);
  }
  if (unknowns.length > 0) writer.paragraph(listUnknowns(unknowns, language), 0);
  writer.paragraph(plainTextsOf(language).noSignals, 0);
  writer.paragraph(texts.moreDetail, 0);
  return writer.text();
}

/** Writes the address with its host name, the score, the verdict and the deductions. */
function writeConclusion(writer: TextWriter, ip: string, context: ReportContext, most?: number): void {
  const { hostname, risk } = context.report;
  writer.paragraph(hostname === undefined ? ip : `${ip} · ${hostname}`, 0);
  writer.paragraph(context.texts.joinDetails([summarize(context), ...describeLow(context)]), INDENT);
  writer.paragraph(risk.verdict, INDENT);
  writeDeductions(writer, context, most);
}

/** The score and the confidence. */
function summarize(context: ReportContext): string {
  const { report, texts, language } = context;
  return toolTextsOf(language).summary(describeScore(context), texts.confidences[report.risk.confidence]);
}

/** Writes the sum of the score, or, where `most` is given, only the heaviest deductions and credits. */
function writeDeductions(writer: TextWriter, context: ReportContext, most?: number): void {
  const { facts, language, plain } = context;
  const { deductions } = facts;
  if (!facts.isScored) return;
  const texts = toolTextsOf(language);
  const heaviest = deductions.slice(0, most).map(({ label, points }) => `${label} ${formatEffect(-points)}`);
  const text =
    most === undefined ? listSum(context).join(" ") : shorten(heaviest, deductions.length, plain.comma);
  writer.paragraph(deductions.length === 0 ? texts.noDeductions : texts.deductions(text), INDENT);
}

/** The parts, and the number of the others: "one, two, +3". */
function shorten(parts: readonly string[], total: number, comma: string): string {
  const left = total - parts.length;
  return (left <= 0 ? parts : [...parts, `+${left}`]).join(comma);
}

/** Joined with semicolons, because labels may have commas. */
function listUnknowns(unknowns: Report["unknowns"], language: Language): string {
  const texts = toolTextsOf(language);
  return texts.unknowns([...new Set(unknowns.map(({ label }) => label))].join(texts.semicolon));
}
