import type { Exposure } from "#report";
import type { Heard } from "./heard.ts";
import type { SourceRun } from "./observation.ts";
import { sortedSet } from "./sorted_set.ts";

/**
 * Joins what scans saw: every port and every vulnerability once. A scanner that was heard and has no record of the
 * address gives `observed: false`, which is neither an open port nor proof that there is none.
 */
export function mergeExposure(
  heard: readonly Heard[],
  runs: readonly Pick<SourceRun, "matters" | "state">[],
): Exposure | undefined {
  const words = heard.flatMap(({ said }) => said.exposure ?? []);
  if (words.length === 0) {
    const hasNoRecord = runs.some((run) => run.state === "empty" && run.matters.includes("exposure"));
    return hasNoRecord ? { observed: false, ports: [], vulns: [] } : undefined;
  }
  return {
    observed: words.some((word) => word.observed),
    ports: [...new Set(words.flatMap((word) => word.ports))].sort((a, b) => a - b),
    vulns: [...sortedSet(words.flatMap((word) => word.vulns))],
  };
}
