/** Surveys of well-known kinds of address, with observations as the sources make them. */
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
  vpn_feed: manifest("vpn_feed", "vpn_feed", [], 0.25, { local: true }),
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

/** Archetypes. The addresses are ordinary; all facts about them are invented. */
export const SURVEYS = {
  home: makeSurvey("81.2.69.10", {
    ...network(20712, "Example Broadband Ltd", "GB"),
    proxycheck: {
      flags: CLEAN,
      usage: "residential",
      geo: { country: "GB", city: "Leeds" },
      sharing: { address: 2 },
    },
    reverse_dns: { reverse: { names: ["host-81-2-69-10.dsl.example.net"] } },
    spamhaus_dqs: listed("spamhaus_dqs", "policy"),
    spamrats_dyna: listed("spamrats_dyna", "policy"),
  }),
  mobile: makeSurvey("81.2.69.20", {
    ...network(9808, "China Mobile", "CN"),
    proxycheck: {
      flags: CLEAN,
      usage: "mobile",
      geo: { country: "CN" },
      sharing: { address: 2400, subnet: 90_000 },
      abuse: { attacks: { login_attempt: 14 } },
    },
    spamhaus_dqs: listed("spamhaus_dqs", "policy", "abuse"),
  }),
  cloud: makeSurvey("81.2.69.30", {
    ...network(14061, "DigitalOcean, LLC", "US"),
    geo_country: { geo: { country: "SG" } },
    proxycheck: {
      flags: { ...CLEAN, isHosting: true },
      usage: "hosting",
      geo: { country: "SG" },
      sharing: { address: 1 },
    },
    internetdb: { exposure: { observed: true, ports: [22, 443], vulns: [] } },
  }),
  tor: makeSurvey("81.2.69.40", {
    ...network(60729, "Example e.V.", "DE"),
    tor_dnsel: { flags: { isTor: true }, authority: ["isTor"] },
    proxycheck: {
      flags: { isProxy: true, isVpn: false, isTor: true, isHosting: true },
      usage: "hosting",
      geo: { country: "DE" },
      abuse: {
        attacks: { login_attempt: 400, vulnerability_probing: 900 },
        lastSeen: "2026-10-30T12:00:00Z",
      },
    },
    dronebl: listed("dronebl", "abuse"),
    blocklist_de: listed("blocklist_de", "abuse"),
    spamhaus_dqs: listed("spamhaus_dqs", "abuse"),
  }),
  vpn: makeSurvey("81.2.69.50", {
    ...network(9009, "M247 Europe SRL", "RO"),
    geo_country: { geo: { country: "NL" } },
    proxycheck: {
      flags: { isProxy: false, isVpn: true, isTor: false, isHosting: false },
      usage: "hosting",
      geo: { country: "NL" },
      sharing: { address: 50, subnet: 1900 },
      vpn: { name: "Example VPN", url: "https://vpn.example/", protocols: ["WireGuard"] },
    },
    dronebl: listed("dronebl", "vpn"),
  }),
  resolver: makeSurvey("8.8.8.8", {
    ...network(15169, "Google LLC", "US"),
    infrastructure: { infrastructure: { role: "public_dns_resolver", operator: "Google" } },
    proxycheck: {
      flags: { ...CLEAN, isHosting: true },
      usage: "hosting",
      geo: { country: "US" },
      sharing: { address: 5000 },
      abuse: { attacks: { login_attempt: 159 } },
    },
    blocklist_de: listed("blocklist_de", "abuse"),
  }),
  crawler: makeSurvey("66.249.66.1", {
    ...network(15169, "Google LLC", "US"),
    proxycheck: {
      flags: { ...CLEAN, isHosting: true, isProxy: true },
      usage: "hosting",
      geo: { country: "US" },
    },
    reverse_dns: {
      flags: { isSearchEngineBot: true },
      authority: ["isSearchEngineBot"],
      reverse: { names: ["crawl-66-249-66-1.googlebot.com"], crawler: "Google" },
    },
  }),
  botnet: makeSurvey("81.2.69.60", {
    ...network(64_500, "Example Transit", "SC"),
    proxycheck: { flags: CLEAN, usage: "business", geo: { country: "SC" } },
    spamhaus_dqs: {
      listings: [
        {
          zone: "spamhaus_dqs",
          label: "spamhaus_dqs",
          listed: true,
          codes: ["SBL", "BCL"],
          meanings: ["abuse", "botnet"],
          authoritative: true,
        },
      ],
    },
  }),
  bogon: makeSurvey("192.168.1.1", { special_purpose: { flags: { isBogon: true }, authority: ["isBogon"] } }),
  silent: makeSurvey("81.2.69.70", network(14061, "DigitalOcean, LLC", "US"), "failed"),
  down: makeSurvey(
    "81.2.69.80",
    {
      asn_table: { asn: { asn: 20712, name: "Example Broadband Ltd" } },
      registration: { registry: { country: "GB" } },
      geo_country: { geo: { country: "GB" } },
    },
    "failed",
  ),
  offline: makeSurvey(
    "81.2.69.90",
    {
      asn_table: { asn: { asn: 14061, name: "DigitalOcean, LLC" } },
      registration: { registry: { country: "US" } },
      geo_country: { geo: { country: "US" } },
    },
    "live_off",
  ),
} as const satisfies Record<string, Survey>;
