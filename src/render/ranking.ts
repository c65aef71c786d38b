import { CONFIDENCES, groupLists, type Report, readFacts, SCENARIOS, type ScenarioId } from "#report";

/** What a comparison ranks: the purity and each use case. */
export type Metric = "purity" | ScenarioId;

/** Which reports are the best. */
export type Ranking = ReturnType<typeof rankReports>;

/** A purity or the score of a use case below this is poor. */
export const FAIR_FROM = 50;

/** What orders reports of the same purity, the first that differs: higher is better. */
const TIE_BREAKERS = [
  ["low", ({ risk }: Report) => risk.range?.low ?? 0],
  ["confidence", ({ risk }: Report) => CONFIDENCES.indexOf(risk.confidence)],
  ["coverage", (report: Report) => readFacts(report).percent ?? 0],
  ["uses", ({ scenarios }: Report) => scenarios.reduce((sum, { score }) => sum + (score ?? 0), 0)],
  ["lists", ({ blocklists }: Report) => -groupLists(blocklists).listed.length],
] as const;

/**
 * Ranks reports: by purity, then by each of {@link TIE_BREAKERS}. Addresses without a score take no part, and neither do
 * those of which too little is known.
 */
export function rankReports(reports: readonly Report[]) {
  const ordered = reports.toSorted(compareReports);
  const candidates = ordered.filter((report) => gradeOf(report) === RANKED);
  const [first] = candidates;
  const highest = candidates.filter(({ risk }) => risk.purity === first?.risk.purity);
  const winners = highest.filter((one) => first !== undefined && compareReports(one, first) === 0);
  const next = highest[winners.length];
  const isHighest = (report: Report, metric: Metric) => {
    const value = rankValueOf(report, metric);
    if (value === undefined || !candidates.includes(report)) return false;
    const values = candidates.flatMap((one) => rankValueOf(one, metric) ?? []);
    return values.every((other) => other <= value) && values.some((other) => other < value);
  };
  const isBest = (report: Report, metric: Metric) =>
    (rankValueOf(report, metric) ?? 0) >= FAIR_FROM && isHighest(report, metric);
  const uses = SCENARIOS.map((id) => {
    const scoreOf = (report: Report) => rankValueOf(report, id) ?? 0;
    const score = Math.max(...candidates.map(scoreOf));
    return { id, score, best: candidates.filter((one) => scoreOf(one) === score) };
  });
  const leading = uses.filter(({ id }) => first !== undefined && isHighest(first, id));
  const others = uses.filter(({ best }) => first !== undefined && !best.includes(first));
  const worse = others.filter(({ score }) => score >= FAIR_FROM);
  return {
    /** Those with the highest purity, the best first; none if no report can be ranked. */
    highest,
    /** The first of them, or several that are equal in everything. */
    winners,
    /** Why the winners come before the others of the highest purity; undefined if there are no others. */
    decidedBy: first && next && findTieBreaker(first, next)?.[0],
    /** All reports, the best first: those that can be ranked, then those of which too little is known, then the others. */
    ordered,
    /** The use cases in which the first winner has the best score, and those in which one address is best and poor. */
    bestUses: leading,
    poorUses: [...leading, ...others].filter(({ score }) => score < FAIR_FROM),
    /** How many reports could be ranked. */
    count: candidates.length,
    /** The use cases in which others have a better score, which is not poor: those of the same others together. */
    worseUses: [...Map.groupBy(worse, ({ best }) => best.map(({ ip }) => ip).join()).values()],
    /** Whether a report is the best of a metric. Nothing is the best if all are equal, or if the best is poor. */
    isBest,
    /** Whether any report is the best of a metric. */
    hasBest: candidates.some((one) =>
      (["purity", ...SCENARIOS] as const).some((metric) => isBest(one, metric)),
    ),
  };
}

/** The value of a metric, higher is better; undefined if it is not known. */
function rankValueOf(report: Report, metric: Metric): number | undefined {
  if (metric === "purity") return report.risk.purity;
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
  const rate = findTieBreaker(one, other)?.[1];
  return (
    gradeOf(other) - gradeOf(one) ||
    other.risk.purity - one.risk.purity ||
    (rate === undefined ? 0 : rate(other) - rate(one))
  );
}

function findTieBreaker(one: Report, other: Report) {
  return TIE_BREAKERS.find(([, rate]) => rate(one) !== rate(other));
}
