import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCountry } from "./known_country.ts";
import { knownText } from "./known_text.ts";
import { knownTimezone } from "./known_timezone.ts";

/** By name: a mask of numbers would have to be believed. `reverse` is left out, for it makes the answer slow. */
const FIELDS =
  "status,message,query,countryCode,regionName,city,timezone,isp,org,as,asname,mobile,proxy,hosting";

const detection = v.optional(v.boolean());
const anything = v.optional(v.unknown());

const FailSchema = v.object({ status: v.literal("fail"), message: v.fallback(v.optional(v.string()), "") });

const SuccessSchema = v.object({
  status: v.literal("success"),
  query: v.string(),
  countryCode: anything,
  regionName: anything,
  city: anything,
  timezone: anything,
  isp: anything,
  org: anything,
  as: anything,
  asname: anything,
  mobile: detection,
  proxy: detection,
  hosting: detection,
});
type Success = v.InferOutput<typeof SuccessSchema>;

/**
 * ip-api.com (https://ip-api.com/docs/api:json), with the key of its paid service only: the free one speaks clear-text
 * HTTP, and we ask nobody over a line on which an answer can be changed. Whoever pays may use it commercially.
 * Its `proxy` means "proxy, VPN or Tor": a yes is taken for the lesser of them, a no denies all three.
 */
export const ipApi = httpSource({
  id: "ip_api",
  name: "ip-api.com",
  kind: "commercial",
  family: "ip_api",
  matters: ["network", "location", "anonymity"],
  weight: 2,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  hosts: ["pro.ip-api.com"],
  request: (address, secret) => ({
    url: `https://pro.ip-api.com/json/${address.text}?key=${encodeURIComponent(secret ?? "")}&fields=${FIELDS}`,
    as: "json",
    statuses: [401, 403],
    maxBytes: 32_768,
    maxDepth: 4,
  }),
  answer: v.variant("status", [FailSchema, SuccessSchema]),
  read: (answer, address) => {
    if (answer.status === "success") return observe(answer, address);
    // Private and reserved space is no failure: there is nothing to say about it.
    if (/^(?:private|reserved) range$/i.test(answer.message ?? "")) return undefined;
    if (/key|subscription|expired/i.test(answer.message ?? "")) throw accessDenied();
    if (/quota|limit|too many/i.test(answer.message ?? "")) throw new UpstreamError("quota", "quota used up");
    throw new UpstreamError("shape", "question not accepted");
  },
  readStatus: (status) => {
    if (status === 401 || status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

function observe(answer: Success, address: Address): Observation | undefined {
  if (parseAddress(answer.query)?.text !== address.text) throw new UpstreamError("shape", "another address");
  const flags = given({
    ...maskOf(answer.proxy),
    isHosting: answer.hosting,
    isMobile: answer.mobile,
  });
  const observation = given({
    flags,
    geo: given({
      country: knownCountry(answer.countryCode),
      region: knownText(answer.regionName),
      city: knownText(answer.city),
      timezone: knownTimezone(answer.timezone),
    }),
    // An address that nobody announces has an empty `as`.
    asn: given({
      asn: knownAsn(answer.as),
      name: knownText(answer.asname) ?? knownText(answer.isp),
      org: knownText(answer.org) ?? knownText(answer.isp),
    }),
  });
  const { geo = {}, asn = {} } = observation;
  // Of a place and network it does not know, its "no" is a default.
  const isKnown = Object.keys(geo).length > 0 || Object.keys(asn).length > 0;
  if (!isKnown && !Object.values(flags).includes(true)) return undefined;
  if (Object.keys(flags).length === 0) throw new UpstreamError("shape", "no detections");
  return observation;
}

function maskOf(proxy: boolean | undefined): Observation["flags"] {
  if (proxy === undefined) return {};
  return proxy ? { isVpn: true } : { isProxy: false, isVpn: false, isTor: false };
}
