import { CONFIDENCES, groupLists, type Report, readFacts, SCENARIOS, type ScenarioId } from "#report";

/** What a comparison ranks: the purity, the blocklists, and each use case. */
export type Metric = "purity" | "lists" | ScenarioId;

const METRICS: readonly Metric[] = ["purity", "lists", ...SCENARIOS];

/** Which reports are the best. */
export type Ranking = ReturnType<typeof rankReports>;

/** A purity or the score of a use case below this is poor. So is an address that any list names. */
export const FAIR_FROM = 50;

/**
 * Ranks reports: by purity, then confidence, then the sum of the use cases, then the number of lists. Addresses
 * without a score take no part, and neither do those of which too little is known.
 */
export function rankReports(reports: readonly Report[]) {
  const ordered = reports.toSorted(compareReports);
  const candidates = ordered.filter((report) => gradeOf(report) === RANKED);
  const [first] = candidates;
  const winners = candidates.filter((one) => first !== undefined && compareReports(one, first) === 0);
  // Few lists that answered are no best result beside many. Those that name a policy have answered too.
  const countAnswers = ({ blocklists }: Report) =>
    blocklists.filter(({ unavailable }) => !unavailable).length;
  const mostLists = Math.max(...candidates.map(countAnswers));
  const isHighest = (report: Report, metric: Metric) => {
    const value = rankValueOf(report, metric);
    if (value === undefined || !candidates.includes(report)) return false;
    if (metric === "lists" && countAnswers(report) < mostLists) return false;
    const values = candidates.flatMap((one) => rankValueOf(one, metric) ?? []);
    return values.every((other) => other <= value) && values.some((other) => other < value);
  };
  const isFair = (report: Report, metric: Metric) =>
    (rankValueOf(report, metric) ?? 0) >= (metric === "lists" ? 0 : FAIR_FROM);
  const isBest = (report: Report, metric: Metric) => isFair(report, metric) && isHighest(report, metric);
  const scoreOf = (report: Report, id: ScenarioId) => rankValueOf(report, id) ?? 0;
  const leading = SCENARIOS.filter((id) => first !== undefined && isHighest(first, id));
  const bestUses = leading.filter((id) => first !== undefined && isFair(first, id));
  return {
    /** The cleanest, or several that are equal in everything; none if no report can be ranked. */
    winners,
    /** All reports, the best first: those that can be ranked, then those of which too little is known, then the others. */
    ordered,
    /** The use cases in which the first winner has the best score, and those in which that score is poor. */
    bestUses,
    poorUses: leading.filter((id) => !bestUses.includes(id)),
    /** How many reports could be ranked. */
    count: candidates.length,
    /** The use cases in which others have a higher score than the first winner, with the highest and who has it. */
    worseUses: SCENARIOS.flatMap((id) => {
      const score = Math.max(...candidates.map((one) => scoreOf(one, id)));
      const better = candidates.filter((one) => scoreOf(one, id) === score);
      return first === undefined || better.includes(first)
        ? []
        : [{ id, score, better: better.map(({ ip }) => ip) }];
    }),
    /** Whether a report is the best of a metric. Nothing is the best if all are equal, or if the best is poor. */
    isBest,
    /** Whether any report is the best of a metric. */
    hasBest: candidates.some((one) => METRICS.some((metric) => isBest(one, metric))),
  };
}

/** The value of a metric, higher is better; undefined if it is not known. */
function rankValueOf(report: Report, metric: Metric): number | undefined {
  if (metric === "purity") return report.risk.purity;
  if (metric === "lists") return -groupLists(report.blocklists).listed.length;
  return report.scenarios.find(({ id }) => id === metric)?.score ?? undefined;
}

const RANKED = 2;

/** Ranked; of which too little is known; or without a score. */
function gradeOf(report: Report): number {
  const { isScored, isThin } = readFacts(report);
  return isScored ? (isThin ? 1 : RANKED) : 0;
}

/** Orders the better report first; 0 if both are equal in everything. */
function compareReports(one: Report, other: Report): number {
  const sumUses = ({ scenarios }: Report) => scenarios.reduce((sum, { score }) => sum + (score ?? 0), 0);
  return (
    gradeOf(other) - gradeOf(one) ||
    other.risk.purity - one.risk.purity ||
    CONFIDENCES.indexOf(other.risk.confidence) - CONFIDENCES.indexOf(one.risk.confidence) ||
    sumUses(other) - sumUses(one) ||
    groupLists(one.blocklists).listed.length - groupLists(other.blocklists).listed.length
  );
}
