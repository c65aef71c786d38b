import type { PlainTexts, ReportTexts } from "#locale";
import type { Language, Report } from "#report";
import { groupBlocklists, groupSources, LIST_STATES, type ListState } from "../groups.ts";
import {
  describeAttacks,
  describeExposure,
  describeSharing,
  describeVpn,
  type Field,
  listRatings,
} from "../report_fields.ts";
import { sanitize } from "../sanitize.ts";
import { columnOf, type FieldLines, INDENT, type TextWriter, type Tone, WIDTH } from "./text_writer.ts";
import { wrapItems } from "./wrap.ts";

const LIST_TONES: Readonly<Partial<Record<ListState, Tone>>> = { listed: "risky", unavailable: "suspicious" };

/** What the functions that write a section need. */
export interface SectionContext {
  readonly writer: TextWriter;
  readonly report: Report;
  readonly language: Language;
  readonly texts: ReportTexts;
  readonly plain: PlainTexts;
}

/** Writes the sections with the evidence: blocklists, abuse, exposure, sharing, VPN, ratings and sources. */
export function writeEvidence(context: SectionContext): void {
  const { writer, report, texts } = context;
  const { labels } = texts;
  writer.section(labels.blocklists);
  writeBlocklists(context);
  writer.section(labels.abuse);
  writeAbuse(context);
  writer.section(labels.exposure);
  writeFieldsOrText(context, describeExposure(report, texts));
  writer.section(labels.sharing);
  writeFieldsOrText(context, describeSharing(report, texts));
  const { vpnOperator: vpn } = report;
  if (vpn !== null) {
    const url: readonly Field[] = vpn.url === undefined ? [] : [["URL", vpn.url]];
    writer.section(labels.vpn);
    writer.rows([...describeVpn(vpn, texts), ...url]);
  }
  const ratings = listRatings(report, texts);
  if (ratings.length > 0) {
    writer.section(labels.feedback);
    const rows = ratings.map(({ scenario, average, count }): Field => {
      return [scenario, texts.joinDetails([`${labels.average} ${average}`, `${labels.votes} ${count}`])];
    });
    writer.rows(rows);
  }
  writer.section(labels.sources);
  writeSources(context);
}

function writeBlocklists({ writer, report, texts, plain }: SectionContext): void {
  const { labels } = texts;
  if (report.blocklists.length === 0) {
    writer.paragraph(labels.noLists, INDENT);
    return;
  }
  const groups = groupBlocklists(report);
  const { listed, benign, unavailable, notListed } = groups;
  const count = texts.listCount(listed.length, benign.length, unavailable.length, notListed.length);
  writer.paragraph(`${count}${texts.period}`, INDENT);
  const column = columnOf(LIST_STATES.map((state) => labels[state]));
  const fields: FieldLines[] = [];
  for (const state of LIST_STATES) {
    if (groups[state].length === 0) continue;
    const names = groups[state].map(({ label }) => sanitize(label));
    const lines = wrapItems("", names, plain.comma, WIDTH - column);
    fields.push({ label: labels[state], lines, tone: LIST_TONES[state] });
  }
  writer.fields(fields, column);
  if (benign.length > 0) writer.paragraph(labels.benignNote, INDENT);
  if (unavailable.length > 0) writer.paragraph(labels.unavailableNote, INDENT);
}

function writeAbuse({ writer, report, texts }: SectionContext): void {
  const { labels } = texts;
  if (report.abuse.length === 0) {
    writer.paragraph(labels.noAbuse, INDENT);
    return;
  }
  const rows = report.abuse.map((abuse): Field => {
    const { source, score, reports, attacks } = abuse;
    const facts = [
      ...(score === undefined ? [] : [`${labels.abuseScore} ${score}`]),
      ...(reports === undefined ? [] : [`${labels.reports} ${reports}`]),
      ...(attacks === undefined ? [] : [`${labels.attacks} ${attacks.total}`]),
      ...describeAttacks(abuse, texts),
    ];
    return [source, facts.length === 0 ? labels.none : texts.joinDetails(facts)];
  });
  writer.rows(rows);
}

function writeFieldsOrText({ writer }: SectionContext, found: readonly Field[] | string): void {
  if (typeof found === "string") writer.paragraph(found, INDENT);
  else writer.rows(found);
}

function writeSources({ writer, report, texts, plain }: SectionContext): void {
  const { labels } = texts;
  let answered = 0;
  let skipped = 0;
  for (const source of report.sources) {
    if (source.ok) answered += 1;
    else if (source.skipped !== undefined) skipped += 1;
  }
  const failed = report.sources.length - answered - skipped;
  writer.paragraph(`${texts.sourceCount(answered, failed, skipped)}${texts.period}`, INDENT);
  if (answered < report.sources.length) writer.paragraph(labels.sourcesNote, INDENT);
  const column = columnOf([plain.answered, plain.foundNothing, plain.failed, plain.skipped]);
  let previousOutcome = "";
  const fields = groupSources(report, texts).map(({ outcome, fact, sources }): FieldLines => {
    const showsTime = outcome === "answered" || outcome === "failed";
    const names = sources.map(({ name, kind, ms }) => {
      const marked = kind === "commercial" ? `${sanitize(name)}*` : sanitize(name);
      return showsTime && ms > 0 ? `${marked} ${ms} ms` : marked;
    });
    const prefix = fact === "" ? "" : plain.reasonPrefix(sanitize(fact));
    const label = outcome === previousOutcome ? "" : plain[outcome];
    previousOutcome = outcome;
    const lines = wrapItems(prefix, names, plain.comma, WIDTH - column);
    return { label, lines, tone: outcome === "failed" ? "suspicious" : undefined };
  });
  writer.fields(fields, column);
}
