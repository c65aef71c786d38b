import { FEEDS, TABLE_FEEDS } from "#feeds";
import { formatCount, methodTextsOf } from "#locale";
import { renderText } from "#render";
import type { Language } from "#report";
import { describeMethod } from "#scoring";
import { SOURCES } from "#sources";
import { exampleReport } from "./example_report.ts";
import { fillDocument, type Part, type Row } from "./fill_document.ts";
import { readDocument } from "./list_documents.ts";

/** Writes the measured figures and the counts of sources of a README, and the score in the description of its picture. */
export function writeReadme(path: string, language: Language): string {
  const parts = {
    accuracy: writeFigures(language),
    counts: () => describeCounts(language),
    measured: () => methodTextsOf(language).independent(describeMethod([]).accuracy),
    own: () => methodTextsOf(language).ownShipped(describeMethod([]).accuracy),
    shipped: () => listShipped(language),
  };
  const { purity } = exampleReport(language).risk;
  return fillDocument(path, parts).replace(/(purity |纯净度 )\d+(?= of 100|，VPN)/, `$1${purity}`);
}

/** The example of a whole report: `<!-- report -->`, then a fenced block. */
const BLOCK = /(<!-- report -->\n\n?```\n)[^`]*(```\n)/;

/** Writes the document of a whole text report. Throws if it has no place for it. */
export function writeReadmeReport(path: string, language: Language): string {
  const { text } = readDocument(path);
  if (!BLOCK.test(text)) throw new Error(`Cannot fill the report: ${path} has no block for it`);
  const report = renderText(exampleReport(language));
  return text.replace(BLOCK, (_, start: string, end: string) => start + report + end);
}

/** The rows of the independent figures that the part names. */
function writeFigures(language: Language): Part {
  const { independentItems } = methodTextsOf(language);
  const { rows } = describeMethod([]).accuracy.independent;
  return ({ options }) =>
    options.map((wanted) => {
      const row = rows.find(({ id }) => id === wanted);
      if (row === undefined) throw new Error(`Cannot write the figure "${wanted}": there is none`);
      return [independentItems[row.id] ?? row.id, formatCount(row.rows), row.tables, row.lists];
    });
}

/** The rows of the project's own measurement of this version. */
function listShipped(language: Language): readonly Row[] {
  const { independentItems } = methodTextsOf(language);
  const { shipped } = describeMethod([]).accuracy;
  return shipped.map(({ id, rows, tables }) => [independentItems[id] ?? id, formatCount(rows), tables]);
}

function describeCounts(language: Language): string {
  const lists = new Set([...FEEDS, ...TABLE_FEEDS].map(({ id }) => id));
  const remote = SOURCES.filter(({ id, local }) => local !== true && !lists.has(id));
  const live = remote.filter(({ zone }) => zone === undefined);
  const keyless = live.filter(({ secret }) => secret !== "required");
  const zones = remote.length - live.length;
  if (language === "zh")
    return `${live.length} 个实时来源（其中 ${keyless.length} 个不用密钥）、${zones} 个 DNS 黑名单和 ${FEEDS.length} 份公开名单`;
  return `${live.length} live sources, ${keyless.length} of them without a key, ${zones} DNS blocklists, and ${FEEDS.length} published lists`;
}
