import * as v from "valibot";
import { type Address, isWithin, type Prefix, parsePrefix } from "#address";
import { DAY_MS } from "#common";
import type { Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { parseAnswer } from "../read_answer.ts";
import { omitEmpty, readCountry, readText } from "../read_fields.ts";
import type { Source } from "../source.ts";
import { findRdapBlock, findRdapHolder, hasRdapRegistrant } from "./rdap_network.ts";

const BOOTSTRAP_HOST = "data.iana.org";
/** The pause after a refusal: LACNIC blocks clients for about five minutes. */
const THROTTLED_MS = 300_000;
const MAX_BLOCKS = 64;

/** The five regional registries, by their names in reports. */
type Rir = "arin" | "ripencc" | "apnic" | "lacnic" | "afrinic";

/**
 * The registries: the RDAP host that the bootstrap file may name (https://data.iana.org/rdap/), the value of `port43` (RFC
 * 9083 section 4.7), and national registries to which it redirects, whose space still belongs to it.
 */
const REGISTRIES: readonly {
  readonly rir: Rir;
  readonly rdap: string;
  readonly whois: string;
  readonly delegates: readonly string[];
}[] = [
  { rir: "arin", rdap: "rdap.arin.net", whois: "whois.arin.net", delegates: [] },
  { rir: "ripencc", rdap: "rdap.db.ripe.net", whois: "whois.ripe.net", delegates: [] },
  {
    rir: "apnic",
    rdap: "rdap.apnic.net",
    whois: "whois.apnic.net",
    delegates: ["idnic", "jpnic", "krnic", "twnic"].map((name) => `${name}.rdap.apnic.net`),
  },
  { rir: "lacnic", rdap: "rdap.lacnic.net", whois: "whois.lacnic.net", delegates: ["rdap.registro.br"] },
  { rir: "afrinic", rdap: "rdap.afrinic.net", whois: "whois.afrinic.net", delegates: [] },
];

/** RFC 9224 section 3: pairs of blocks and base URLs. */
const BootstrapSchema = v.object({
  services: v.pipe(v.array(v.tuple([v.array(v.string()), v.array(v.string())])), v.minLength(1)),
});

const AnswerSchema = v.variant("covered", [
  v.object({ covered: v.literal(false) }),
  v.object({
    covered: v.literal(true),
    /** The block that IANA delegated to the registry. */
    delegated: v.string(),
    status: v.number(),
    host: v.string(),
    body: v.unknown(),
  }),
]);

const optionalText = v.fallback(v.optional(v.string()), undefined);
const optionalList = v.fallback(v.optional(v.array(v.unknown())), undefined);

/** RFC 9083 section 5.4, with the cidr0 extension (https://bitbucket.org/nroecg/nro-rdap-cidr/). */
const NetworkSchema = v.object({
  ...v.entriesFromList(["startAddress", "endAddress", "name", "type", "country", "port43"], optionalText),
  ...v.entriesFromList(["cidr0_cidrs", "entities", "remarks"], optionalList),
});
type RdapNetwork = v.InferOutput<typeof NetworkSchema>;

const BlockSchema = v.object({
  v4prefix: v.optional(v.string()),
  v6prefix: v.optional(v.string()),
  length: v.pipe(v.number(), v.integer()),
});

/** RFC 9083 section 6; a 404 may come without a body (RFC 9082 leaves it open, RFC 7480 section 5.3). */
const NotFoundSchema = v.nullable(v.object({ errorCode: v.literal(404) }));

/**
 * The regional registries over RDAP (RFC 9082, RFC 9083), found through IANA's bootstrap file (RFC 9224).
 * ARIN gives no country; the registration table and Team Cymru do.
 */
export const rdap = {
  id: "rdap",
  name: "RDAP",
  kind: "free",
  family: "rir",
  matters: ["registry"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3500,
  sequential: true,
  hosts: [BOOTSTRAP_HOST, ...REGISTRIES.flatMap(({ rdap: host, delegates }) => [host, ...delegates])],
  ask: async (address, { upstream }, signal) => {
    const bootstrap = await upstream.http(
      {
        url: `https://${BOOTSTRAP_HOST}/rdap/ipv${address.version}.json`,
        as: "json",
        cacheMs: DAY_MS,
        maxBytes: 524_288,
        maxDepth: 8,
      },
      signal,
    );
    const service = findRdapService(bootstrap.body, address);
    if (service === undefined) return { covered: false };
    // Colons are not encoded, because one of APNIC's delegates does not understand %3A.
    const answer = await upstream
      .http(
        {
          url: `${service.base}ip/${address.text}`,
          headers: { accept: "application/rdap+json, application/json" },
          as: "json",
          statuses: [404],
          redirects: 5,
          maxBytes: 524_288,
        },
        signal,
      )
      .catch(rethrowThrottling);
    return {
      covered: true,
      delegated: service.delegated,
      status: answer.status,
      host: URL.parse(answer.url)?.hostname ?? "",
      body: answer.body ?? null,
    };
  },
  read: (answer, address) => {
    const parsed = parseAnswer(AnswerSchema, answer);
    if (!parsed.covered) return undefined;
    if (parsed.status === 404 && v.is(NotFoundSchema, parsed.body)) return undefined;
    if (parsed.status !== 200) throw new UpstreamError("status", `HTTP ${parsed.status}`);
    const network = parseAnswer(NetworkSchema, parsed.body);
    const block = findRdapBlock(
      { start: network.startAddress, end: network.endAddress, blocks: readBlocks(network.cidr0_cidrs) },
      address,
    );
    if (isPlaceholder(network, block?.bits, address.version)) return undefined;
    const observation = observe(network, block?.text, parsed.host);
    // A few organisations and persons hold a whole delegated block. The registry itself is not a holder.
    const hasHolder = observation.registry?.org !== undefined || hasRdapRegistrant(network.entities ?? []);
    if (isWholeDelegation(block, parsed.delegated) && !hasHolder) return undefined;
    return observation;
  },
} as const satisfies Source;

/**
 * Finds the service of the registry that IANA's bootstrap file names for the address: the longest matching block, https
 * only, and that block. `base` ends with a slash. `undefined` = the address is in no registry's space.
 * @throws {UpstreamError} kind `shape` when it is not a bootstrap file, `unavailable` when it names a service that is
 * not one of the five registries'.
 */
export function findRdapService(bootstrap: unknown, address: Address) {
  const { services } = parseAnswer(BootstrapSchema, bootstrap);
  let urls: readonly string[] | undefined;
  let longest: Prefix | undefined;
  for (const [blocks, candidates] of services) {
    for (const block of blocks) {
      const prefix = parsePrefix(block);
      if (prefix === undefined || prefix.bits <= (longest?.bits ?? -1) || !isWithin(address, prefix))
        continue;
      urls = candidates;
      longest = prefix;
    }
  }
  if (urls === undefined || longest === undefined) return undefined;
  const base = urls.map((url) => URL.parse(url)).find((url) => url !== null && isRegistry(url));
  if (base === undefined || base === null) throw new UpstreamError("unavailable", "no known RDAP service");
  return { base: `${base.origin}${base.pathname.replace(/\/*$/, "/")}`, delegated: longest.text };
}

function isRegistry(url: URL): boolean {
  return url.protocol === "https:" && url.port === "" && REGISTRIES.some((one) => one.rdap === url.hostname);
}

/** Throws a 403 as a quota error: registries use 403 as well as 429 for rate limits. */
function rethrowThrottling(error: unknown): never {
  if (error instanceof UpstreamError && error.kind === "status" && error.detail === "HTTP 403") {
    throw new UpstreamError("quota", "HTTP 403", { retryAfterMs: error.retryAfterMs ?? THROTTLED_MS });
  }
  throw error;
}

function readBlocks(values: readonly unknown[] = []): readonly string[] {
  return values.slice(0, MAX_BLOCKS).flatMap((value) => {
    const block = v.safeParse(BlockSchema, value);
    const base = block.success ? (block.output.v4prefix ?? block.output.v6prefix) : undefined;
    return block.success && base !== undefined ? [`${base}/${block.output.length}`] : [];
  });
}

/**
 * Whether an object only means that the space belongs to another holder: the whole space, IANA's blocks, early
 * registration transfers (ERX), and the registry's own pool.
 */
function isPlaceholder(
  { name = "", type = "" }: RdapNetwork,
  bits: number | undefined,
  version: 4 | 6,
): boolean {
  if (/^IANA-(?:\w*BLK|\w*BLOCK)|^NON-RIPE-NCC-MANAGED/i.test(name)) return true;
  if (type.toUpperCase() === "ALLOCATED UNSPECIFIED") return true;
  if (bits === undefined) return false;
  if (version === 6) return bits <= 12;
  return bits === 0 || (bits <= 8 && /(?:^|-)ERX(?:-|$)/i.test(name));
}

/** Longest blocks that IANA delegates to registries: https://www.iana.org/numbers */
const MAX_DELEGATED_BITS = { 4: 8, 6: 23 } as const;

/** Whether an object is about all that IANA delegated to the registry in one block, such as a whole /8. */
function isWholeDelegation(block: Prefix | undefined, delegated: string): boolean {
  const whole = parsePrefix(delegated);
  if (block === undefined || whole === undefined) return false;
  return (
    whole.bits <= MAX_DELEGATED_BITS[whole.address.version] &&
    block.bits <= whole.bits &&
    isWithin(whole.address, block)
  );
}

function observe(network: RdapNetwork, cidr: string | undefined, host: string): Observation {
  const rir = rirOf(network.port43, host);
  const holder = findRdapHolder({
    name: readText(network.name),
    entities: network.entities ?? [],
    remarks: network.remarks ?? [],
    isNameHolder: rir === "lacnic",
  });
  return { registry: omitEmpty({ rir, country: readCountry(network.country), ...holder, cidr }) };
}

function rirOf(port43: string | undefined, host: string): Rir | undefined {
  const whois = port43?.toLowerCase();
  const own = REGISTRIES.find((one) => one.whois === whois);
  return (own ?? REGISTRIES.find((one) => one.rdap === host || one.delegates.includes(host)))?.rir;
}
