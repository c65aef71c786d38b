import { compareText } from "./compare_text.ts";
import type { SourceRun } from "./observation.ts";

/** Runs in an order of their own, so that the order in which they ended never matters. */
export function sortRuns(runs: readonly SourceRun[]): readonly SourceRun[] {
  return runs.toSorted((a, b) => {
    if (a.id !== b.id) return a.id < b.id ? -1 : 1;
    return compareText(JSON.stringify(a), JSON.stringify(b));
  });
}
