/** Surveys with observations as the sources make them. */
import type { Listing, Observation, SourceRun, Survey } from "#evidence";

/** The fields of a source that are the same in every survey. */
export type Manifest = Pick<
  SourceRun,
  "id" | "name" | "kind" | "family" | "matters" | "weight" | "local" | "zone"
>;

function manifest(
  id: string,
  family: string,
  matters: Manifest["matters"],
  weight: number,
  rest: Partial<Manifest> = {},
): Manifest {
  return { id, name: id, kind: "free", family, matters, weight, local: false, ...rest };
}

function zone(id: string, family: string, weight: number): Manifest {
  return manifest(id, family, ["lists"], weight, { zone: { id, label: id } });
}

export const MANIFESTS = {
  special_purpose: manifest("special_purpose", "iana", [], 0, { local: true }),
  infrastructure: manifest("infrastructure", "infrastructure", [], 0, { local: true }),
  asn_table: manifest("asn_table", "routeviews", ["network"], 0.5, { local: true }),
  registration: manifest("registration", "rir", ["registry"], 0.5, { local: true }),
  geo_country: manifest("geo_country", "dbip", ["location"], 0.5, { local: true }),
  team_cymru: manifest("team_cymru", "cymru", ["network", "registry"], 1),
  rdap: manifest("rdap", "rir", ["registry"], 1),
  reverse_dns: manifest("reverse_dns", "reverse_dns", [], 0),
  tor_dnsel: manifest("tor_dnsel", "tor", ["lists"], 0.25),
  proxycheck: manifest("proxycheck", "proxycheck", ["network", "location", "anonymity", "abuse"], 3, {
    kind: "commercial",
  }),
  netblock_feed: manifest("netblock_feed", "spamhaus", ["lists"], 0.5, { local: true }),
  relay_feed: manifest("relay_feed", "apple", [], 0.25, { local: true }),
  vpn_feed: manifest("vpn_feed", "gluetun", [], 0.25, { name: "gluetun servers", local: true }),
  internetdb: manifest("internetdb", "shodan", ["exposure"], 1),
  spamhaus_dqs: zone("spamhaus_dqs", "spamhaus", 1),
  dronebl: zone("dronebl", "dronebl", 0.75),
  spamcop: zone("spamcop", "spamcop", 0.5),
  psbl: zone("psbl", "psbl", 0.5),
  blocklist_de: zone("blocklist_de", "blocklist_de", 0.5),
  spamrats_dyna: zone("spamrats_dyna", "spamrats", 0.1),
} as const satisfies Record<string, Manifest>;
export type ManifestId = keyof typeof MANIFESTS;

/** What a source returned: an observation, no record, or no answer. */
export type Outcome = Observation | "empty" | "failed" | "live_off";

export const SURVEYED_AT = "2026-11-01T12:00:00.000Z";

/** A survey with these outcomes. Sources that are not named have the outcome `rest`, tables have no record. */
export function makeSurvey(
  address: string,
  lines: Partial<Record<ManifestId, Outcome>>,
  rest: Outcome = "empty",
): Survey {
  const runs = (Object.keys(MANIFESTS) as ManifestId[]).map((id) =>
    makeRun(MANIFESTS[id], lines[id] ?? (MANIFESTS[id].local ? "empty" : rest)),
  );
  return { address, version: address.includes(":") ? 6 : 4, surveyedAt: SURVEYED_AT, runs };
}

export function makeRun(source: Manifest, line: Outcome): SourceRun {
  if (line === "empty") return { ...source, state: "empty", ms: 1 };
  if (line === "failed") return { ...source, state: "failed", error: "timeout", ms: 4000 };
  if (line === "live_off") return { ...source, state: "skipped", skipped: "live_off", ms: 0 };
  return { ...source, state: "answered", ms: 1, observation: line };
}

/** What a test says of a run. */
export type PartialRun = Partial<SourceRun> & { readonly id: string };

/** A run of a free source of its own family, which answered if it has an observation. */
export function completeRun(run: PartialRun): SourceRun {
  return {
    name: run.id,
    kind: "free",
    family: run.id,
    matters: [],
    weight: 1,
    local: false,
    state: run.observation === undefined ? "empty" : "answered",
    ms: 1,
    ...run,
  };
}

/** The answer of a list: what its codes mean. */
export function listed(
  id: ManifestId,
  ...meanings: Listing["meanings"]
): { readonly listings: readonly Listing[] } {
  return { listings: [{ zone: id, label: id, listed: true, codes: [meanings.join("+")], meanings }] };
}

export const CLEAN = { isProxy: false, isVpn: false, isTor: false, isHosting: false } as const;
const NO_TOR = { flags: { isTor: false } } as const;

export function network(asn: number, name: string, country: string): Partial<Record<ManifestId, Outcome>> {
  return {
    asn_table: { asn: { asn, name } },
    registration: { registry: { country } },
    geo_country: { geo: { country } },
    team_cymru: {
      asn: { asn, name, route: "81.2.64.0/19" },
      announced: true,
      registry: { rir: "ripencc", country },
    },
    rdap: { registry: { rir: "ripencc", country, netName: "EXAMPLE-NET", cidr: "81.2.64.0/19" } },
    tor_dnsel: NO_TOR,
  };
}
