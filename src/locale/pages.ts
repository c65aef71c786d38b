import type { Flag, Language, NativeType, RegionState, ScenarioId, UsageType } from "#report";
import cardsEn from "./en/cards.json" with { type: "json" };
import checkEn from "./en/check.json" with { type: "json" };
import docsEn from "./en/docs.json" with { type: "json" };
import networkEn from "./en/network.json" with { type: "json" };
import en from "./en/pages.json" with { type: "json" };
import reportEn from "./en/report_page.json" with { type: "json" };
import siteEn from "./en/site.json" with { type: "json" };
import { fill, fillersOf, forLanguages, formatCount, mapTable, sayerOf } from "./fill.ts";
import { explainMistake } from "./mistake.ts";
import { capitalize, reportTextsOf } from "./report.ts";
import cardsZh from "./zh/cards.json" with { type: "json" };
import checkZh from "./zh/check.json" with { type: "json" };
import docsZh from "./zh/docs.json" with { type: "json" };
import networkZh from "./zh/network.json" with { type: "json" };
import zh from "./zh/pages.json" with { type: "json" };
import reportZh from "./zh/report_page.json" with { type: "json" };
import siteZh from "./zh/site.json" with { type: "json" };

/** Texts of the pages, beside those that they share with the other formats of the report. */
export type PageTexts = ReturnType<typeof makePageTexts>;

/** Returns the texts of the pages. */
export const pageTextsOf = forLanguages(en, zh, makePageTexts);

function makePageTexts(texts: typeof en) {
  return {
    ...texts,
    ...fillersOf(texts, ["waitFor", "lost"]),
    citation: (facts: Readonly<Record<"ip" | "score" | "confidence" | "moment", string>>) =>
      fill(texts.citation, { ...facts, confidence: facts.confidence.toLowerCase() }),
    historyFacts: (span: Record<"count" | "lowest" | "highest", number> & Record<"from" | "to", string>) =>
      fill(span.lowest === span.highest ? texts.historySame : texts.historyFacts, { ...span }),
    say: sayerOf(texts),
    mistake: (text: string) => explainMistake(text, texts.mistakes),
  };
}

/** What a human check is needed for. */
export type CheckPurpose = "lookup" | "refresh" | "feedback";

/** The five ratings, best first. */
export const RATINGS = [5, 4, 3, 2, 1] as const;
export type Rating = (typeof RATINGS)[number];

interface CheckNames {
  readonly title: Readonly<Record<CheckPurpose, string>>;
  readonly why: Readonly<Record<CheckPurpose, string>>;
  readonly steps: Readonly<Record<CheckPurpose, readonly string[]>>;
  readonly rating: { readonly meanings: Readonly<Record<Rating, string>> };
}

/**
 * Returns the texts of the human check, the live progress and the rating form. Scripts of the pages fill the placeholders of
 * `progress` and `rating.script`; `widget` has the names that the ALTCHA widget uses.
 */
export const checkTextsOf = forLanguages(checkEn, checkZh, makeCheckTexts);

function makeCheckTexts(texts: typeof checkEn & CheckNames, language: Language) {
  const { answered, foundNothing, failed } = reportTextsOf(language).sourceStates;
  return {
    ...texts,
    progress: { ...texts.progress, answered, empty: foundNothing, failed },
    title: mapTable(texts.title, (title) => (ip: string) => fill(title, { ip })),
  };
}

/** The limits in force, as texts name them. Limits of a client count by IPv4 address or IPv6 /64. */
export interface ServiceLimits {
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly refreshPerMinute: number;
  readonly openPerDay: number;
  readonly openPerMinute: number;
  readonly openDailyTotal: number;
}

/** Headings and labels of the page that documents the API. `describeInterface` has the descriptions. */
export type DocsTexts = ReturnType<typeof makeDocsTexts>;

/** Returns the texts of the page that documents the API. */
export const docsTextsOf = forLanguages(docsEn, docsZh, makeDocsTexts);

function makeDocsTexts(texts: typeof docsEn) {
  const { some, none } = texts.unverified;
  return {
    ...texts,
    /** The rows of the table of limits: what is limited, for each client, for all together. */
    limits: (limits: ServiceLimits) => {
      const least = Math.min(limits.openPerDay, limits.openPerMinute, limits.openDailyTotal);
      // The limits come with the other settings, which are no counts.
      const counts = Object.entries(limits).filter(([, value]) => Number.isInteger(value));
      const shown = Object.fromEntries(counts.map(([name, count]) => [name, formatCount(count)]));
      return [...texts.limits, least > 0 ? some : none].map((row) => row.map((text) => fill(text, shown)));
    },
  };
}

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

/** Returns the texts that only the page of a report needs. */
export const reportPageTextsOf = forLanguages(reportEn, reportZh, makeReportPageTexts);

function makeReportPageTexts(texts: typeof reportEn & Names) {
  const { headline } = texts;
  return {
    ...texts,
    ...fillersOf(texts, ["coverage", "coverageOfUsable", "turnedOff", "old", "vendorLists", "matrixLead"]),
    ...fillersOf(texts, ["useLow", "useMore", "voices", "lists", "agreement", "withKey", "moreSources"]),
    ...fillersOf(texts, ["off", "someUnusable", "exitLists", "onNoExitList", "maskedNote"]),
    headline: {
      ...headline,
      ...fillersOf(headline, ["listed", "vulnerabilities", "notListed", "policy", "unknownLists", "ago"]),
      vpn: (operator: string | undefined) =>
        operator === undefined ? headline.vpn : fill(headline.vpnOf, { operator }),
      reported: (reports: number) => (reports === 0 ? headline.abuse : fill(headline.reported, { reports })),
      attacks: (total: number) => fill(headline.attacks, { total: formatCount(total) }),
      shared: (devices: number) => fill(headline.shared, { devices: formatCount(devices) }),
      partlyListed: (lists: number, unknown: number) => fill(headline.partlyListed, { lists, unknown }),
      /** The open ports with their services; their number if they are many. */
      ports: (ports: readonly string[]) =>
        ports.length > 2
          ? fill(headline.manyPorts, { count: ports.length })
          : fill(headline.ports, { ports: ports.join(texts.profile.comma) }),
    },
    stripes: (low: number) => (low === 0 ? texts.allStriped : fill(texts.stripes, { low })),
    regionStates: mapTable(
      texts.regionStates,
      (text) => (country: string, vendors: string) => capitalize(fill(text, { country, vendors })),
    ),
    offset: (offset: string, time: string) => fill(texts.offset, { offset, time }),
  };
}

/** Texts about the network of a prefix or of an AS. */
export type NetworkTexts = ReturnType<typeof networkTextsOf>;

/** Returns the texts about the network of a prefix or of an AS. */
export const networkTextsOf = forLanguages(networkEn, networkZh, (all) => ({ ...all, say: sayerOf(all) }));

/** The words of the headline, shorter than those of the report; "" for a fact that the headline leaves out. */
interface CardNames {
  readonly usages: Readonly<Record<UsageType, string>>;
  readonly natives: Readonly<Record<NativeType, string>>;
  readonly flags: Readonly<Record<Exclude<Flag, "isBogon" | "isMobile">, string>>;
}

/** Returns the short texts of the share cards. Their fonts have only the ideographs of the Chinese texts. */
export const cardTextsOf = forLanguages(cardsEn, cardsZh, makeCardTexts);

function makeCardTexts(texts: typeof cardsEn & CardNames) {
  return {
    ...texts,
    ...fillersOf(texts, ["vulns", "coverage", "surveyed", "asOf"]),
    // The last is `asLowAs` in the room of a badge.
    ...fillersOf(texts, ["tablesOnly", "staleOf", "asLowAs", "could"]),
    /** Text for those who do not see the card of a report or of a page. */
    alt: (ip: string, score: string) => fill(texts.alt, { ip, score }),
  };
}

/** Returns the texts of the home page, the comparison and the error pages, beside those of all pages. */
export const siteTextsOf = forLanguages(siteEn, siteZh, makeSiteTexts);

// `uses` are the shortest names of the use cases: the comparison has ten columns.
function makeSiteTexts(
  texts: typeof siteEn & Readonly<Record<"uses" | "usesInText", Readonly<Record<ScenarioId, string>>>>,
) {
  return {
    ...texts,
    ...fillersOf(texts, ["special", "moreDeductions", "unknownLists"]),
    say: sayerOf(texts),
  };
}
