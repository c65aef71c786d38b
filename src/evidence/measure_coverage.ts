import type { Coverage } from "./evidence.ts";
import { isHeard } from "./is_heard.ts";
import { isPlanned } from "./is_planned.ts";
import type { SourceRun } from "./observation.ts";
import { sortedSet } from "./sorted_set.ts";

/** Measures how much of what was planned was heard. */
export function measureCoverage(runs: readonly SourceRun[]): Coverage {
  const planned = runs.filter(isPlanned);
  const heard = planned.filter(isHeard);
  return {
    planned: weigh(planned),
    heard: weigh(heard),
    plannedSources: countWeighty(planned),
    heardSources: countWeighty(heard),
    livePlanned: planned.filter((run) => !run.local).length,
    liveHeard: heard.filter((run) => !run.local).length,
    heardMatters: sortedSet(heard.flatMap((run) => run.matters)),
    plannedMatters: sortedSet(planned.flatMap((run) => run.matters)),
    unheard: planned.filter((run) => !isHeard(run)).map((run) => run.name),
  };
}

/** Sources without weight (what an address is for, who serves there) are not what coverage is about. */
function countWeighty(runs: readonly SourceRun[]): number {
  return runs.filter((run) => run.weight > 0).length;
}

function weigh(runs: readonly SourceRun[]): number {
  return runs.reduce((sum, run) => sum + (Number.isFinite(run.weight) ? Math.max(0, run.weight) : 0), 0);
}
