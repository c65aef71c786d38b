import { reverseLabels } from "#address";
import type { Listing, Observation } from "#evidence";
import type { Flag } from "#report";
import { UpstreamError } from "#upstream";
import { checkZoneRecords, DnsAnswerSchema, parseAnswer } from "../read_answer.ts";
import type { Source, TestPoints } from "../source.ts";
import type { Zone, ZoneCode } from "../zones.ts";

const TIMEOUT_MS = 2000;

/** Test points of RFC 5782 section 5, 127.0.0.2 and 127.0.0.1, in reverse; the IPv6 pair is the same two addresses as IPv4-mapped addresses. */
const LISTED_4 = "2.0.0.127";
const CLEAR_4 = "1.0.0.127";
const MAPPED_PREFIX = "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0";
const LISTED_6 = `2.0.0.0.0.0.f.7.f.f.f.f.${MAPPED_PREFIX}`;
const CLEAR_6 = `1.0.0.0.0.0.f.7.f.f.f.f.${MAPPED_PREFIX}`;

/** Never a listing (RFC 5782): parked domains and broken resolvers answer with it. */
const LOCALHOST = "127.0.0.1";

/** The flag of each listing meaning that names a kind of exit. */
const FLAG_OF: Readonly<Partial<Record<ZoneCode["meaning"], Flag>>> = {
  proxy: "isProxy",
  vpn: "isVpn",
  tor: "isTor",
};

/** Makes a source from a row of the zone table. It sends one A query and looks up each record in the zone's codes. */
export function dnsblSource(zone: Zone): Source {
  return {
    id: zone.id,
    name: zone.label,
    kind: zone.commercial === true ? "commercial" : "free",
    family: zone.family,
    matters: ["lists"],
    weight: zone.weight,
    versions: ([4, 6] as const).filter((version) => zone.names[version] !== undefined),
    timeoutMs: TIMEOUT_MS,
    zone: { id: zone.id, label: zone.label },
    delistUrl: zone.delistUrl,
    ...(zone.keyed === true ? { secret: "required" } : {}),
    ...(zone.noncommercial === true ? { noncommercial: true } : {}),
    ...(zone.replacedBy === undefined ? {} : { replacedBy: zone.replacedBy }),
    selfTest: (version, secret) => testPointsOf(zone, version, secret),
    ask: async (address, { upstream }, signal, secret) =>
      upstream.a(`${reverseLabels(address)}.${nameOf(zone, address.version, secret)}`, signal),
    read: (answer) => readListing(zone, answer),
  };
}

/**
 * Returns the two names of the self-test. If a zone has one name for both IP versions, the entry that it must list is
 * the IPv4 one, because many zones have no IPv6 entry. The entry that it must not list has the version of the query.
 */
function testPointsOf(zone: Zone, version: 4 | 6, secret: string | undefined): TestPoints {
  const name = nameOf(zone, version, secret);
  if (version === 4) return { listed: `${LISTED_4}.${name}`, clear: `${CLEAR_4}.${name}` };
  const isShared = zone.names[4] === zone.names[6];
  return { listed: `${isShared ? LISTED_4 : LISTED_6}.${name}`, clear: `${CLEAR_6}.${name}` };
}

function nameOf(zone: Zone, version: 4 | 6, secret: string | undefined): string {
  const name = zone.names[version];
  if (name === undefined) throw new UpstreamError("unavailable", `no IPv${version} zone`);
  if (zone.keyed !== true) return name;
  if (secret === undefined || !/^[a-z0-9-]{1,63}$/i.test(secret)) {
    throw new UpstreamError("unavailable", "key is not a DNS label");
  }
  return name.replace("{key}", () => secret);
}

function readListing(zone: Zone, answer: unknown): Observation {
  const parsed = parseAnswer(DnsAnswerSchema, answer);
  if (!parsed.found) return { listings: [listingOf(zone, [])] };
  checkZoneRecords(parsed.records, zone.refusals);
  const codes = readCodes(zone, parsed.records);
  const flags = codes.flatMap(({ meaning }) => FLAG_OF[meaning] ?? []);
  return {
    ...(flags.length === 0 ? {} : { flags: Object.fromEntries(flags.map((flag) => [flag, true])) }),
    listings: [listingOf(zone, codes)],
  };
}

/**
 * Returns the documented codes among the records. Undocumented ones beside them are left out.
 * @throws {UpstreamError} kind `unavailable`, naming the code, when no record has a documented one
 */
function readCodes(zone: Zone, records: readonly string[]): readonly ZoneCode[] {
  // Resolvers shuffle records; the order of the report must not depend on that.
  const sorted = [...new Set(records)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const codes = sorted.flatMap((record) => findCode(zone, record) ?? []);
  if (codes.length === 0) throw new UpstreamError("unavailable", `undocumented code ${sorted[0]}`);
  return codes;
}

function findCode({ codes, others }: Zone, record: string): ZoneCode | undefined {
  const known = Object.hasOwn(codes, record) ? codes[record] : undefined;
  return known ?? (record === LOCALHOST ? undefined : others);
}

function listingOf(zone: Zone, codes: readonly ZoneCode[]): Listing {
  const names = [...new Set(codes.map((code) => code.name))];
  return {
    zone: zone.id,
    label: zone.combined === true && names.length > 0 ? `${zone.label} (${names.join(", ")})` : zone.label,
    listed: codes.some((code) => code.listed !== false),
    codes: names,
    meanings: [...new Set(codes.map((code) => code.meaning))],
    ...(codes.some((code) => code.authoritative === true) ? { authoritative: true as const } : {}),
  };
}
