import { groupLists, type Report, readFacts, SCENARIOS, type ScenarioId } from "#report";

/** What a comparison ranks: the purity, the blocklists, and each use case. */
export type Metric = "purity" | "lists" | ScenarioId;

/** Which reports are the best. */
export interface Ranking {
  /** The cleanest, or several that are equal in everything; none if no report can be ranked. */
  readonly winners: readonly Report[];
  /** In how many use cases the first winner has the best score. */
  readonly bestUses: number;
  /** Whether a report is the best of a metric. Nothing is the best if all are equal, or if the best is poor. */
  readonly isBest: (report: Report, metric: Metric) => boolean;
}

/** Where this share of the lists or more did not answer, the number of lists says too little to be the best. */
const MOST_UNANSWERED = 0.1;

/** A purity or the score of a use case below this is poor. So is an address that any list names. */
export const FAIR_FROM = 50;

const CONFIDENCE_RANK = { high: 2, medium: 1, low: 0 } as const;

/**
 * Ranks reports: by purity, then confidence, then the sum of the use cases, then the number of lists. Addresses
 * without a score take no part, and neither do those of which too little is known.
 */
export function rankReports(reports: readonly Report[]): Ranking {
  const candidates = reports.filter((report) => {
    const { isScored, isThin } = readFacts(report);
    return isScored && !isThin;
  });
  const sorted = candidates.toSorted((one, other) => compareRanks(rankOf(one), rankOf(other)));
  const [first] = sorted;
  const winners =
    first === undefined ? [] : sorted.filter((one) => compareRanks(rankOf(one), rankOf(first)) === 0);
  const best = new Map<Metric, number>();
  for (const metric of ["purity", "lists", ...SCENARIOS] as const) {
    const values = candidates.flatMap((report) => rankValueOf(report, metric) ?? []);
    const highest = Math.max(...values);
    if (values.some((value) => value < highest)) best.set(metric, highest);
  }
  const isHighest = (report: Report, metric: Metric) =>
    candidates.includes(report) && best.has(metric) && rankValueOf(report, metric) === best.get(metric);
  const isFair = (metric: Metric) => (best.get(metric) ?? 0) >= (metric === "lists" ? 0 : FAIR_FROM);
  return {
    winners: reports.filter((report) => winners.includes(report)),
    bestUses: first === undefined ? 0 : SCENARIOS.filter((id) => isFair(id) && isHighest(first, id)).length,
    isBest: (report, metric) => isFair(metric) && isHighest(report, metric),
  };
}

/** The value of a metric, higher is better; undefined if it is not known. */
function rankValueOf(report: Report, metric: Metric): number | undefined {
  if (metric === "purity") return report.risk.purity;
  if (metric !== "lists") return report.scenarios.find(({ id }) => id === metric)?.score ?? undefined;
  const { listed, unavailable } = groupLists(report.blocklists);
  const isAnswered = unavailable.length < report.blocklists.length * MOST_UNANSWERED;
  return isAnswered ? -listed.length : undefined;
}

function rankOf(report: Report): readonly number[] {
  const uses = report.scenarios.reduce((sum, { score }) => sum + (score ?? 0), 0);
  return [
    report.risk.purity,
    CONFIDENCE_RANK[report.risk.confidence],
    uses,
    -groupLists(report.blocklists).listed.length,
  ];
}

/** Orders the higher rank first. */
function compareRanks(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const difference = (other[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}
