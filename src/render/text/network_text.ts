import { networkTextsOf, reportTextsOf } from "#locale";
import type { AsSummary, Language, NetworkSummary } from "#report";
import {
  describeAlike,
  describeDispute,
  describeNetwork,
  describeSources,
  formatCount,
  joinPortions,
  LISTED_SIGN,
  listAsFields,
  listPortions,
  listPrefixFields,
  nameNetworks,
  SIGNS,
  signOf,
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

/** Renders the summary of a prefix as text of at most 72 columns, with one sign for each cell. */
export function renderNetworkText(
  summary: NetworkSummary,
  { language, colour, url }: NetworkTextOptions,
): string {
  const texts = networkTextsOf(language);
  const { usages, joinItems } = reportTextsOf(language);
  const writer = new TextWriter(colour ? COLOURS : undefined);
  const { prefix, cells, lists, above, beside, version, isSampled } = summary;
  const alike = describeAlike(summary, language);
  writer.heading(texts.say("prefixTitle", { prefix }));
  writer.paragraph(describeNetwork(summary, language), INDENT, { tone: "strong" });
  writeDispute(writer, summary, language);
  writer.rows([
    [texts.announcedBy, joinItems(nameNetworks(summary, language).map(({ text }) => text))],
    ...listPrefixFields(summary, language),
    ...listPortions(summary, language).map((one) => joinPortions(one, language)),
    ...(above.length === 0 ? [] : [[texts.above, joinItems(above)] as const]),
    ...(beside.length === 0 ? [] : [[texts.beside, joinItems(beside)] as const]),
  ]);
  if (cells.length > 1) {
    writer.section(texts.gridTitle);
    writer.paragraph(
      alike ?? (isSampled ? texts.say("gridSampled", { count: cells.length }) : texts.gridEach),
      INDENT,
    );
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
    writer.paragraph(
      [
        ...summary.use.map(({ usageType }) => `${SIGNS[usageType]} ${usages[usageType]}`),
        `${LISTED_SIGN} ${texts.accused}`,
      ].join(" · "),
      INDENT,
    );
  }
  writer.section(texts.listsTitle);
  if (lists.length === 0) writer.paragraph(texts.noLists, INDENT);
  for (const { name, count } of lists)
    writer.row([
      { text: name, cells: 50 },
      { text: formatCount(count), cells: 18, atEnd: true },
    ]);
  if (lists.length > 0 && version === 6) writer.paragraph(texts.listEntries, INDENT, { tone: "quiet" });
  return finish(writer, summary, { language, url });
}

/** Renders the summary of an AS as text of at most 72 columns. */
export function renderAsText(summary: AsSummary, { language, colour, url }: NetworkTextOptions): string {
  const texts = networkTextsOf(language);
  const { usages } = reportTextsOf(language);
  const writer = new TextWriter(colour ? COLOURS : undefined);
  writer.heading(texts.say("asTitle", { asn: summary.asn, name: summary.name }));
  writer.paragraph(describeNetwork(summary, language), INDENT, { tone: "strong" });
  writeDispute(writer, summary, language);
  writer.rows([
    ...listAsFields(summary, language),
    ...listPortions(summary, language).map((one) => joinPortions(one, language)),
  ]);
  writer.section(texts.prefixes);
  for (const { prefix, usageType, listed } of summary.prefixes)
    writer.row([
      { text: prefix, cells: 22 },
      { text: usages[usageType], cells: 24 },
      {
        text: listed === 0 ? "" : `${LISTED_SIGN} ${formatCount(listed)}`,
        cells: 20,
        tone: "risky",
      },
    ]);
  return finish(writer, summary, { language, url });
}

function writeDispute(writer: TextWriter, summary: NetworkSummary | AsSummary, language: Language): void {
  const dispute = describeDispute(summary, language);
  if (dispute !== undefined) writer.paragraph(dispute, INDENT, { tone: "suspicious" });
}

function finish(
  writer: TextWriter,
  summary: NetworkSummary | AsSummary,
  { language, url }: Pick<NetworkTextOptions, "language" | "url">,
): string {
  writer.blank();
  for (const sentence of describeSources(summary, language)) writer.paragraph(sentence, 0, { tone: "quiet" });
  writer.paragraph(url, 0, { tone: "strong" });
  return writer.text();
}
