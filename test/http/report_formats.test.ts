import { describe, expect, test } from "bun:test";
import { renderReportPage } from "#render";
import { LANGUAGES, type Report, type Tier } from "#report";
import { changeTier, FORMATS } from "../../src/http/report_formats.ts";
import { fullReport } from "../render/full_reports.ts";
import { ARCHETYPES, type ArchetypeId } from "../scoring/archetypes.ts";

const WRITERS: Readonly<Record<string, (report: Report) => string>> = {
  page: (report) => renderReportPage(report),
  ...Object.fromEntries(Object.entries(FORMATS).map(([name, { write }]) => [name, write])),
};
const TIERS: readonly Tier[] = ["fresh", "cache", "store"];

describe("changeTier()", () => {
  test.each(Object.keys(WRITERS))("makes the same %s as a new rendering would be", (name) => {
    const write = WRITERS[name] as (report: Report) => string;
    for (const language of LANGUAGES) {
      // Every seventh kind of address: all of them take 20 seconds.
      const archetypes = (Object.keys(ARCHETYPES) as ArchetypeId[]).filter((_, at) => at % 7 === 0);
      for (const archetype of archetypes) {
        const report = fullReport(archetype, language);
        // A page with low confidence also tells crawlers whether it is stored, so it is rendered for both.
        const tiers = name === "page" && report.risk.confidence === "low" ? TIERS.slice(0, 2) : TIERS;
        const texts = tiers.map((tier) => [tier, write({ ...report, source: tier })] as const);
        for (const [from, text] of texts) {
          for (const [to, expected] of texts)
            expect(changeTier(text, { from, to, surveyedAt: report.queriedAt, language })).toBe(expected);
        }
      }
    }
  });
});
