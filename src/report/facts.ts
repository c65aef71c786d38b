import { percentOf } from "#common";
import type { ReportedAbuse } from "./assessment.ts";
import type { Report } from "./report.ts";
import { FLAGS, type Flag } from "./vocabulary.ts";

type Blocklist = Report["blocklists"][number];
type Source = Report["sources"][number];

/**
 * What a blocklist said: it accuses the address, it names a kind of exit and no abuse, it lists the address as harmless,
 * it did not answer, or it does not list the address.
 */
export const LIST_STATES = ["listed", "exit", "benign", "unavailable", "notListed"] as const;
export type ListState = (typeof LIST_STATES)[number];

/** The counts and names of one report. Every format shows these, so that no two formats differ. */
export interface ReportFacts {
  /** Whether the address is someone's exit. Of any other address no format shows a score. */
  readonly isScored: boolean;
  /** Whether too little was obtained. Every format says so before the score, and shows nothing as good. */
  readonly isThin: boolean;
  /** The flags that are set, each with its agreement; 0 = not known. */
  readonly flags: readonly { readonly flag: Flag; readonly agreement: number }[];
  /** Every blocklist in exactly one state, in document order. */
  readonly lists: Readonly<Record<ListState, readonly Blocklist[]>>;
  /** Lists that gave an answer. */
  readonly listsAnswered: number;
  /** Every source in exactly one state. A source without a record of the address has answered. */
  readonly sources: Readonly<Record<"answered" | "failed" | "skipped", readonly Source[]>>;
  /** The deductions and credits, most points first, without caps and rounding. */
  readonly deductions: Report["risk"]["factors"];
  readonly attacks: number;
  /** The coverage in percent; undefined for a report of an older scoring version. */
  readonly percent: number | undefined;
  /** The purity that 95 % of such addresses reach with all evidence; the purity in a report of an older scoring version. */
  readonly low: number;
  /** Number and name of the AS, such as `AS64500 EXAMPLE`; empty when unknown. */
  readonly network: string;
}

/** Reads the facts of a report. */
export function readFacts(report: Report): ReportFacts {
  const { risk, blocklists, asn } = report;
  const { purity, coverage, range } = risk;
  const lists = groupLists(blocklists);
  // Most formats need these two once or never, and a report has a hundred sources.
  return {
    isScored: report.scenarioApplicable,
    isThin: report.scenarioApplicable && risk.confidence === "low",
    flags: FLAGS.filter((flag) => report.flags[flag]).map((flag) => ({
      flag,
      agreement: report.flagAgreement[flag] ?? 0,
    })),
    lists,
    listsAnswered: blocklists.length - lists.unavailable.length,
    get sources() {
      return groupSources(report.sources);
    },
    get deductions() {
      return risk.factors
        .filter((factor) => !isAdjustment(factor))
        .toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points));
    },
    attacks: countAttacks(report.abuse),
    percent: coverage === undefined || range === undefined ? undefined : percentOf(coverage.total),
    low: range?.low ?? purity,
    network: [asn?.asn === undefined ? "" : `AS${asn.asn}`, asn?.name ?? asn?.org ?? ""]
      .filter((part) => part !== "")
      .join(" "),
  };
}

/** Groups blocklists by what they said. */
export function groupLists(blocklists: readonly Blocklist[]): Record<ListState, readonly Blocklist[]> {
  const groups: Record<ListState, Blocklist[]> = {
    listed: [],
    exit: [],
    benign: [],
    unavailable: [],
    notListed: [],
  };
  for (const list of blocklists) groups[stateOf(list)].push(list);
  return groups;
}

function stateOf({ unavailable, listed, benign, countedAs }: Blocklist): ListState {
  if (unavailable) return "unavailable";
  if (!listed) return "notListed";
  if (benign) return "benign";
  return countedAs === undefined ? "listed" : "exit";
}

/** Groups sources by their state. */
export function groupSources(sources: readonly Source[]): ReportFacts["sources"] {
  const groups: Record<keyof ReportFacts["sources"], Source[]> = { answered: [], failed: [], skipped: [] };
  for (const source of sources)
    groups[source.ok ? "answered" : source.skipped === undefined ? "failed" : "skipped"].push(source);
  return groups;
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
