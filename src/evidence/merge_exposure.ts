import type { Exposure } from "#report";
import type { Heard } from "./heard.ts";
import { sortedSet } from "./sorted_set.ts";

/** Joins what scans saw: every port and every vulnerability once. */
export function mergeExposure(heard: readonly Heard[]): Exposure | undefined {
  const words = heard.flatMap(({ said }) => said.exposure ?? []);
  if (words.length === 0) return undefined;
  return {
    observed: words.some((word) => word.observed),
    ports: [...new Set(words.flatMap((word) => word.ports))].sort((a, b) => a - b),
    vulns: [...sortedSet(words.flatMap((word) => word.vulns))],
  };
}
