import type { Registry } from "#report";
import type { AsClass } from "./as_classes.ts";
import type { UsageVote } from "./evidence.ts";
import { classifyName } from "./network_names.ts";
import type { Family } from "./observation.ts";

/** The family of the conclusion that space of a carrier is leased to somebody. */
const LEASE_FAMILY: Family = "leased_space";

/**
 * Returns a vote for hosting where a carrier of transit announces a prefix that is registered to somebody else: such
 * space is leased, mostly to people who run servers. The country of the registration shows it, because a carrier
 * registers its own space at home; the holder shows it where a registry answered. Only one family concludes this, so it
 * has half of its weight until a source confirms it. A holder whose name shows another use (a bank, a ministry) is a
 * customer of the carrier with lines, not with servers. `home` of a class is set for carriers only.
 */
export function findLease(
  own: AsClass | undefined,
  registry: Registry | undefined,
  registered: string | undefined,
): UsageVote | undefined {
  if (own?.home === undefined || registry === undefined) return undefined;
  const names = [registry.netName, registry.org].filter((name) => name !== undefined);
  if (names.some((name) => isOther(name))) return undefined;
  const isAbroad = registered !== undefined && !own.home.includes(registered);
  if (!isAbroad && !isForeignHolder(own, registry.org)) return undefined;
  return { type: "hosting", family: LEASE_FAMILY, reason: "leased_space" };
}

function isOther(name: string): boolean {
  const kind = classifyName(name);
  return kind !== undefined && kind !== "hosting";
}

/** Whether the registry names a holder, and its name has no word of the carrier's. */
function isForeignHolder(own: AsClass, holder: string | undefined): boolean {
  if (holder === undefined) return false;
  const text = holder.toLowerCase();
  return !own.operator
    .toLowerCase()
    .split(/[^a-z0-9&]+/)
    .some((word) => word.length > 2 && text.includes(word));
}
