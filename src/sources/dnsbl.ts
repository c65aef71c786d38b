import * as v from "valibot";
import { parseAddress, reverseLabels } from "#address";
import type { Listing, Observation } from "#evidence";
import type { Flag } from "#report";
import { UpstreamError } from "#upstream";
import { checkZoneAnswers } from "./check_zone_answers.ts";
import { readShape } from "./read_shape.ts";
import type { Source } from "./source.ts";
import type { Zone, ZoneCode } from "./zone.ts";

const TIMEOUT_MS = 2000;

/** Test points of RFC 5782 §5; the IPv6 pair is their mapped form. */
const LISTED_4 = labelsOf("127.0.0.2");
const CLEAR_4 = labelsOf("127.0.0.1");
const MAPPED_PREFIX = "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0";
const LISTED_6 = `2.0.0.0.0.0.f.7.f.f.f.f.${MAPPED_PREFIX}`;
const CLEAR_6 = `1.0.0.0.0.0.f.7.f.f.f.f.${MAPPED_PREFIX}`;

const UNCLASSIFIED: ZoneCode = { name: "undocumented code", meaning: "unclassified" };

const ZoneAnswerSchema = v.variant("found", [
  v.object({ found: v.literal(true), records: v.pipe(v.array(v.string()), v.minLength(1)) }),
  v.object({ found: v.literal(false) }),
]);

/** What the meanings of a listing say about the kind of exit. */
const FLAG_OF: Readonly<Partial<Record<ZoneCode["meaning"], Flag>>> = {
  proxy: "isProxy",
  vpn: "isVpn",
  tor: "isTor",
};

/** Makes a source out of a row of the zone table: one A question, each answered record mapped to its meaning. */
export function dnsblSource<const Id extends string>(zone: Zone<Id>): Source<Id> {
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
    ...(zone.keyed === true ? { secret: "required" } : {}),
    ...(zone.noncommercial === true ? { noncommercial: true } : {}),
    ...(zone.replacedBy === undefined ? {} : { replacedBy: zone.replacedBy }),
    selfTest: (version, secret) => testPoints(zone, version, secret),
    ask: async (address, { upstream }, signal, secret) =>
      upstream.a(`${reverseLabels(address)}.${zoneName(zone, address.version, secret)}`, signal),
    read: (answer) => readListing(zone, answer),
  };
}

/**
 * A zone that carries IPv6 under its IPv4 name is proved alive by its IPv4 entry, since many never added the
 * IPv6 one; that it does not answer "listed" to everything is asked in the form of the question.
 */
function testPoints(zone: Zone, version: 4 | 6, secret: string | undefined) {
  const name = zoneName(zone, version, secret);
  if (version === 4) return { listed: `${LISTED_4}.${name}`, clear: `${CLEAR_4}.${name}` };
  const isShared = zone.names[4] === zone.names[6];
  return { listed: `${isShared ? LISTED_4 : LISTED_6}.${name}`, clear: `${CLEAR_6}.${name}` };
}

function zoneName(zone: Zone, version: 4 | 6, secret: string | undefined): string {
  const name = zone.names[version];
  if (name === undefined) throw new UpstreamError("unavailable", `no IPv${version} zone`);
  if (zone.keyed !== true) return name;
  if (secret === undefined || !/^[a-z0-9-]{1,63}$/i.test(secret)) {
    throw new UpstreamError("unavailable", "key is not a DNS label");
  }
  return name.replace("{key}", () => secret);
}

function readListing(zone: Zone, answer: unknown): Observation {
  // What nearly every list says of nearly every address, and the schema says no more about it.
  const heard = isDenial(answer) ? answer : readShape(ZoneAnswerSchema, answer);
  if (!heard.found) return { listings: [listingOf(zone, [])] };
  checkZoneAnswers(heard.records, zone.refusals);
  const codes = [...new Set(heard.records)].sort(compareCodes).map((record) => codeOf(zone, record));
  const flags = codes.flatMap(({ meaning }) => FLAG_OF[meaning] ?? []);
  return {
    ...(flags.length === 0 ? {} : { flags: Object.fromEntries(flags.map((flag) => [flag, true])) }),
    listings: [listingOf(zone, codes)],
  };
}

function isDenial(answer: unknown): answer is { readonly found: false } {
  return typeof answer === "object" && answer !== null && "found" in answer && answer.found === false;
}

function codeOf(zone: Zone, record: string): ZoneCode {
  const known = Object.hasOwn(zone.codes, record) ? zone.codes[record] : undefined;
  return known ?? zone.others ?? { ...UNCLASSIFIED, name: `undocumented code ${record}` };
}

function listingOf(zone: Zone, codes: readonly ZoneCode[]): Listing {
  return {
    zone: zone.id,
    label: zone.label,
    listed: codes.some((code) => code.listed !== false),
    codes: [...new Set(codes.map((code) => code.name))],
    meanings: [...new Set(codes.map((code) => code.meaning))],
    ...(codes.some((code) => code.authoritative === true) ? { authoritative: true as const } : {}),
  };
}

/** Resolvers shuffle records; the report must not. */
function compareCodes(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function labelsOf(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse test point "${text}"`);
  return reverseLabels(address);
}
