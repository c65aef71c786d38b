import * as v from "valibot";
import type { Observation } from "#evidence";
import { type HttpAnswer, UpstreamError } from "#upstream";
import { findRdapBase } from "./find_rdap_base.ts";
import { findRdapBlock } from "./find_rdap_block.ts";
import { findRdapHolder } from "./find_rdap_holder.ts";
import { knownCountry } from "./known_country.ts";
import { knownText } from "./known_text.ts";
import { RDAP_BASES, RDAP_DELEGATES, RDAP_WHOIS, type Rir } from "./rdap_registries.ts";
import { readShape } from "./read_shape.ts";
import type { Source } from "./source.ts";

const BOOTSTRAP_HOST = "data.iana.org";
const DAY_MS = 86_400_000;
/** LACNIC bans for about five minutes. */
const THROTTLED_MS = 300_000;
const MAX_BLOCKS = 64;

const AnswerSchema = v.variant("covered", [
  v.object({ covered: v.literal(false) }),
  v.object({ covered: v.literal(true), status: v.number(), host: v.string(), body: v.unknown() }),
]);

const loose = v.fallback(v.optional(v.string()), undefined);
const list = v.fallback(v.optional(v.array(v.unknown())), undefined);

/** RFC 9083 section 5.4, with the cidr0 extension (https://bitbucket.org/nroecg/nro-rdap-cidr/). */
const NetworkSchema = v.object({
  startAddress: loose,
  endAddress: loose,
  cidr0_cidrs: list,
  name: loose,
  type: loose,
  country: loose,
  port43: loose,
  entities: list,
  remarks: list,
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
 * The regional registries over RDAP (RFC 9082, RFC 9083), found through IANA's bootstrap (RFC 9224).
 * ARIN gives no country; the registration table and Team Cymru have it.
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
  asksAgain: true,
  hosts: [BOOTSTRAP_HOST, ...Object.keys(RDAP_BASES), ...Object.keys(RDAP_DELEGATES)],
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
    const base = findRdapBase(bootstrap.body, address);
    if (base === undefined) return { covered: false };
    // Literal colons: a delegate of APNIC does not understand %3A.
    const answer = await upstream
      .http(
        {
          url: `${base}ip/${address.text}`,
          headers: { accept: "application/rdap+json, application/json" },
          as: "json",
          statuses: [404],
          redirects: 5,
          maxBytes: 524_288,
        },
        signal,
      )
      .catch(readThrottling);
    return {
      covered: true,
      status: answer.status,
      host: URL.parse(answer.url)?.hostname ?? "",
      body: answer.body ?? null,
    };
  },
  read: (answer, address) => {
    const heard = readShape(AnswerSchema, answer);
    if (!heard.covered) return undefined;
    if (heard.status === 404 && v.is(NotFoundSchema, heard.body)) return undefined;
    if (heard.status !== 200) throw new UpstreamError("status", `HTTP ${heard.status}`);
    const network = readShape(NetworkSchema, heard.body);
    const block = findRdapBlock(
      { start: network.startAddress, end: network.endAddress, blocks: readBlocks(network.cidr0_cidrs) },
      address,
    );
    if (isPlaceholder(network, block?.bits, address.version)) return undefined;
    return observe(network, block?.text, heard.host);
  },
} as const satisfies Source;

/** Registries throttle with 403 as well as with 429. */
function readThrottling(error: unknown): HttpAnswer {
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

/** Objects with which a registry says "somebody else's": everything, IANA's blocks, early transfers, its own pool. */
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

function observe(network: RdapNetwork, cidr: string | undefined, host: string): Observation {
  const rir = rirOf(network.port43, host);
  const country = knownCountry(network.country);
  const holder = findRdapHolder({
    name: knownText(network.name),
    entities: network.entities ?? [],
    remarks: network.remarks ?? [],
    isNameHolder: rir === "lacnic",
  });
  return {
    registry: {
      ...(rir === undefined ? {} : { rir }),
      ...(country === undefined ? {} : { country }),
      ...holder,
      ...(cidr === undefined ? {} : { cidr }),
    },
  };
}

function rirOf(port43: string | undefined, host: string): Rir | undefined {
  const whois = port43?.toLowerCase() ?? "";
  if (Object.hasOwn(RDAP_WHOIS, whois)) return RDAP_WHOIS[whois];
  if (Object.hasOwn(RDAP_BASES, host)) return RDAP_BASES[host];
  return Object.hasOwn(RDAP_DELEGATES, host) ? RDAP_DELEGATES[host] : undefined;
}
