import { formatCount, nameSource, networkTextsOf, reportPageTextsOf, reportTextsOf } from "#locale";
import type { AsSummary, Language, NetworkSummary } from "#report";
import {
  describeAccused,
  describeDispute,
  describeNetwork,
  describePrefixes,
  describeSample,
  describeSize,
  describeSources,
  isAlike,
  isMixed,
  LISTED_SIGN,
  listFacts,
  nameMarks,
  nameSummary,
  SIGNS,
  type Summary,
  signOf,
} from "../network/network_fields.ts";
import { creditPlaces } from "../report_fields.ts";
import { COLOURS, INDENT, spaces, TextWriter } from "./text_writer.ts";

/** Cells of a line of the grid. */
const LINE_CELLS = 16;

/** Renders the summary of a prefix or an AS as text of at most 72 columns. */
export function renderSummaryText(
  summary: Summary,
  { language, colour, url, now }: { language: Language; colour: boolean; url: string; now: number },
): string {
  const { between, say } = networkTextsOf(language);
  const writer = new TextWriter(colour ? COLOURS : undefined);
  writer.heading(nameSummary(summary, language));
  writer.paragraph(describeNetwork(summary, language), INDENT, { tone: "strong" });
  const dispute = describeDispute(summary, language);
  if (dispute !== undefined) writer.paragraph(dispute, INDENT, { tone: "suspicious" });
  const sample = describeSample(summary, language);
  if (sample !== undefined) writer.paragraph(sample, INDENT, { tone: "quiet" });
  writer.rows(
    listFacts(summary, language).map((fact) => {
      const [label, parts, note = ""] = fact;
      const counted = isMixed(fact);
      const texts = parts.map(({ text, count = 0 }) => (counted ? say("counted", { text, count }) : text));
      return [label, texts.join(between) + note];
    }),
  );
  if ("asn" in summary) writePrefixes(writer, summary, language, url);
  else writeCells(writer, summary, language);
  writer.blank();
  for (const sentence of describeSources(summary, language, now))
    writer.paragraph(sentence, 0, { tone: "quiet" });
  const credit = creditPlaces(reportTextsOf(language));
  writer.paragraph(`${credit.text} (${credit.url})`, 0, { tone: "quiet" });
  writer.paragraph(url, 0, { tone: "strong" });
  return writer.text();
}

/** Writes one sign for each cell, unless all are alike, then the lists. */
function writeCells(writer: TextWriter, summary: NetworkSummary, language: Language): void {
  const texts = networkTextsOf(language);
  const { usages } = reportPageTextsOf(language);
  const { cells, lists, version, isSampled, use } = summary;
  if (!isAlike(summary)) {
    writer.section(texts.gridTitle);
    const bits = cells[0]?.prefix.split("/")[1] ?? "";
    writer.paragraph(texts.say(isSampled ? "gridSampled" : "gridEach", { bits }), INDENT);
    const starts = cells.map(({ prefix }) => prefix.split("/")[0] ?? "");
    const width = Math.max(...starts.map((start, at) => (at % LINE_CELLS === 0 ? start.length : 0)));
    for (let at = 0; at < cells.length; at += LINE_CELLS) {
      const line = cells.slice(at, at + LINE_CELLS);
      const first = starts[at] ?? "";
      const signs = line.map(signOf).join(" ");
      writer.line(
        `${spaces(INDENT)}${first}${spaces(width - first.length + INDENT)}${signs}`,
        signs.includes(LISTED_SIGN) ? "risky" : undefined,
      );
    }
    const key = use.map(({ usageType }) => `${SIGNS[usageType]} ${usages[usageType]}`);
    writer.paragraph(
      [...key, `${LISTED_SIGN} ${isSampled ? texts.accusedSampled : texts.accused}`].join(" · "),
      INDENT,
    );
  }
  if (lists.length > 0) writer.section(texts.listsTitle);
  writer.rows(
    lists.map(({ name, count, marks }) => [
      nameSource(name, language),
      [
        texts.say(version === 6 ? "entryCount" : "size4", { count: formatCount(count) }),
        marks.length === 0 ? texts.noRisk : nameMarks(marks, language),
      ].join(texts.between),
    ]),
  );
}

function writePrefixes(writer: TextWriter, summary: AsSummary, language: Language, url: string): void {
  const texts = networkTextsOf(language);
  const { usages } = reportPageTextsOf(language);
  const { sentence, isOneUse } = describePrefixes(summary, language);
  writer.section(texts.say("prefixes", { version: summary.addresses > 0 ? 4 : 6 }));
  writer.paragraph(sentence, INDENT);
  writer.rows(
    summary.prefixes.map(({ prefix, usageType, listed }) => [
      prefix,
      [
        describeSize(prefix, language),
        ...(isOneUse ? [] : [usages[usageType]]),
        ...(listed === 0 ? [] : [describeAccused(prefix, listed, language)]),
      ].join(texts.between),
    ]),
  );
  if (summary.blocks.length <= summary.prefixes.length) return;
  writer.paragraph(`${texts.blocksJson} ${url}.json`, INDENT, { tone: "quiet" });
}
