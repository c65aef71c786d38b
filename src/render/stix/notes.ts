import { plainTextsOf, type ReportTexts } from "#locale";
import { type Report, readFacts } from "#report";
import { describeCoverage, describeFlags, describeNative, describeScore } from "../report_fields.ts";
import { sanitize } from "../sanitize.ts";

/** The text of a note (STIX 2.1, 4.12). */
export interface NoteText {
  readonly abstract: string;
  readonly content: string;
}

/** The conclusion of the report, and how many sources gave no answer: that is no clean result. */
export function describeAssessment(report: Report, texts: ReportTexts): NoteText {
  const { labels } = texts;
  const plain = plainTextsOf(report.lang ?? "zh");
  const { risk } = report;
  const facts = readFacts(report);
  const flags = describeFlags(facts, texts);
  const coverage = describeCoverage(report, facts, texts);
  const { answered, failed, skipped } = facts.sources;
  const lines = [
    plain.field(labels.purity, sanitize(describeScore(report, facts, texts))),
    ...(coverage === undefined ? [] : [plain.field(labels.coverage, coverage)]),
    plain.field(labels.confidence, texts.confidences[risk.confidence]),
    ...(report.hostname === undefined ? [] : [plain.field(labels.hostname, sanitize(report.hostname))]),
    plain.field(labels.usage, texts.usages[report.usageType]),
    plain.field(labels.native, describeNative(report, texts)),
    plain.field(labels.flags, flags.length === 0 ? labels.noFlags : texts.joinItems(flags)),
    texts.sourceCount(answered.length, failed.length, skipped.length),
    ...(failed.length + skipped.length > 0 ? [labels.sourcesNote] : []),
    ...(report.stale ? [labels.stale] : []),
    plain.noSignals,
    plain.field(labels.cite, sanitize(report.reportUrl)),
  ];
  return { abstract: sanitize(risk.verdict), content: lines.join("\n") };
}

/** What an address alone cannot show. */
export function describeUnknowns(report: Report, { labels }: ReportTexts): NoteText {
  const { field } = plainTextsOf(report.lang ?? "zh");
  const lines = report.unknowns.map(({ label, detail }) => field(sanitize(label), sanitize(detail)));
  return { abstract: labels.unknowns, content: lines.join("\n") || labels.disclaimer };
}
