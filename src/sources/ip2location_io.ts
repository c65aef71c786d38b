import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import type { Network, UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCount } from "./known_count.ts";
import { knownCountry } from "./known_country.ts";
import { knownRoute } from "./known_route.ts";
import { knownText } from "./known_text.ts";
import { knownTimezone } from "./known_timezone.ts";
import { readShape } from "./read_shape.ts";

/** One code for a wrong key and for a spent quota: asked again this seldom. */
const SPENT_MS = 3_600_000;

/** Fixed and mobile lines that are not told apart (`ISP/MOB`), spiders and reserved space are no use. */
const USAGE_OF = new Map<string, UsageType>([
  ["COM", "business"],
  ["ORG", "business"],
  ["GOV", "government"],
  ["MIL", "government"],
  ["EDU", "education"],
  ["LIB", "education"],
  ["CDN", "hosting"],
  ["DCH", "hosting"],
  ["ISP", "residential"],
  ["MOB", "mobile"],
]);

const detection = v.optional(v.nullable(v.boolean()));
const anything = v.optional(v.unknown());

const ErrorSchema = v.object({
  error: v.object({ error_code: anything, error_message: v.fallback(v.optional(v.string()), "") }),
});

const ProxySchema = v.object({
  is_vpn: detection,
  is_tor: detection,
  is_data_center: detection,
  is_public_proxy: detection,
  is_web_proxy: detection,
  is_residential_proxy: detection,
  is_consumer_privacy_network: detection,
  is_spammer: detection,
  is_scanner: detection,
  is_botnet: detection,
});
type Proxy = v.InferOutput<typeof ProxySchema>;

const AnswerSchema = v.object({
  ip: v.string(),
  country_code: anything,
  region_name: anything,
  city_name: anything,
  time_zone_info: v.fallback(v.object({ olson: anything }), {}),
  asn: anything,
  as: anything,
  isp: anything,
  as_info: v.fallback(v.object({ as_cidr: anything }), {}),
  usage_type: anything,
  is_proxy: detection,
  proxy: v.optional(v.nullable(ProxySchema)),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * IP2Location.io (https://www.ip2location.io/ip2location-documentation): 500 questions a day from one address without
 * a key. Free plans know public proxies only, so their `is_proxy` is a word when it is a yes and none when it is a no;
 * paid plans say what kind it is. Fraud scores repeat the flags and are not read.
 */
export const ip2locationIo = httpSource({
  id: "ip2location_io",
  name: "IP2Location.io",
  kind: "commercial",
  family: "ip2location",
  matters: ["network", "location"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "optional",
  scarce: true,
  // 50,000 a month with a free key.
  daily: { keyless: 500, keyed: 1666 },
  hosts: ["api.ip2location.io"],
  request: (address, secret) => ({
    url: `https://api.ip2location.io/?ip=${encodeURIComponent(address.text)}${secret === undefined ? "" : `&key=${encodeURIComponent(secret)}`}&format=json`,
    as: "json",
    statuses: [400, 401, 403],
    maxBytes: 65_536,
    maxDepth: 8,
  }),
  answer: v.record(v.string(), v.unknown()),
  read: (body, address) => {
    if (v.is(ErrorSchema, body)) throw refusalOf(body);
    return observe(readShape(AnswerSchema, body), address);
  },
  readStatus: (status, body) => {
    if (v.is(ErrorSchema, body)) throw refusalOf(body);
    if (status === 401 || status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

/** Errors come with HTTP 200 too. 10000 is "Invalid API key or insufficient credit", whichever of the two it is. */
function refusalOf({ error }: v.InferOutput<typeof ErrorSchema>): UpstreamError {
  const sentence = v.parse(v.fallback(v.string(), ""), error.error_message);
  if (knownCount(error.error_code) === 10_000 || /credit|quota|limit|exceed/i.test(sentence)) {
    return new UpstreamError("quota", "key not accepted or quota used up", { retryAfterMs: SPENT_MS });
  }
  if (/invalid|missing/i.test(sentence)) return new UpstreamError("shape", "question not accepted");
  return new UpstreamError("unavailable", "question not answered");
}

function observe(answer: Answer, address: Address): Observation | undefined {
  if (parseAddress(answer.ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
  const { proxy } = answer;
  // Without a single field it is no more of a word than its absence.
  const isTold = proxy != null && Object.keys(proxy).length > 0;
  const observation = given({
    flags: isTold ? kindsOf(proxy) : given({ isProxy: answer.is_proxy === true ? true : undefined }),
    usage: USAGE_OF.get(knownText(answer.usage_type)?.toUpperCase() ?? ""),
    geo: given({
      country: knownCountry(answer.country_code),
      region: knownText(answer.region_name),
      city: knownText(answer.city_name),
      timezone: knownTimezone(answer.time_zone_info.olson),
    }),
    asn: networkOf(answer, address),
    abuse: proxy ? abuseOf(proxy) : undefined,
  });
  return Object.keys(observation).length === 0 ? undefined : observation;
}

function kindsOf(proxy: Proxy): Observation["flags"] {
  const proxies = [proxy.is_public_proxy, proxy.is_web_proxy, proxy.is_residential_proxy];
  const isDenied = proxies.every((word) => word === false);
  return given({
    isProxy: proxies.includes(true) ? true : isDenied ? false : undefined,
    isVpn: proxy.is_vpn ?? undefined,
    isTor: proxy.is_tor ?? undefined,
    isHosting: proxy.is_data_center ?? undefined,
    isRelay: proxy.is_consumer_privacy_network ?? undefined,
  });
}

function networkOf(answer: Answer, address: Address): Network {
  return given({
    asn: knownAsn(answer.asn),
    name: knownText(answer.as),
    org: knownText(answer.isp),
    route: knownRoute(answer.as_info.as_cidr, address),
  });
}

/** A mark counts once: the vendor gives no number for it. */
function abuseOf(proxy: Proxy): AbuseRecord {
  const marks = [
    ...(proxy.is_spammer === true ? ["spam"] : []),
    ...(proxy.is_scanner === true ? ["scanning"] : []),
    ...(proxy.is_botnet === true ? ["botnet"] : []),
  ];
  return given({ attacks: Object.fromEntries(marks.map((mark) => [mark, 1])) });
}
