import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { EvidenceCategory, Family, Observation, SourceRun } from "#evidence";
import type { SourceKind } from "#report";
import type { Upstream } from "#upstream";
import { type Outcome, skipped } from "./outcome.ts";

/**
 * RFC 5782 section 5: the full DNS names of the entry that a list must contain and of the entry that it must not
 * contain.
 */
export interface TestPoints {
  readonly listed: string;
  readonly clear: string;
}

/**
 * A source of facts about addresses: metadata, a function that asks, and a pure reader. A source has no try/catch, no
 * timing, no logging and no state. The runner does that.
 */
export interface Source {
  /** snake_case; in upper case it names the variables `LIMPID_<ID>_KEY` and `LIMPID_<ID>_DAILY`. */
  readonly id: string;
  /** Display name: a proper noun that needs no translation. */
  readonly name: string;
  readonly kind: SourceKind;
  /** The publisher of the data. Sources of one family count as one. */
  readonly family: Family;
  /** The categories in which the confidence of a report counts this source. */
  readonly matters: readonly EvidenceCategory[];
  /** Share in coverage; 1 = one ordinary source. */
  readonly weight: number;
  /** IP versions that it covers. */
  readonly versions: readonly (4 | 6)[];
  readonly timeoutMs: number;
  /** A table in the memory of the process: asked even when live sources are off, never counted as live. */
  readonly local?: true;
  /** A downloaded list. While its state is the same, it says the same about all addresses that are not on it. */
  readonly list?: true;
  /** A table whose own date is older than this many days is ageing. A downloaded list reports its own age. */
  readonly freshDays?: number;
  /** `required`: skipped without a key; `optional`: asked with or without one. */
  readonly secret?: "required" | "optional";
  /** Sends several requests, one after the other. Such a source starts first, so it does not wait for others. */
  readonly sequential?: true;
  /** Has a small or paid quota: asked only while the free sources leave the address undecided, or on refresh. */
  readonly scarce?: true;
  /** Its terms allow non-commercial use only. */
  readonly noncommercial?: true;
  /** Its terms demand a contact in the User-Agent. */
  readonly needsContact?: true;
  /** Id of a source that includes this one. While the other source has a key, this source is not asked. */
  readonly replacedBy?: string;
  /** The vendor's free quota in requests a day, without and with a key; absent = no limit. */
  readonly daily?: { readonly keyless: number; readonly keyed: number };
  /** HTTPS hosts that the source asks. The union over all sources is the allow-list of the process. */
  readonly hosts?: readonly string[];
  /** Id and label under which it lists addresses. */
  readonly zone?: { readonly id: string; readonly label: string };
  /** Page where a listing is explained or removed; `{ip}` stands for the address. */
  readonly delistUrl?: string;
  /** The self-test that must pass before an answer of the zone is used, by IP version of the address. */
  readonly selfTest?: (version: 4 | 6, secret?: string) => TestPoints;
  /**
   * Asks about the address. The answer goes to `read` unchanged. A table (`local`) returns it at once, any other source
   * returns a promise.
   */
  ask(
    address: Address,
    ports: { readonly upstream: Upstream; readonly datasets: Datasets },
    signal: AbortSignal,
    secret?: string,
  ): unknown;
  /**
   * Reads an answer; pure. `undefined` = the source has no record of this address.
   * @throws {UpstreamError} kind `shape`, `quota` or `unavailable` when the answer cannot be used.
   */
  read(answer: unknown, address: Address): Observation | undefined;
}

/** The fields of a run that come from its source, however the run ends. */
export function describeRun(
  source: Source,
): Pick<SourceRun, "id" | "name" | "kind" | "family" | "matters" | "weight" | "local" | "zone"> {
  return {
    id: source.id,
    name: source.name,
    kind: source.kind,
    family: source.family,
    matters: source.matters,
    weight: source.weight,
    local: source.local === true,
    ...(source.zone === undefined ? {} : { zone: source.zone }),
  };
}

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
