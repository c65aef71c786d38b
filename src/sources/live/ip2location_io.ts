import * as v from "valibot";
import type { Address } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import type { UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import {
  anyField,
  anyFields,
  anyObject,
  booleans,
  checkAddress,
  isSilent,
  optionalBoolean,
  parseAnswer,
  statusError,
} from "../read_answer.ts";
import { countOnce, omitEmpty, readCount, readNetwork, readPlace, readText } from "../read_fields.ts";
import usages from "./usages.json" with { type: "json" };

/** The pause after an error that means a wrong key or a used-up quota: the code does not tell which. */
const SPENT_MS = 3_600_000;

/** A proxy that was last seen longer ago than this does not count. */
const MAX_LAST_SEEN_DAYS = 30;

/** Not in the table, because they do not name one use: `ISP/MOB` (fixed or mobile), spiders, reserved space. */
const USAGE_OF = new Map(Object.entries(usages.ip2location_io as Record<string, UsageType>));

const ErrorSchema = v.object({
  error: v.object({ error_code: anyField, error_message: v.fallback(v.optional(v.string()), "") }),
});

const ProxySchema = v.object({
  /** Days since the address was last seen as a proxy. */
  last_seen: anyField,
  ...booleans("is_vpn", "is_tor", "is_data_center", "is_consumer_privacy_network"),
  ...booleans("is_public_proxy", "is_web_proxy", "is_residential_proxy"),
  ...booleans("is_spammer", "is_scanner", "is_botnet"),
});
type Proxy = v.InferOutput<typeof ProxySchema>;

const AnswerSchema = v.object({
  ip: v.string(),
  ...anyFields("country_code", "region_name", "city_name"),
  time_zone_info: anyObject("olson"),
  ...anyFields("asn", "as", "isp"),
  as_info: anyObject("as_cidr"),
  usage_type: anyField,
  is_proxy: optionalBoolean,
  proxy: v.optional(v.nullable(ProxySchema)),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * IP2Location.io (https://www.ip2location.io/ip2location-documentation): 500 requests a day from one address without
 * a key. Free plans know public proxies only, so their `is_proxy` counts when it is true and says nothing when it is
 * false; paid plans give the kind of proxy. A keyed answer about an address that it does not know has "-" in every field
 * and false in every flag. Fraud scores repeat the flags and are not read.
 */
export const ip2locationIo = httpSource({
  id: "ip2location_io",
  name: "IP2Location.io",
  kind: "commercial",
  family: "ip2location",
  matters: ["network", "location"],
  weight: 1,
  secret: "optional",
  scarce: true,
  // 50,000 a month with a free key.
  daily: { keyless: 500, keyed: 1666 },
  hosts: ["api.ip2location.io"],
  request: (address, secret) => ({
    url: `https://api.ip2location.io/?ip=${encodeURIComponent(address.text)}${secret === undefined ? "" : `&key=${encodeURIComponent(secret)}`}&format=json`,
    statuses: [400],
  }),
  answer: v.record(v.string(), v.unknown()),
  read: (body, address) => {
    if (v.is(ErrorSchema, body)) throw toError(body);
    return observe(parseAnswer(AnswerSchema, body), address);
  },
  readStatus: (status, body) => {
    if (v.is(ErrorSchema, body)) throw toError(body);
    throw statusError(status);
  },
});

/** Errors come with HTTP 200 too. 10000 means "Invalid API key or insufficient credit". */
function toError({ error }: v.InferOutput<typeof ErrorSchema>): UpstreamError {
  const message = v.parse(v.fallback(v.string(), ""), error.error_message);
  if (readCount(error.error_code) === 10_000 || /credit|quota|limit|exceed/i.test(message)) {
    return new UpstreamError("quota", "key not accepted or quota used up", { retryAfterMs: SPENT_MS });
  }
  if (/invalid|missing/i.test(message)) return new UpstreamError("shape", "question not accepted");
  return new UpstreamError("unavailable", "question not answered");
}

function observe(answer: Answer, address: Address): Observation | undefined {
  checkAddress(answer.ip, address);
  const { proxy } = answer;
  // An empty object means the same as a missing one.
  const hasKind = proxy != null && Object.keys(proxy).length > 0;
  const observation = omitEmpty({
    flags: hasKind ? kindsOf(proxy) : omitEmpty({ isProxy: answer.is_proxy === true ? true : undefined }),
    usage: USAGE_OF.get(readText(answer.usage_type)?.toUpperCase() ?? ""),
    geo: readPlace(answer.country_code, answer.region_name, answer.city_name, answer.time_zone_info.olson),
    asn: readNetwork(
      { asn: answer.asn, name: answer.as, org: answer.isp, route: answer.as_info.as_cidr },
      address,
    ),
    abuse: proxy && isRecent(proxy) ? abuseOf(proxy) : undefined,
    residentialProxy: hasKind ? confirm(proxy.is_residential_proxy, isRecent(proxy)) : undefined,
  });
  return isSilent(observation) ? undefined : observation;
}

/** Without a number of days, what the vendor says counts. */
function isRecent(proxy: Proxy): boolean {
  const days = readCount(proxy.last_seen);
  return days === undefined || days <= MAX_LAST_SEEN_DAYS;
}

/** Returns undefined in place of a "yes" that is not recent. */
function confirm(value: boolean | null | undefined, isRecent: boolean): boolean | undefined {
  return value === true && !isRecent ? undefined : (value ?? undefined);
}

function kindsOf(proxy: Proxy): Observation["flags"] {
  const proxies = [proxy.is_public_proxy, proxy.is_web_proxy, proxy.is_residential_proxy];
  const isDenied = proxies.every((value) => value === false);
  const isNow = isRecent(proxy);
  return omitEmpty({
    isProxy: proxies.includes(true) ? confirm(true, isNow) : isDenied ? false : undefined,
    isVpn: confirm(proxy.is_vpn, isNow),
    isTor: confirm(proxy.is_tor, isNow),
    isHosting: proxy.is_data_center ?? undefined,
    isRelay: proxy.is_consumer_privacy_network ?? undefined,
  });
}

function abuseOf({ is_spammer: spam, is_scanner: scanning, is_botnet: botnet }: Proxy): AbuseRecord {
  return omitEmpty({ attacks: countOnce({ spam, scanning, botnet }) });
}
