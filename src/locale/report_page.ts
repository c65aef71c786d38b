import type { NativeType, RegionState, ScenarioId, UsageType } from "#report";
import en from "./en/report_page.json" with { type: "json" };
import { fill, forLanguages } from "./fill.ts";
import zh from "./zh/report_page.json" with { type: "json" };

/** Short names of what the report names in full. */
interface Names {
  readonly usages: Readonly<Record<UsageType, string>>;
  readonly natives: Readonly<Record<NativeType, string>>;
  readonly scenarios: Readonly<Record<ScenarioId, string>>;
  readonly regionStates: Readonly<Record<RegionState, string>>;
}

/**
 * Texts that only the page of a report needs. `/static/own_profile.js` reads those of `profile`, the comparison of the
 * browser with the visitor's own address, and fills their placeholders.
 */
export type ReportPageTexts = ReturnType<typeof makeReportPageTexts>;

/** Short facts of the headline: those that cost points, then those in favour of the address. */
export type HeadlineTexts = ReportPageTexts["headline"];

/** Returns the texts that only the page of a report needs. */
export const reportPageTextsOf = forLanguages(en, zh, makeReportPageTexts);

function makeReportPageTexts(texts: typeof en & Names) {
  const { headline } = texts;
  return {
    ...texts,
    headline: {
      ...headline,
      vpn: (operator: string | undefined) =>
        operator === undefined ? headline.vpn : fill(headline.vpnOf, { operator }),
      listed: (lists: number) => fill(headline.listed, { lists }),
      attacks: (total: number) => fill(headline.attacks, { total }),
      vulnerabilities: (count: number) => fill(headline.vulnerabilities, { count }),
      shared: (devices: number) => fill(headline.shared, { devices }),
      notListed: (lists: number) => fill(headline.notListed, { lists }),
    },
    /** The coverage in percent. */
    coverage: (percent: number) => fill(texts.coverage, { percent }),
    vendors: (asOf: string) => fill(texts.vendors, { asOf }),
    matrixLead: (sources: number) => fill(texts.matrixLead, { sources }),
    lists: (count: number) => fill(texts.lists, { count }),
    agreement: (families: number) => fill(texts.agreement, { families }),
    withKey: (sources: string) => fill(texts.withKey, { sources }),
    moreSources: (count: number) => fill(texts.moreSources, { count }),
    offset: (offset: string, time: string) => fill(texts.offset, { offset, time }),
  };
}
