import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import type { Network, Place, Sharing, UsageType, VpnOperator } from "#report";
import { UpstreamError } from "#upstream";
import { httpSource } from "./http_source.ts";
import { knownCount } from "./known_count.ts";
import { knownCountry } from "./known_country.ts";
import { knownRoute } from "./known_route.ts";
import { knownText } from "./known_text.ts";
import { knownTimezone } from "./known_timezone.ts";
import { readShape } from "./read_shape.ts";

/** The newest form of the answer whose fields are published in full; without a pin the vendor may change it. */
const VERSION = "11-February-2026";
/** A refusal that no waiting of ours ends is looked at again this seldom. */
const REFUSED_MS = 3_600_000;
const MAX_RESULTS = 16;
const MAX_ATTACK_TYPES = 32;
const MAX_PROTOCOLS = 16;

const USAGE_OF = new Map<string, UsageType>([
  ["residential", "residential"],
  ["business", "business"],
  ["wireless", "mobile"],
  ["hosting", "hosting"],
]);

const EnvelopeSchema = v.object({
  status: v.picklist(["ok", "warning", "denied", "error"]),
  message: v.fallback(v.optional(v.string()), ""),
});

/** Yes, no, or nothing; another word than "Unknown" is another form of answer and must not be read as "no". */
const detection = v.optional(v.nullable(v.union([v.boolean(), v.literal("Unknown")])));
const anything = v.optional(v.unknown());

const ResultSchema = v.object({
  detections: v.object({
    proxy: detection,
    vpn: detection,
    tor: detection,
    hosting: detection,
    compromised: detection,
    scraper: detection,
    last_seen: anything,
  }),
  network: v.fallback(
    v.object({
      asn: anything,
      range: anything,
      provider: anything,
      organisation: anything,
      type: anything,
    }),
    {},
  ),
  location: v.fallback(
    v.object({ country_code: anything, region_name: anything, city_name: anything, timezone: anything }),
    {},
  ),
  device_estimate: v.fallback(v.object({ address: anything, subnet: anything }), {}),
  attack_history: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  operator: v.fallback(
    v.object({
      name: anything,
      url: anything,
      anonymity: anything,
      popularity: anything,
      protocols: anything,
      policies: anything,
    }),
    {},
  ),
});
type Result = v.InferOutput<typeof ResultSchema>;

const PoliciesSchema = v.fallback(v.object({ logging: anything, free_access: anything }), {});

/**
 * proxycheck.io, API version 3 (https://proxycheck.io/api/). The status word inside the answer decides, not HTTP's.
 * Its `risk` is built from the same detections plus baselines of its own, so it is no second word on abuse;
 * `anonymous` only repeats proxy, VPN and Tor.
 */
export const proxycheck = httpSource({
  id: "proxycheck",
  name: "proxycheck.io",
  kind: "commercial",
  family: "proxycheck",
  matters: ["network", "location", "anonymity", "abuse"],
  weight: 3,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "optional",
  daily: { keyless: 100, keyed: 1000 },
  hosts: ["proxycheck.io"],
  request: (address, secret) => ({
    url: `https://proxycheck.io/v3/${address.text}?${secret === undefined ? "" : `key=${encodeURIComponent(secret)}&`}ver=${VERSION}&tag=0`,
    as: "json",
    statuses: [400, 401, 403, 429],
    maxBytes: 65_536,
    maxDepth: 12,
  }),
  answer: v.record(v.string(), v.unknown()),
  read: (body, address) => readBody(body, 200, address),
  readStatus: (status, body, address) => {
    if (v.is(EnvelopeSchema, body)) return readBody(body, status, address);
    throw new UpstreamError(status === 429 ? "quota" : "status", `HTTP ${status}`);
  },
});

function readBody(body: unknown, httpStatus: number, address: Address): Observation | undefined {
  const { status, message } = readShape(EnvelopeSchema, body);
  if (status === "denied") throw denialOf(message ?? "", httpStatus);
  if (status === "error") throw new UpstreamError("shape", "question not accepted");
  // A warning (quota nearly used, key disabled) comes with valid data.
  return observe(readShape(ResultSchema, findResult(body, address)), address);
}

/** The vendor's sentences are not repeated; they are only told apart. */
function denialOf(message: string, httpStatus: number): UpstreamError {
  if (/using a proxy/i.test(message)) {
    return new UpstreamError("unavailable", "refuses questions sent through a proxy", {
      retryAfterMs: REFUSED_MS,
    });
  }
  if (/exhausted|quer(?:y|ies)|per second|limit|burst/i.test(message)) {
    return new UpstreamError("quota", "quota used up");
  }
  if (httpStatus === 401 || httpStatus === 403) {
    return new UpstreamError("unavailable", "access denied", { retryAfterMs: REFUSED_MS });
  }
  return new UpstreamError("quota", "denied");
}

/** The result stands under the address in the vendor's spelling. Beside it may stand results we did not ask for. */
function findResult(body: unknown, address: Address): unknown {
  const results = Object.entries(readShape(v.record(v.string(), v.unknown()), body))
    .filter(([, value]) => typeof value === "object" && value !== null && !Array.isArray(value))
    .slice(0, MAX_RESULTS);
  const own = results.find(([key]) => parseAddress(key)?.text === address.text);
  if (own !== undefined) return own[1];
  const [only] = results;
  if (only === undefined || results.length > 1 || parseAddress(only[0]) !== undefined) {
    throw new UpstreamError("shape", "no result for the address");
  }
  return only[1];
}

function observe(result: Result, address: Address): Observation | undefined {
  const { detections } = result;
  const flags = {
    ...flag("isProxy", detections.proxy),
    ...flag("isVpn", detections.vpn),
    ...flag("isTor", detections.tor),
    ...flag("isHosting", detections.hosting),
  };
  const usage = USAGE_OF.get(knownText(result.network.type)?.toLowerCase() ?? "");
  const observation: Observation = {
    ...part("flags", flags),
    ...(usage === undefined ? {} : { usage }),
    ...part("geo", placeOf(result)),
    ...part("asn", networkOf(result, address)),
    ...part("sharing", sharingOf(result)),
    ...part("abuse", abuseOf(result)),
    ...part("vpn", detections.vpn === true ? operatorOf(result) : {}),
  };
  if (Object.keys(observation).length === 0) return undefined;
  // Who names a place but not one detection gave a reduced answer, and must not pass for "nothing found".
  if (Object.keys(flags).length === 0) throw new UpstreamError("shape", "no detections");
  return observation;
}

function flag<const Name extends string>(name: Name, value: unknown) {
  return typeof value === "boolean" ? ({ [name]: value } as { readonly [Key in Name]: boolean }) : {};
}

/** A field of the observation, unless there is nothing in it. */
function part<const Name extends string, Part extends object>(name: Name, value: Part | undefined) {
  const isEmpty = value === undefined || Object.keys(value).length === 0;
  return isEmpty ? {} : ({ [name]: value } as { readonly [Key in Name]: Part });
}

function text<const Name extends string>(name: Name, value: unknown) {
  const known = knownText(value);
  return known === undefined ? {} : ({ [name]: known } as { readonly [Key in Name]: string });
}

function placeOf({ location }: Result): Place {
  const country = knownCountry(location.country_code);
  const timezone = knownTimezone(location.timezone);
  return {
    ...(country === undefined ? {} : { country }),
    ...text("region", location.region_name),
    ...text("city", location.city_name),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

function networkOf({ network }: Result, address: Address): Network {
  const digits = /^AS(\d{1,10})$/i.exec(knownText(network.asn) ?? "")?.[1];
  const asn = Number(digits ?? 0);
  const route = knownRoute(network.range, address);
  return {
    ...(asn > 0 && asn <= 0xffffffff ? { asn } : {}),
    ...text("name", network.provider),
    ...text("org", network.organisation),
    ...(route === undefined ? {} : { route }),
  };
}

function sharingOf({ device_estimate }: Result): Sharing {
  const address = knownCount(device_estimate.address);
  const subnet = knownCount(device_estimate.subnet);
  return {
    ...(address === undefined ? {} : { address }),
    ...(subnet === undefined ? {} : { subnet }),
  };
}

/** Attacks by type; a host seen compromised or scraping counts once, since the vendor gives no number for it. */
function abuseOf({ detections, attack_history }: Result): AbuseRecord {
  const attacks = new Map<string, number>();
  for (const [type, value] of Object.entries(attack_history ?? {}).slice(0, MAX_ATTACK_TYPES)) {
    // A number past all counting still says that there were attacks: nobody gets off by it.
    const isPast = typeof value === "number" && value > Number.MAX_SAFE_INTEGER;
    const count = isPast ? 1 : knownCount(value);
    if (/^[a-z][a-z0-9_]{0,63}$/i.test(type) && count !== undefined && count > 0) {
      attacks.set(type.toLowerCase(), count);
    }
  }
  if (detections.compromised === true) attacks.set("compromised_host", 1);
  if (detections.scraper === true) attacks.set("scraping", 1);
  if (attacks.size === 0) return {};
  const lastSeen = knownText(detections.last_seen);
  return { attacks: Object.fromEntries(attacks), ...(isMoment(lastSeen) ? { lastSeen } : {}) };
}

/** RFC 3339 date-time. */
function isMoment(value: string | undefined): value is string {
  return (
    value !== undefined &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

function operatorOf({ operator }: Result): VpnOperator | undefined {
  const name = knownText(operator.name);
  if (name === undefined) return undefined;
  const policies = v.parse(PoliciesSchema, operator.policies);
  const url = URL.parse(knownText(operator.url) ?? "");
  const protocols = Array.isArray(operator.protocols)
    ? operator.protocols.slice(0, MAX_PROTOCOLS).flatMap((protocol) => knownText(protocol) ?? [])
    : [];
  return {
    name,
    ...(url?.protocol === "https:" || url?.protocol === "http:" ? { url: url.href } : {}),
    ...text("anonymity", operator.anonymity),
    ...text("popularity", operator.popularity),
    ...(protocols.length === 0 ? {} : { protocols }),
    ...flag("logging", policies.logging),
    ...flag("freeAccess", policies.free_access),
  };
}
