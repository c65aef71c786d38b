import { FEEDS, TABLE_FEEDS } from "#feeds";
import { formatCount, methodTextsOf, reportTextsOf } from "#locale";
import { renderText } from "#render";
import type { Language } from "#report";
import { describeMethod } from "#scoring";
import { SOURCES } from "#sources";
import { exampleReport } from "./example_report.ts";
import { fillDocument, type Part } from "./fill_document.ts";
import { readDocument } from "./list_documents.ts";
import { isDefault } from "./write_sources.ts";

/** Writes the measured figures and the counts of sources of a README, and the score in the description of its picture. */
export function writeReadme(path: string, language: Language): string {
  const parts = {
    accuracy: writeFigures(language),
    counts: () => describeCounts(language),
    measured: () => methodTextsOf(language).independent(describeMethod([]).accuracy),
    own: () => methodTextsOf(language).ownShipped(describeMethod([]).accuracy),
    shipped: listShipped(language),
    outside: listOutside(language),
    sum: () => describeSum(language),
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

/** The figures of the project's own measurement of this version that the part names, in a line. */
function listShipped(language: Language): Part {
  const { independentItems } = methodTextsOf(language);
  const figures = describeMethod([]).accuracy.shipped.map(({ id, rows, tables }) => {
    const item = (independentItems[id] ?? id).slice(2);
    const count = formatCount(rows);
    return [
      id,
      language === "zh" ? `${item} ${tables}（${count} 个地址）` : `${item}: ${tables} of ${count}`,
    ];
  });
  return ({ options }) => options.map((wanted) => Object.fromEntries(figures)[wanted]).join("; ");
}

/** The figures of addresses on no list that ships, without their intervals. */
function listOutside(language: Language): Part {
  const { independentItems, measuredRows } = methodTextsOf(language);
  const rows = measuredRows(describeMethod([]).accuracy.measured);
  return ({ options: [wanted = ""] }) => {
    const [, count, share = ""] = rows.find(([item]) => item === independentItems[wanted]) ?? [];
    const found = /^[\d.]+%/.exec(share)?.[0];
    return language === "zh" ? `${found}（${count} 个地址）` : `${found} of ${count}`;
  };
}

/** The sum that gives the score of the example. */
function describeSum(language: Language): string {
  const { factors, purity } = exampleReport(language).risk;
  const { withDetail } = reportTextsOf(language);
  const parts = factors.map(({ label, points }) =>
    withDetail(`${points < 0 ? "+" : "\u2212"} ${Math.abs(points)}`, label),
  );
  return `100 ${parts.join(" ")} = ${purity}`;
}

function describeCounts(language: Language): string {
  const lists = new Set([...FEEDS, ...TABLE_FEEDS].map(({ id }) => id));
  const remote = SOURCES.filter(({ id, local }) => local !== true && !lists.has(id));
  const asked = remote.filter(isDefault).length;
  const downloaded = FEEDS.filter(isDefault).length;
  if (language === "zh")
    return `${remote.length} 个实时来源与 DNS 黑名单可用 ${asked} 个，${FEEDS.length} 份公开名单可用 ${downloaded} 份`;
  return `${asked} of ${remote.length} live sources and DNS blocklists, and ${downloaded} of ${FEEDS.length} published lists`;
}
