import type { Observation } from "#evidence";
import type { Source } from "./source.ts";

const DAY_MS = 86_400_000;

/** Marks what a table says if its data is older than the source holds for fresh. `nowMs` in milliseconds. */
export function markAgeing(
  observation: Observation,
  { freshDays }: Pick<Source, "freshDays">,
  nowMs: number,
): Observation {
  if (freshDays === undefined || observation.dataDate === undefined) return observation;
  const isOld = nowMs - Date.parse(observation.dataDate) > freshDays * DAY_MS;
  return isOld ? { ...observation, ageing: true } : observation;
}
