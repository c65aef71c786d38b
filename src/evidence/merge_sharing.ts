import type { Sharing } from "#report";
import type { Heard } from "./heard.ts";

/** The largest number of devices anybody saw. */
export function mergeSharing(heard: readonly Heard[]): Sharing | undefined {
  const words = heard.flatMap(({ said }) => said.sharing ?? []);
  const address = largest(words.map((word) => word.address));
  const subnet = largest(words.map((word) => word.subnet));
  if (address === undefined && subnet === undefined) return undefined;
  return {
    ...(address === undefined ? {} : { address }),
    ...(subnet === undefined ? {} : { subnet }),
  };
}

function largest(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
