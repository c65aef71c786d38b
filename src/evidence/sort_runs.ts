import { compareText } from "./compare_text.ts";
import type { SourceRun } from "./observation.ts";

/** Where each id that was ever seen stands among all of them: sources are always the same hundred. */
let ranks: ReadonlyMap<string, number> = new Map();
const MAX_RANKS = 1_024;

/**
 * Runs in an order of their own, so that the order in which they ended never matters. Each is put into its place, for
 * sorting a hundred anew would take longer than judging them; what comes out is what sorting by id would give.
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
  const ids = [...new Set([...known, ...runs.map(({ id }) => id)])].sort(compareText);
  return new Map(ids.map((id, rank) => [id, rank]));
}

function compareRuns(a: SourceRun, b: SourceRun): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return compareText(JSON.stringify(a), JSON.stringify(b));
}
