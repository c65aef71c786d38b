import { plainTextsOf, reportTextsOf, toolTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { createTextWriter, INDENT } from "./text_writer.ts";
import type { UnansweredSource } from "./tool_text.ts";

/** A report in a few lines. `most` limits every list; what is left out is counted. */
export interface BriefText {
  readonly report: Report;
  /** The sources that did not answer and would have counted. */
  readonly missing: readonly UnansweredSource[];
  readonly openLeft: number;
  readonly most: number;
}

/** One address of a brief comparison: its report, or why it has none. */
export type BriefCompared =
  | { readonly ip: string; readonly report: Report }
  | { readonly ip: string; readonly refusal: string };

/** Renders the conclusion of one report and what must accompany it, as text of at most 72 columns. */
export function renderBriefReport({ report, missing, openLeft, most }: BriefText): string {
  const language = report.lang ?? "zh";
  const texts = toolTextsOf(language);
  const { confidences } = reportTextsOf(language);
  const { comma, noSignals } = plainTextsOf(language);
  const writer = createTextWriter();
  const { risk, blocklists } = report;
  const listed = blocklists.filter((list) => list.listed && !list.benign).map(({ label }) => label);
  writer.paragraph(report.ip, 0);
  writer.paragraph(texts.summary(risk.purity, risk.label, confidences[risk.confidence]), INDENT);
  writer.paragraph(risk.verdict, INDENT);
  writer.paragraph(writeDeductions(risk, language, most), INDENT);
  if (listed.length > 0) writer.paragraph(texts.listedOn(shorten(listed, most, comma)), INDENT);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name);
    writer.paragraph(texts.unanswered(shorten(names, Math.max(most, 1), comma)), 0);
  }
  writer.paragraph(texts.unknowns(listUnknowns(report.unknowns, language)), 0);
  writer.paragraph(texts.allowanceLeft(openLeft), 0);
  writer.paragraph(texts.cite(report.reportUrl), 0);
  writer.paragraph(noSignals, 0);
  writer.paragraph(texts.moreDetail, 0);
  return writer.text();
}

/** Renders the conclusions of a few reports, one after another, as text of at most 72 columns. */
export function renderBriefComparison(
  compared: readonly BriefCompared[],
  {
    language,
    unknowns,
    most,
  }: { readonly language: Language; readonly unknowns: Report["unknowns"]; readonly most: number },
): string {
  const writer = createTextWriter();
  const texts = toolTextsOf(language);
  const { confidences } = reportTextsOf(language);
  for (const one of compared) {
    writer.paragraph(one.ip, 0);
    if ("refusal" in one) {
      writer.paragraph(one.refusal, INDENT);
      continue;
    }
    const { risk } = one.report;
    writer.paragraph(texts.summary(risk.purity, risk.label, confidences[risk.confidence]), INDENT);
    if (most > 0) writer.paragraph(writeDeductions(risk, language, most), INDENT);
  }
  if (unknowns.length > 0) writer.paragraph(texts.unknowns(listUnknowns(unknowns, language)), 0);
  writer.paragraph(plainTextsOf(language).noSignals, 0);
  writer.paragraph(texts.moreDetail, 0);
  return writer.text();
}

function writeDeductions({ factors }: Report["risk"], language: Language, most: number): string {
  const texts = toolTextsOf(language);
  if (factors.length === 0) return texts.noDeductions;
  const written = factors
    .toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points))
    .map(({ label, points }) => `${label} ${points > 0 ? -points : `+${-points}`}`);
  return texts.deductions(shorten(written, most, plainTextsOf(language).comma));
}

/** The first parts, and the number of the others: "one, two, +3". */
function shorten(parts: readonly string[], most: number, comma: string): string {
  const left = parts.length - most;
  return (left <= 0 ? parts : [...parts.slice(0, most), `+${left}`]).join(comma);
}

function listUnknowns(unknowns: Report["unknowns"], language: Language): string {
  return [...new Set(unknowns.map(({ label }) => label))].join(toolTextsOf(language).semicolon);
}
