import type { Address } from "#address";
import { type Outcome, skipped } from "./outcome.ts";
import type { Source } from "./source.ts";

export interface SourceSettings {
  /** False: only tables in the memory of the process are asked. */
  readonly live: boolean;
  readonly allowNoncommercial: boolean;
  readonly contact?: string;
  /** Ids of sources and zones that are turned off. */
  readonly off: ReadonlySet<string>;
  /** Keys by source id. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Settings without keys and permissions; nothing is turned off. */
export const NO_SETTINGS: Omit<SourceSettings, "live"> = {
  allowNoncommercial: false,
  off: new Set(),
  secrets: new Map(),
};

/**
 * Share of the vendor's quota that we use: other programs may use the same quota, and the vendor's day may begin at
 * another time.
 */
const QUOTA_SHARE = 0.95;

/** The daily budget of a source in requests a UTC day: the operator's number, else 95 % of the vendor's quota; undefined = no limit. */
export function dailyLimit(
  source: Source,
  settings: SourceSettings,
  overrides: ReadonlyMap<string, number>,
): number | undefined {
  const override = overrides.get(source.id);
  if (override !== undefined) return override;
  if (source.daily === undefined) return undefined;
  // A source that requires a key has no quota without one.
  const isKeyed = source.secret === "required" || hasKey(settings, source.id);
  return Math.floor((isKeyed ? source.daily.keyed : source.daily.keyless) * QUOTA_SHARE);
}

/**
 * Returns why a source is not asked, if the settings or the address give a reason. The first reason in this order is
 * reported.
 */
export function findSkip(
  source: Source,
  address: Pick<Address, "version">,
  settings: SourceSettings,
): Outcome | undefined {
  const { off } = settings;
  const { replacedBy, zone } = source;
  if (off.has(source.id) || (zone !== undefined && off.has(zone.id))) return skipped("turned_off");
  if (replacedBy !== undefined && hasKey(settings, replacedBy) && !off.has(replacedBy)) {
    return skipped("turned_off", `${replacedBy} is asked instead`);
  }
  if (!source.versions.includes(address.version)) return skipped("version");
  if (source.secret === "required" && !hasKey(settings, source.id)) return skipped("no_key");
  if (source.noncommercial === true && !settings.allowNoncommercial) return skipped("noncommercial");
  if (source.needsContact === true && settings.contact === undefined) return skipped("no_contact");
  // Last, because coverage counts these sources: with live sources on, they would be asked.
  if (source.local !== true && !settings.live) return skipped("live_off");
  return undefined;
}

function hasKey({ secrets }: SourceSettings, id: string): boolean {
  return (secrets.get(id) ?? "") !== "";
}
