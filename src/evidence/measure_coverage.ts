import type { Coverage } from "./evidence.ts";
import { isHeard } from "./is_heard.ts";
import { isPlanned } from "./is_planned.ts";
import type { Matter, SourceRun } from "./observation.ts";
import { sortedSet } from "./sorted_set.ts";

/** What the word of an ageing source counts for, of its full weight in what was heard. */
export const AGEING_SHARE = 0.5;

/** Measures how much of what was planned was heard. One pass: every report is measured, most runs have little to say. */
export function measureCoverage(runs: readonly SourceRun[]): Coverage {
  const planned = new Set<Matter>();
  const heard = new Set<Matter>();
  const unheard: string[] = [];
  let [plannedWeight, heardWeight] = [0, 0];
  // Sources without weight (what an address is for, who serves there) are not what coverage is about.
  let [plannedSources, heardSources] = [0, 0];
  let [livePlanned, liveHeard, liveListsHeard] = [0, 0, 0];

  for (const run of runs) {
    if (!isPlanned(run)) continue;
    const { matters, weight } = run;
    const wasHeard = isHeard(run);
    for (const matter of matters) {
      planned.add(matter);
      if (wasHeard) heard.add(matter);
    }
    if (!run.local) {
      livePlanned += 1;
      if (wasHeard) liveHeard += 1;
      if (wasHeard && run.zone !== undefined) liveListsHeard += 1;
    }
    if (!wasHeard) unheard.push(run.name);
    if (!(weight > 0)) continue;
    plannedSources += 1;
    if (wasHeard) heardSources += 1;
    if (!Number.isFinite(weight)) continue;
    plannedWeight += weight;
    if (wasHeard) heardWeight += run.observation?.ageing === true ? weight * AGEING_SHARE : weight;
  }
  return {
    planned: plannedWeight,
    heard: heardWeight,
    plannedSources,
    heardSources,
    livePlanned,
    liveHeard,
    liveListsHeard,
    heardMatters: sortedSet(heard),
    plannedMatters: sortedSet(planned),
    unheard,
  };
}
