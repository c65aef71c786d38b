import { COVERED_KINDS, type CoveredKind, type SkipReason } from "#report";
import type { Coverage } from "./evidence.ts";
import type { EvidenceCategory, Observation, SourceRun } from "./observation.ts";

/** A run that returned an observation. */
export interface Answer {
  readonly run: SourceRun;
  readonly observation: Observation;
}

/** The share of its weight that a source has in coverage when its data is old. */
export const AGEING_SHARE = 0.5;

/** Reasons of the operator, or limits of the source. Such a source is not expected to answer. */
const NOT_EXPECTED: ReadonlySet<SkipReason> = new Set([
  "no_key",
  "noncommercial",
  "no_contact",
  "turned_off",
  "live_off",
  "version",
  "settled",
]);

/**
 * The rank of every id seen so far, in order. This is only a cache, because the sources are the same in every survey.
 * It never changes a result. It saves 10 of the about 80 µs that an assessment takes.
 */
let ranks: ReadonlyMap<string, number> = new Map();
const MAX_RANKS = 1_024;

/**
 * Sorts runs by id, so that the order in which sources answer never changes a result. Runs with the same id are
 * sorted by their JSON.
 */
export function sortRuns(runs: readonly SourceRun[]): readonly SourceRun[] {
  if (!runs.every(({ id }) => ranks.has(id))) ranks = rankIds(runs);
  const places: (SourceRun | undefined)[] = Array.from({ length: ranks.size });
  for (const run of runs) {
    const rank = ranks.get(run.id);
    if (rank === undefined || places[rank] !== undefined) return runs.toSorted(compareRuns);
    places[rank] = run;
  }
  return places.filter((run) => run !== undefined);
}

function rankIds(runs: readonly SourceRun[]): ReadonlyMap<string, number> {
  const known = ranks.size < MAX_RANKS ? [...ranks.keys()] : [];
  const ids = [...new Set([...known, ...runs.map(({ id }) => id)])].sort();
  return new Map(ids.map((id, rank) => [id, rank]));
}

function compareRuns(a: SourceRun, b: SourceRun): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)];
  if (textA === textB) return 0;
  return textA < textB ? -1 : 1;
}

/** Returns the runs that have something to report. Failed, skipped and empty runs are left out. */
export function listAnswers(runs: readonly SourceRun[]): readonly Answer[] {
  const answers: Answer[] = [];
  for (const run of runs) {
    const { state, observation } = run;
    if (state === "answered" && observation !== undefined) answers.push({ run, observation });
  }
  return answers;
}

/** Whether the source answered. `empty` is an answer: the source has no record of the address. */
export function isAnswered(run: SourceRun): boolean {
  return run.state === "answered" || run.state === "empty";
}

/** What an answer says about its own source. */
const ABOUT_SOURCE: ReadonlySet<string> = new Set(["dataDate", "ageing", "snapshot", "updateRefused"]);

/** The state as people see it: a list that answered and does not contain the address has no record of it. */
export function shownState({ state, observation }: SourceRun): SourceRun["state"] {
  if (state !== "answered" || observation === undefined) return state;
  for (const key in observation)
    if (key === "listings" ? observation.listings?.some(({ listed }) => listed) : !ABOUT_SOURCE.has(key))
      return state;
  return "empty";
}

/** Whether an answer was expected, also from a source that is paused, over its budget or retired. */
export function isExpected(run: SourceRun): boolean {
  return run.state !== "skipped" || run.skipped === undefined || !NOT_EXPECTED.has(run.skipped);
}

/** Whether the source could have been asked about the address. Nobody replaces a source that is only turned off. */
export function isAskable(run: SourceRun): boolean {
  if (isExpected(run) || run.skipped === "live_off") return true;
  return run.skipped === "turned_off" && run.detail === undefined;
}

/** Measures the part of the weight that answered, in all and by kind. Old data counts for {@link AGEING_SHARE}. */
function measureObtained(runs: readonly SourceRun[]): Coverage["obtained"] {
  const total = { asked: 0, obtained: 0 };
  const kinds = new Map<string, { asked: number; obtained: number }>(
    COVERED_KINDS.map((kind) => [kind, { asked: 0, obtained: 0 }]),
  );
  for (const run of runs) {
    const { matters, weight } = run;
    if (!(weight > 0) || !Number.isFinite(weight) || !isAskable(run)) continue;
    const obtained = !isAnswered(run) ? 0 : run.observation?.ageing === true ? weight * AGEING_SHARE : weight;
    total.asked += weight;
    total.obtained += obtained;
    for (const kind of new Set(matters)) {
      const sums = kinds.get(kind);
      if (sums === undefined) continue;
      sums.asked += weight;
      sums.obtained += obtained;
    }
  }
  const share = (sums = total) => (sums.asked > 0 ? Math.min(sums.obtained / sums.asked, 1) : 0);
  const shares = COVERED_KINDS.map((kind) => [kind, share(kinds.get(kind))] as const);
  return { total: share(), ...(Object.fromEntries(shares) as Record<CoveredKind, number>) };
}

/** Measures how many of the expected sources answered. `runs` are sorted. */
export function measureCoverage(runs: readonly SourceRun[]): Coverage {
  const expectedCategories = new Set<EvidenceCategory>();
  const answeredCategories = new Set<EvidenceCategory>();
  const unanswered: string[] = [];
  let [expectedWeight, answeredWeight] = [0, 0];
  let [liveAnswered, liveListsAnswered] = [0, 0];

  for (const run of runs) {
    if (!isExpected(run)) continue;
    const { matters, weight } = run;
    const hasAnswered = isAnswered(run);
    for (const category of matters) {
      // A downloaded list knows one kind of exit only, so it is not an answer on anonymity as a whole.
      if (run.local && category === "anonymity") continue;
      expectedCategories.add(category);
      if (hasAnswered) answeredCategories.add(category);
    }
    if (!run.local && hasAnswered) {
      liveAnswered += 1;
      if (run.zone !== undefined) liveListsAnswered += 1;
    }
    if (!hasAnswered) unanswered.push(run.name);
    if (!(weight > 0) || !Number.isFinite(weight)) continue;
    expectedWeight += weight;
    if (hasAnswered) answeredWeight += run.observation?.ageing === true ? weight * AGEING_SHARE : weight;
  }
  return {
    expectedWeight,
    answeredWeight,
    liveAnswered,
    liveListsAnswered,
    obtained: measureObtained(runs),
    expectedCategories: [...expectedCategories].sort(),
    answeredCategories: [...answeredCategories].sort(),
    unanswered,
  };
}
