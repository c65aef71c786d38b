import { formatCount, nameSource, networkTextsOf, reportPageTextsOf, reportTextsOf } from "#locale";
import type { AsSummary, Language, NetworkSummary } from "#report";
import { sanitize } from "../characters.ts";
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
import { COLOURS, columnOf, INDENT, spaces, TextWriter } from "./text_writer.ts";

/** Cells of a line of the grid. */
const LINE_CELLS = 16;

/** Renders the summary of a prefix or an AS as text of at most 72 columns. */
export function renderSummaryText(
  summary: Summary,
  { language, colour, url, now }: { language: Language; colour: boolean; url: string; now: number },
): string {
  const { between, say, compared } = networkTextsOf(language);
  const writer = new TextWriter(colour ? COLOURS : undefined);
  writer.heading(nameSummary(summary, language));
  writer.paragraph(describeNetwork(summary, language), INDENT, { tone: "strong" });
  const dispute = describeDispute(summary, language);
  if (dispute !== undefined) writer.paragraph(dispute, INDENT, { tone: "suspicious" });
  const sample = describeSample(summary, language);
  if (sample !== undefined) writer.paragraph(sample, INDENT, { tone: "quiet" });
  const facts = listFacts(summary, language);
  // The longest label has several lines.
  const column = columnOf(facts.flatMap(([label]) => (label === compared ? [] : label)));
  writer.fields(
    facts.map((fact) => {
      const [label, parts, note = ""] = fact;
      const counted = isMixed(fact);
      const texts = parts.map(({ text, count = 0 }) => (counted ? say("counted", { text, count }) : text));
      return { label, lines: writer.wrap(sanitize(texts.join(between) + note), writer.width - column) };
    }),
    column,
  );
  writeLists(writer, summary, language);
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

/** Writes the lists that contain addresses of a network. */
function writeLists(writer: TextWriter, summary: Summary, language: Language): void {
  const texts = networkTextsOf(language);
  const { lists = [] } = summary;
  const unit = "version" in summary && summary.version === 6 ? "entryCount" : "size4";
  if (lists.length > 0) writer.section(texts.listsTitle);
  writer.rows(
    lists.map(({ name, count, marks }) => [
      nameSource(name, language),
      [
        texts.say(unit, { count: formatCount(count) }),
        marks.length === 0 ? texts.noRisk : nameMarks(marks, language),
      ].join(texts.between),
    ]),
  );
}

/** Writes one sign for each cell, unless all are alike. */
function writeCells(writer: TextWriter, summary: NetworkSummary, language: Language): void {
  const texts = networkTextsOf(language);
  const { usages } = reportPageTextsOf(language);
  const { cells, isSampled, use } = summary;
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
}

function writePrefixes(writer: TextWriter, summary: AsSummary, language: Language, url: string): void {
  const texts = networkTextsOf(language);
  const { usages } = reportPageTextsOf(language);
  const { title, prefixes, sentence, isOneUse } = describePrefixes(summary, language);
  writer.section(title);
  writer.paragraph(sentence, INDENT);
  writer.rows(
    prefixes.map(({ prefix, usageType, listed }) => [
      prefix,
      [
        describeSize(prefix, language),
        ...(isOneUse ? [] : [usages[usageType]]),
        ...(listed === 0 ? [] : [describeAccused(prefix, listed, language)]),
      ].join(texts.between),
    ]),
  );
  writer.paragraph(texts.joined, INDENT, { tone: "quiet" });
  if (summary.blocks.length <= prefixes.length) return;
  writer.paragraph(`${texts.blocksJson} ${url}.json`, INDENT, { tone: "quiet" });
}
