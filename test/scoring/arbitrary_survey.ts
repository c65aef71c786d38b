/** Random surveys with few families and few names, so that agreement, contradiction and failures are frequent. */
import fc from "fast-check";
import {
  type EvidenceCategory,
  LISTING_MEANINGS,
  type Listing,
  type ListingMeaning,
  type Observation,
  type SourceRun,
  type Survey,
} from "#evidence";
import { AS_KINDS, SKIP_REASONS, USAGE_TYPES } from "#report";

const FAMILIES = ["a", "b", "c", "d"] as const;
const COUNTRIES = ["GB", "CN", "HK", "US", "EU", "ZZ", "gb"] as const;
const NAMES = [
  "DigitalOcean, LLC",
  "Chinanet",
  "T-Mobile USA, Inc.",
  "Example University",
  "Example Ltd",
  "Cloud",
] as const;
const ZONES = ["spamhaus_zen", "spamrats_dyna", "dronebl", "psbl", "s5h"] as const;
/** Lists that list only /64 blocks. */
const SUBNET_ZONES: ReadonlySet<string> = new Set(["psbl", "s5h"]);
const CATEGORIES = "network location registry anonymity lists abuse exposure".split(
  " ",
) as EvidenceCategory[];
const DATES = [
  "2026-11-01T00:00:00Z",
  "2026-10-11T12:00:00Z",
  "2026-06-01T00:00:00Z",
  "2027-01-01T00:00:00Z",
  "?",
] as const;

type Fields<Type> = { [Key in keyof Type]-?: fc.Arbitrary<NonNullable<Type[Key]>> };

/** A record in which any field can be missing, and none is ever undefined. */
function some<Type extends object>(fields: Fields<Type>): fc.Arbitrary<Type> {
  return fc.record(fields as unknown as { [Key in keyof Type]: fc.Arbitrary<Type[Key]> }, {
    requiredKeys: [],
  }) as fc.Arbitrary<Type>;
}

export function arbitraryListing(meanings: readonly ListingMeaning[], minLength = 0): fc.Arbitrary<Listing> {
  return fc
    .record({
      zone: fc.constantFrom(...ZONES),
      listed: fc.boolean(),
      meanings: fc.uniqueArray(fc.constantFrom(...meanings), { minLength, maxLength: 3 }),
      isAuthority: fc.boolean(),
    })
    .map(({ zone, listed, meanings, isAuthority }) => ({
      zone,
      label: zone,
      listed,
      codes: listed ? meanings : [],
      meanings: listed ? meanings : [],
      ...(isAuthority ? { authoritative: true as const } : {}),
      ...(SUBNET_ZONES.has(zone) ? { subnet: true as const } : {}),
    }));
}

const flag = fc.boolean();
const subnetFlags = fc.uniqueArray(fc.constantFrom("isTor", "isVpn", "isProxy", "isHosting"), {
  maxLength: 2,
});
const count = fc.constantFrom(0, 1, 9, 10, 100, 101, 1000, 1001, 1_000_000);
const abuse = some<NonNullable<Observation["abuse"]>>({
  score: fc.constantFrom(0, 1, 24, 25, 74, 75, 100),
  reports: count,
  attacks: fc.dictionary(fc.constantFrom("login_attempt", "scraping"), count, { maxKeys: 2 }),
  lastSeen: fc.constantFrom(...DATES),
  subnet: fc.constant(true),
});
const exposure = fc.record({
  observed: fc.boolean(),
  ports: fc.uniqueArray(fc.constantFrom(22, 443, 1080, 8080, 51820), { maxLength: 4 }),
  vulns: fc.uniqueArray(
    fc.integer({ min: 1, max: 15 }).map((number) => `CVE-2026-${1000 + number}`),
    { maxLength: 12 },
  ),
});

/** Any observation. */
const anyObservation: fc.Arbitrary<Observation> = some<Observation>({
  flags: some({
    isProxy: flag,
    isVpn: flag,
    isTor: flag,
    isHosting: flag,
    isMobile: flag,
    isRelay: flag,
    isBogon: flag,
    isSearchEngineBot: flag,
  }),
  authority: fc.uniqueArray(fc.constantFrom("isTor", "isVpn", "isRelay", "isHosting", "isSearchEngineBot"), {
    maxLength: 2,
  }),
  subnetFlags,
  echoes: fc.uniqueArray(fc.constantFrom(...FAMILIES), { maxLength: 2 }),
  anycast: fc.constant(true as const),
  satellite: fc.constant(true as const),
  residentialProxy: flag,
  asKinds: fc.uniqueArray(fc.constantFrom(...AS_KINDS), { minLength: 1, maxLength: 3 }),
  usage: fc.constantFrom(...USAGE_TYPES),
  geo: some({
    country: fc.constantFrom(...COUNTRIES),
    region: fc.constantFrom("R1", "R2"),
    city: fc.constantFrom("C1", "C2"),
    timezone: fc.constantFrom("Europe/London", "Asia/Shanghai"),
  }),
  asn: some({
    asn: fc.constantFrom(64500, 64501),
    name: fc.constantFrom(...NAMES),
    org: fc.constantFrom(...NAMES),
    route: fc.constantFrom("81.2.64.0/19", "81.2.0.0/16"),
  }),
  announced: fc.boolean(),
  registry: some({
    rir: fc.constantFrom("ripencc", "arin"),
    country: fc.constantFrom(...COUNTRIES),
    netName: fc.constantFrom(...NAMES),
    org: fc.constantFrom(...NAMES),
    cidr: fc.constantFrom("81.2.64.0/19"),
  }),
  listings: fc.array(arbitraryListing(LISTING_MEANINGS), { maxLength: 3 }),
  abuse,
  exposure,
  sharing: some({ address: count, subnet: count }),
  vpn: fc.constantFrom({ name: "One VPN" }, { name: "Other VPN" }),
  infrastructure: fc.constantFrom<NonNullable<Observation["infrastructure"]>>(
    { role: "public_dns_resolver", operator: "One" },
    { role: "crawler", operator: "Two" },
  ),
  reverse: fc.constantFrom<NonNullable<Observation["reverse"]>>(
    { names: ["host-1.dsl.example.net"] },
    { names: ["crawl.example.net"], crawler: "Three" },
  ),
  dataDate: fc.constantFrom("2026-06-17"),
  ageing: fc.constant<true>(true),
  snapshot: fc.constant<true>(true),
  updateRefused: fc.constant<true>(true),
});
// Public services and crawlers are rare here, because most rules do not apply to them.
const observation = fc.oneof(
  { weight: 12, arbitrary: anyObservation.map(({ infrastructure, reverse, ...rest }) => rest) },
  { weight: 1, arbitrary: anyObservation },
);

const YES = fc.constant(true);

/**
 * Evidence only against an address. It excludes mobile lines, shared lines and policy lists, which can also raise the
 * purity.
 */
export const adverseObservation: fc.Arbitrary<Observation> = some<
  Pick<
    Observation,
    "flags" | "authority" | "subnetFlags" | "usage" | "listings" | "abuse" | "exposure" | "vpn"
  >
>({
  subnetFlags,
  flags: some({ isProxy: YES, isVpn: YES, isTor: YES, isHosting: YES, isRelay: YES }),
  authority: fc.uniqueArray(fc.constantFrom("isTor", "isVpn", "isRelay", "isHosting"), { maxLength: 2 }),
  usage: fc.constant("hosting"),
  listings: fc.array(arbitraryListing(LISTING_MEANINGS.filter((meaning) => meaning !== "policy")), {
    maxLength: 3,
  }),
  abuse,
  exposure,
  vpn: fc.constant({ name: "One VPN" }),
});

/** Evidence only in favour of an address: a vendor that reports the line and no detection. */
export const clearingObservation: fc.Arbitrary<Observation> = fc
  .record({
    flags: some({
      isProxy: fc.constant(false),
      isVpn: fc.constant(false),
      isTor: fc.constant(false),
      isRelay: fc.constant(false),
      isHosting: fc.constant(false),
    }),
    listings: fc.array(
      arbitraryListing(["policy"], 1).map(({ authoritative, ...listing }) => listing),
      { maxLength: 2 },
    ),
  })
  .map((fields) => ({ ...fields, usage: "residential" }));

type Outcome = Pick<SourceRun, "state" | "error" | "skipped" | "observation">;

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 6, arbitrary: observation.map((value): Outcome => ({ state: "answered", observation: value })) },
  { weight: 1, arbitrary: fc.constant<Outcome>({ state: "empty" }) },
  { weight: 1, arbitrary: fc.constant<Outcome>({ state: "failed", error: "timeout" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...SKIP_REASONS).map((skipped): Outcome => ({ state: "skipped", skipped })),
  },
);

/** The run of one source, with a random outcome unless one is given. */
export function arbitraryRun(id: string, chosen: fc.Arbitrary<Outcome> = outcome): fc.Arbitrary<SourceRun> {
  return fc
    .record({
      family: fc.constantFrom(...FAMILIES),
      matters: fc.uniqueArray(fc.constantFrom(...CATEGORIES), { maxLength: 4 }),
      weight: fc.constantFrom(0, 0.25, 0.5, 1, 3),
      local: fc.boolean(),
      zone: fc.option(fc.constantFrom(...ZONES), { nil: undefined }),
      outcome: chosen,
    })
    .map(({ zone, outcome, ...rest }) => ({
      id,
      name: id,
      kind: "free",
      ...rest,
      ...(zone === undefined ? {} : { zone: { id: zone, label: zone } }),
      ms: 1,
      ...outcome,
    }));
}

/** A survey of up to seven sources, sometimes of special-purpose space. */
export const arbitrarySurvey: fc.Arbitrary<Survey> = fc
  .record({
    address: fc.oneof(
      { weight: 19, arbitrary: fc.constant("81.2.69.10") },
      { weight: 1, arbitrary: fc.constant("10.0.0.1") },
    ),
    runs: fc
      .integer({ min: 0, max: 7 })
      .chain((length) =>
        fc.tuple(
          ...Array.from({ length }, (_, index) =>
            arbitraryRun(["rdap", "team_cymru", "s3", "s4", "s5", "s6", "s7"][index] ?? ""),
          ),
        ),
      ),
  })
  .map(({ address, runs }) => ({ address, version: 4, surveyedAt: "2026-11-01T12:00:00.000Z", runs }));
