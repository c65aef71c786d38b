import type { Coverage } from "./evidence.ts";
import { isHeard } from "./is_heard.ts";
import { isPlanned } from "./is_planned.ts";
import type { Matter, SourceRun } from "./observation.ts";
import { sortedSet } from "./sorted_set.ts";

/** What the word of an ageing source counts for, of its full weight in what was heard. */
export const AGEING_SHARE = 0.5;

/** Measures how much of what was planned was heard. One pass: every report is measured, most runs have little to say. */
export function measureCoverage(runs: readonly SourceRun[]): Coverage {
  const matters = { planned: new Set<Matter>(), heard: new Set<Matter>() };
  const weight = { planned: 0, heard: 0 };
  // Sources without weight (what an address is for, who serves there) are not what coverage is about.
  const weighty = { planned: 0, heard: 0 };
  const live = { planned: 0, heard: 0 };
  const liveLists = { planned: 0, heard: 0 };
  const unheard: string[] = [];

  const count = (run: SourceRun, as: "planned" | "heard") => {
    for (const matter of run.matters) matters[as].add(matter);
    if (!run.local) live[as]++;
    if (!run.local && run.zone !== undefined) liveLists[as]++;
    if (!(run.weight > 0)) return;
    weighty[as]++;
    if (!Number.isFinite(run.weight)) return;
    const isAgeing = as === "heard" && run.observation?.ageing === true;
    weight[as] += isAgeing ? run.weight * AGEING_SHARE : run.weight;
  };

  for (const run of runs) {
    if (!isPlanned(run)) continue;
    count(run, "planned");
    if (isHeard(run)) count(run, "heard");
    else unheard.push(run.name);
  }
  return {
    planned: weight.planned,
    heard: weight.heard,
    plannedSources: weighty.planned,
    heardSources: weighty.heard,
    livePlanned: live.planned,
    liveHeard: live.heard,
    liveListsHeard: liveLists.heard,
    heardMatters: sortedSet(matters.heard),
    plannedMatters: sortedSet(matters.planned),
    unheard,
  };
}
