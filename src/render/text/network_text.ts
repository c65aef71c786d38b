import { formatCount, networkTextsOf, reportTextsOf } from "#locale";
import type { AsSummary, Language, NetworkSummary } from "#report";
import {
  describeAlike,
  describeDispute,
  describeNetwork,
  describeSources,
  LISTED_SIGN,
  listFacts,
  nameSummary,
  SIGNS,
  signOf,
  writePart,
} from "../network/network_fields.ts";
import { COLOURS, INDENT, spaces, TextWriter } from "./text_writer.ts";

/** Cells of a line of the grid. */
const LINE_CELLS = 16;

/** What a network is written for. */
export interface NetworkTextOptions {
  readonly language: Language;
  readonly colour: boolean;
  readonly url: string;
}

/** Renders the summary of a prefix or an AS as text of at most 72 columns. */
export function renderSummaryText(
  summary: NetworkSummary | AsSummary,
  { language, colour, url }: NetworkTextOptions,
): string {
  const { between } = networkTextsOf(language);
  const writer = new TextWriter(colour ? COLOURS : undefined);
  writer.heading(nameSummary(summary, language));
  writer.paragraph(describeNetwork(summary, language), INDENT, { tone: "strong" });
  const dispute = describeDispute(summary, language);
  if (dispute !== undefined) writer.paragraph(dispute, INDENT, { tone: "suspicious" });
  writer.rows(
    listFacts(summary, language).map(([label, parts, note = ""]) => [
      label,
      `${parts.map(writePart).join(between)}${note}`,
    ]),
  );
  if ("asn" in summary) writePrefixes(writer, summary, language);
  else writeCells(writer, summary, language);
  writer.blank();
  for (const sentence of describeSources(summary, language)) writer.paragraph(sentence, 0, { tone: "quiet" });
  writer.paragraph(url, 0, { tone: "strong" });
  return writer.text();
}

/** Writes one sign for each cell, or one sentence when all are alike, then the lists. */
function writeCells(writer: TextWriter, summary: NetworkSummary, language: Language): void {
  const texts = networkTextsOf(language);
  const { usages } = reportTextsOf(language);
  const { cells, lists, version, isSampled, use } = summary;
  const alike = describeAlike(summary, language);
  if (cells.length > 1) {
    writer.section(texts.gridTitle);
    const parts = isSampled ? texts.say("gridSampled", { count: cells.length }) : texts.gridEach;
    writer.paragraph(alike ?? parts, INDENT);
  }
  if (cells.length > 1 && alike === undefined) {
    const width = Math.max(...cells.map((cell, at) => (at % LINE_CELLS === 0 ? cell.prefix.length : 0)));
    for (let at = 0; at < cells.length; at += LINE_CELLS) {
      const line = cells.slice(at, at + LINE_CELLS);
      const first = line[0]?.prefix ?? "";
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
  writer.rows(lists.map(({ name, count }) => [name, formatCount(count)]));
  if (lists.length > 0 && version === 6) writer.paragraph(texts.listEntries, INDENT, { tone: "quiet" });
}

function writePrefixes(writer: TextWriter, { prefixes }: AsSummary, language: Language): void {
  const texts = networkTextsOf(language);
  const { joinItems, usages } = reportTextsOf(language);
  writer.section(texts.prefixes);
  writer.rows(
    prefixes.map(({ prefix, usageType, listed }) => {
      const found = texts.say("prefixListed", { count: formatCount(listed) });
      return [prefix, joinItems(listed === 0 ? [usages[usageType]] : [usages[usageType], found])];
    }),
  );
}
