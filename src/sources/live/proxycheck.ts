import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import type { UsageType, VpnOperator } from "#report";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { accessDenied, anyFields, anyObject, isSameAddress, isSilent, parseAnswer } from "../read_answer.ts";
import {
  omitEmpty,
  readCount,
  readNetwork,
  readPlace,
  readText,
  readUsage,
  readWebUrl,
} from "../read_fields.ts";

/**
 * The newest version of the answer format that has a full description. Without a fixed version the vendor may change
 * it.
 */
const VERSION = "24-June-2026";
/** The pause after a refusal that waiting does not end. */
const REFUSED_MS = 3_600_000;
const MAX_RESULTS = 16;
const MAX_ATTACK_TYPES = 32;
const MAX_PROTOCOLS = 16;
const MAX_SERVICES = 32;
/** From 0 to 100: a detection of less confidence does not count, and one that was seen only once needs more. */
const MIN_CONFIDENCE = 50;
const MIN_CONFIDENCE_SEEN_ONCE = 75;
/** What an operator sells. Proxies on lines of homes and of phones are sold as one kind. */
const RESIDENTIAL_SERVICES: ReadonlySet<string> = new Set(["residential_proxies", "wireless_proxies"]);
const VPN_SERVICES: ReadonlySet<string> = new Set(["datacenter_vpns", "residential_vpns", "mobile_vpns"]);

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

/** A boolean, or "Unknown". Any other text is a wrong format and must not be read as "no". */
const detection = v.optional(v.nullable(v.union([v.boolean(), v.literal("Unknown")])));

const ResultSchema = v.object({
  detections: v.object({
    ...v.entriesFromList(["proxy", "vpn", "tor", "hosting", "compromised", "scraper"], detection),
    ...anyFields("last_seen", "confidence", "times_seen"),
  }),
  detection_history: anyObject("delisted"),
  network: anyObject("asn", "range", "provider", "organisation", "type"),
  location: anyObject("country_code", "region_name", "city_name", "timezone"),
  device_estimate: anyObject("address", "subnet"),
  attack_history: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  operator: anyObject("name", "url", "anonymity", "popularity", "services", "protocols", "policies"),
});
type Result = v.InferOutput<typeof ResultSchema>;

const PoliciesSchema = anyObject("logging", "free_access");

/**
 * proxycheck.io, API version 3 (https://proxycheck.io/api/). The status in the body decides, not the HTTP status. Not
 * read: `risk`, which is computed from the same detections, and `anonymous`, which repeats proxy, VPN and Tor. What the
 * vendor took off its list accuses no longer, and a detection of low confidence says nothing.
 */
export const proxycheck = httpSource({
  id: "proxycheck",
  name: "proxycheck.io",
  kind: "commercial",
  matters: ["network", "location", "anonymity", "abuse"],
  weight: 3,
  secret: "optional",
  daily: { keyless: 100, keyed: 1000 },
  hosts: ["proxycheck.io"],
  request: (address, secret) => ({
    url: `https://proxycheck.io/v3/${address.text}?${secret === undefined ? "" : `key=${encodeURIComponent(secret)}&`}ver=${VERSION}&tag=0`,
    statuses: [400, 429],
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
  const { status, message } = parseAnswer(EnvelopeSchema, body);
  if (status === "denied") throw denialError(message ?? "", httpStatus);
  if (status === "error") throw new UpstreamError("shape", "question not accepted");
  // "warning" (quota nearly used up, key disabled) comes with valid data.
  return observe(parseAnswer(ResultSchema, findResult(body, address)), address);
}

/** Classifies the vendor's message, which is never repeated. */
function denialError(message: string, httpStatus: number): UpstreamError {
  if (/using a proxy/i.test(message)) {
    return new UpstreamError("unavailable", "refuses questions sent through a proxy", {
      retryAfterMs: REFUSED_MS,
    });
  }
  if (/exhausted|quer(?:y|ies)|per second|limit|burst/i.test(message)) {
    return new UpstreamError("quota", "quota used up");
  }
  if (httpStatus === 401 || httpStatus === 403) {
    return accessDenied();
  }
  return new UpstreamError("quota", "denied");
}

/** The key of the result is the address in the vendor's spelling. There may be results for other addresses beside it. */
function findResult(body: unknown, address: Address): unknown {
  const results = Object.entries(parseAnswer(v.record(v.string(), v.unknown()), body))
    .filter(([, value]) => typeof value === "object" && value !== null && !Array.isArray(value))
    .slice(0, MAX_RESULTS);
  const own = results.find(([key]) => isSameAddress(key, address));
  if (own !== undefined) return own[1];
  const [only] = results;
  if (only === undefined || results.length > 1 || parseAddress(only[0]) !== undefined) {
    throw new UpstreamError("shape", "no result for the address");
  }
  return only[1];
}

function observe(result: Result, address: Address): Observation | undefined {
  const { detections, location, network } = result;
  const services = servicesOf(result);
  const isVpn = readDetection(detections.vpn, result);
  const isProxy = readDetection(detections.proxy, result);
  const flags = omitEmpty({
    isProxy,
    isVpn,
    isTor: readDetection(detections.tor, result),
    isHosting: readFlag(detections.hosting),
  });
  const isResidential = isProxy === true && services.some((service) => RESIDENTIAL_SERVICES.has(service));
  const observation: Observation = omitEmpty({
    flags,
    usage: readUsage(USAGE_OF, network.type),
    geo: readPlace(location.country_code, location.region_name, location.city_name, location.timezone),
    asn: readNetwork(
      {
        asn: isAsn(network.asn) ? network.asn : undefined,
        name: network.provider,
        org: network.organisation,
        route: network.range,
      },
      address,
    ),
    sharing: omitEmpty({
      address: readCount(result.device_estimate.address),
      subnet: readCount(result.device_estimate.subnet),
    }),
    abuse: abuseOf(result),
    vpn: isVpn === true && sellsVpn(services) ? operatorOf(result) : undefined,
    residentialProxy: isResidential ? true : undefined,
  });
  if (isSilent(observation)) return undefined;
  // A place without any detection is a reduced answer, and must not be read as "nothing found".
  if (!Object.values(detections).some((value) => typeof value === "boolean"))
    throw new UpstreamError("shape", "no detections");
  return observation;
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** Reads what the vendor says of one kind of exit. Undefined when it does not count. */
function readDetection(value: unknown, result: Result): boolean | undefined {
  const flag = readFlag(value);
  if (flag === undefined || !isConfident(result)) return undefined;
  return flag && result.detection_history.delisted === true ? undefined : flag;
}

/** Older answers have no confidence and no count; their detections count. */
function isConfident({ detections }: Result): boolean {
  const confidence = readCount(detections.confidence);
  const isSeenOnce = readCount(detections.times_seen) === 1;
  return confidence === undefined || confidence >= (isSeenOnce ? MIN_CONFIDENCE_SEEN_ONCE : MIN_CONFIDENCE);
}

function servicesOf({ operator }: Result): readonly string[] {
  const { services } = operator;
  return Array.isArray(services)
    ? services.slice(0, MAX_SERVICES).flatMap((service) => readText(service)?.toLowerCase() ?? [])
    : [];
}

/** An operator without a list of services, as in older answers, may sell VPNs. */
function sellsVpn(services: readonly string[]): boolean {
  return services.length === 0 || services.some((service) => VPN_SERVICES.has(service));
}

/** A number without "AS" is not the vendor's format. */
function isAsn(value: unknown): boolean {
  return /^AS\d{1,10}$/i.test(readText(value) ?? "");
}

/** Attacks by type. "Compromised" and "scraper" come without a number, so each counts once. */
function abuseOf(result: Result): AbuseRecord {
  const { detections, attack_history } = result;
  const attacks = new Map<string, number>();
  for (const [type, value] of Object.entries(attack_history ?? {}).slice(0, MAX_ATTACK_TYPES)) {
    // A number that is too large to be exact still means that there were attacks.
    const isHuge = typeof value === "number" && value > Number.MAX_SAFE_INTEGER;
    const count = isHuge ? 1 : readCount(value);
    if (/^[a-z][a-z0-9_]{0,63}$/i.test(type) && count !== undefined && count > 0) {
      attacks.set(type.toLowerCase(), count);
    }
  }
  if (readDetection(detections.compromised, result) === true) attacks.set("compromised_host", 1);
  if (readDetection(detections.scraper, result) === true) attacks.set("scraping", 1);
  if (attacks.size === 0) return {};
  const lastSeen = readText(detections.last_seen);
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
  const name = readText(operator.name);
  if (name === undefined) return undefined;
  const policies = v.parse(PoliciesSchema, operator.policies);
  const protocols = Array.isArray(operator.protocols) ? operator.protocols.slice(0, MAX_PROTOCOLS) : [];
  return {
    name,
    ...omitEmpty({
      url: readWebUrl(operator.url),
      anonymity: readText(operator.anonymity),
      popularity: readText(operator.popularity),
      protocols: protocols.flatMap((protocol) => readText(protocol) ?? []),
      logging: readFlag(policies.logging),
      freeAccess: readFlag(policies.free_access),
    }),
  };
}
