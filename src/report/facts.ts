import { percentOf } from "#common";
import type { ReportedAbuse } from "./assessment.ts";
import type { Report } from "./report.ts";
import { FLAGS } from "./vocabulary.ts";

type Blocklist = Report["blocklists"][number];

/**
 * What a blocklist said: it accuses the address, it names a kind of exit and no abuse, it lists the address as harmless,
 * it did not answer, or it does not list the address.
 */
export const LIST_STATES = ["listed", "exit", "benign", "unavailable", "notListed"] as const;
export type ListState = (typeof LIST_STATES)[number];

/** The counts and names of one report. Every format shows these, so that no two formats differ. */
export type ReportFacts = ReturnType<typeof readFacts>;

export function readFacts(report: Report) {
  const { risk, blocklists, asn } = report;
  const { purity, coverage, range } = risk;
  const lists = groupLists(blocklists);
  // Most formats need these two once or never, and a report has a hundred sources.
  return {
    /** Whether the address is someone's exit. Of any other address no format shows a score. */
    isScored: report.scenarioApplicable,
    /** Whether the native type is worth its place: of a public service it is always unknown. */
    isNativeTold: report.scenarioApplicable || report.nativeType !== "unknown",
    /** Whether too little was obtained. Every format says so before the score, and shows nothing as good. */
    isThin: report.scenarioApplicable && risk.confidence === "low",
    /** Whether too little was obtained to say that the address is no proxy, VPN or Tor exit. Also of public services. */
    isExitUnknown: risk.confidence === "low" || coverage?.anonymity === 0,
    /** The flags that are set, each with its agreement; 0 = not known. */
    flags: FLAGS.filter((flag) => report.flags[flag]).map((flag) => ({
      flag,
      agreement: report.flagAgreement[flag] ?? 0,
    })),
    /** Every blocklist in exactly one state, in document order. */
    lists,
    /** Without those that name it in a policy list, which accuses of nothing. */
    listsAnswered: blocklists.length - lists.unavailable.length - lists.benign.length,
    /** The deductions, then the credits, the largest deduction first, without caps and rounding. */
    get deductions() {
      return risk.factors.filter((factor) => !isAdjustment(factor)).toSorted((a, b) => b.points - a.points);
    },
    /** These, then caps, bounds and rounding. */
    get steps() {
      return [...this.deductions, ...risk.factors.filter(isAdjustment)];
    },
    attacks: countAttacks(report.abuse),
    /** The coverage in percent; undefined for a report of an older scoring version. */
    percent: coverage === undefined || range === undefined ? undefined : percentOf(coverage.total),
    /** The purity that 95 % of such addresses reach with all evidence; the purity in a report of an older scoring version. */
    low: range?.low ?? purity,
    /** Whether the purity may be lower. A report of an older scoring version does not say it. */
    hasLow: report.scenarioApplicable && range !== undefined && range.low < purity,
    /** Number and name of the AS, such as `AS64500 EXAMPLE`; empty when unknown. */
    network: [asn?.asn === undefined ? "" : `AS${asn.asn}`, asn?.name ?? asn?.org ?? ""]
      .filter((part) => part !== "")
      .join(" "),
  };
}

/** Groups blocklists by what they said. */
export function groupLists(blocklists: readonly Blocklist[]): Record<ListState, readonly Blocklist[]> {
  const none = { listed: [], exit: [], benign: [], unavailable: [], notListed: [] };
  return { ...none, ...Object.groupBy(blocklists, stateOf) };
}

function stateOf({ unavailable, listed, benign, countedAs }: Blocklist): ListState {
  if (unavailable) return "unavailable";
  if (!listed) return "notListed";
  if (benign) return "benign";
  return countedAs === undefined ? "listed" : "exit";
}

/** The low end of a use case where missing data can lower its score, else undefined. Stored reports can lack it. */
export function findUseLow({
  score,
  low,
}: Pick<Report["scenarios"][number], "score" | "low">): number | undefined {
  return score !== null && low !== undefined && low < score ? low : undefined;
}

/** Whether a factor only keeps the sum inside its bounds: a cap, a bound, a minimum risk, or rounding. */
export function isAdjustment({ id, category }: { readonly id: string; readonly category: string }): boolean {
  return category === "adjustment" || (category === "relief" && id.endsWith("_cap"));
}

/** The largest number of attacks that one source has on record. Sources see the same attacks: no sum. */
export function countAttacks(abuse: readonly ReportedAbuse[]): number {
  return Math.max(0, ...abuse.map(({ attacks }) => attacks?.total ?? 0));
}

/** The highest abuse score of any source, 0 to 100, and the sources that give it; undefined when no source gives one above 0. */
export function findHighestScore(abuse: readonly ReportedAbuse[]) {
  const score = Math.max(0, ...abuse.map((record) => record.score ?? 0));
  if (score === 0) return undefined;
  return { score, sources: abuse.filter((record) => record.score === score).map(({ source }) => source) };
}
