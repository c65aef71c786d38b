import { FEEDS, TABLE_FEEDS } from "#feeds";
import { renderText } from "#render";
import type { Language } from "#report";
import { SOURCES } from "#sources";
import { exampleReport } from "./example_report.ts";
import { fillDocument } from "./fill_document.ts";

/** The example of a whole report: `<!-- report -->`, then a fenced block. */
const BLOCK = /(<!-- report -->\n\n?```\n)[^`]*(```\n)/;

/** Writes the counts of sources and the example report of a README. Throws if it has no place for them. */
export function writeReadme(path: string, language: Language): string {
  const text = fillDocument(path, language === "en" ? { counts: describeCounts } : {});
  if (!BLOCK.test(text)) throw new Error(`Cannot fill the report: ${path} has no block for it`);
  const report = exampleReport(language);
  const titled = text.replace(/(purity |纯净度 )\d+(?= of 100|，六)/, `$1${report.risk.purity}`);
  return titled.replace(BLOCK, (_, start: string, end: string) => `${start}${renderText(report)}${end}`);
}

function describeCounts(): string {
  const lists = new Set([...FEEDS, ...TABLE_FEEDS].map(({ id }) => id));
  const remote = SOURCES.filter(({ id, local }) => local !== true && !lists.has(id));
  const live = remote.filter(({ zone }) => zone === undefined);
  const keyless = live.filter(({ secret }) => secret !== "required");
  const zones = remote.length - live.length;
  return `${live.length} live sources, ${keyless.length} of them without a key, ${zones} DNS blocklists, and ${FEEDS.length} published lists`;
}
