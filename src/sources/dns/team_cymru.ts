import * as v from "valibot";
import { type Address, isWithin, type Prefix, parsePrefix, reverseLabels } from "#address";
import type { Network, Registry } from "#report";
import { UpstreamError } from "#upstream";
import { DnsAnswerSchema, parseAnswer } from "../read_answer.ts";
import { omitEmpty, readCountry, readText } from "../read_fields.ts";
import type { Source } from "../source.ts";

const ZONE = { 4: "origin.asn.cymru.com", 6: "origin6.asn.cymru.com" } as const;
const RIRS: ReadonlySet<string> = new Set(["arin", "ripencc", "apnic", "lacnic", "afrinic"]);

const AnswerSchema = v.object({ origins: DnsAnswerSchema, name: v.nullable(v.string()) });

/** One TXT record: `64500 64501 | 203.0.113.0/24 | US | arin | 2026-01-02`. */
interface Origin {
  readonly asns: readonly number[];
  readonly prefix: Prefix;
  readonly registry: Registry;
}

/**
 * Team Cymru's origin service over DNS (https://www.team-cymru.com/ip-asn-mapping): which network announces the prefix.
 * It is a family of its own, because the routes come from its own BGP peers. Registry and country are copied from the
 * registries' delegation files and do not count as a second opinion.
 */
export const teamCymru = {
  id: "team_cymru",
  name: "Team Cymru",
  kind: "free",
  family: "cymru",
  matters: ["network", "registry"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3000,
  sequential: true,
  ask: async (address, { upstream }, signal) => {
    const origins = await upstream.txt(`${reverseLabels(address)}.${ZONE[address.version]}`, signal);
    const asn = origins.found ? findOrigin(origins.records, address)?.asns[0] : undefined;
    if (asn === undefined) return { origins, name: null };
    // The answer is useful without the network's name, so a failure here is ignored.
    const names = await upstream.txt(`AS${asn}.asn.cymru.com`, signal).catch(() => undefined);
    return { origins, name: names?.found === true ? (names.records[0] ?? null) : null };
  },
  read: (answer, address) => {
    const { origins, name } = parseAnswer(AnswerSchema, answer);
    if (!origins.found) return { announced: false };
    const origin = findOrigin(origins.records, address);
    const asn = origin?.asns[0];
    if (origin === undefined || asn === undefined) return undefined;
    return {
      asn: { asn, ...readName(name, asn), route: origin.prefix.text },
      announced: true,
      ...omitEmpty({ registry: origin.registry }),
    };
  },
} as const satisfies Source;

/**
 * Finds the most specific of the covering prefixes. With several origins (MOAS), in one record or in several, the
 * lowest number comes first, because the order of the answer means nothing. `undefined` = no record names an origin.
 * @throws {UpstreamError} kind `shape`
 */
function findOrigin(records: readonly string[], address: Address): Origin | undefined {
  const origins = records.flatMap((record) => readOrigin(record, address) ?? []);
  const bits = Math.max(...origins.map(({ prefix }) => prefix.bits));
  const best = origins.filter(({ prefix }) => prefix.bits === bits);
  const asns = [...new Set(best.flatMap((origin) => origin.asns))].sort((a, b) => a - b);
  const registries = best.map((origin) => origin.registry);
  const [registry] = registries.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const [first] = best;
  return first === undefined ? undefined : { asns, prefix: first.prefix, registry: registry ?? {} };
}

function readOrigin(record: string, address: Address): Origin | undefined {
  const [numbers = "", block = "", country, rir = ""] = record.split("|").map((field) => field.trim());
  if (numbers === "NA") return undefined;
  const asns = numbers.split(/\s+/).map(readNumber);
  const prefix = parsePrefix(block);
  if (prefix === undefined || prefix.bits === 0 || asns.includes(0)) {
    throw new UpstreamError("shape", "not an origin record");
  }
  if (!isWithin(address, prefix)) throw new UpstreamError("shape", "another prefix");
  const registry = omitEmpty({ rir: RIRS.has(rir) ? rir : undefined, country: readCountry(country) });
  return { asns, prefix, registry };
}

/** Reads an AS number from 1 to 4294967294 (RFC 7607 reserves 0, RFC 7300 the last one); 0 = not an AS number. */
function readNumber(digits: string): number {
  const number = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  return number < 0xffffffff ? number : 0;
}

/** Reads `64500 | US | arin | 2026-01-02 | EXAMPLE-AS - Example Hosting, US`: the network's name and perhaps its holder. */
function readName(record: string | null, asn: number): Pick<Network, "name" | "org"> {
  const fields = (record ?? "").split("|").map((field) => field.trim());
  if (readNumber(fields[0] ?? "") !== asn) return {};
  const text = fields
    .slice(4)
    .join(" ")
    .replace(/,\s*[A-Z]{2}$/, "");
  const [name, ...rest] = text.split(" - ");
  return omitEmpty({ name: readText(name), org: readText(rest.join(" - ")) });
}
