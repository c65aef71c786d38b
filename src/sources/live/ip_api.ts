import * as v from "valibot";
import type { Address } from "#address";
import type { Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { accessDenied, anyFields, checkAddress, requireDetections } from "../read_answer.ts";
import { omitEmpty, readNetwork, readPlace, readText } from "../read_fields.ts";

/** Fields by name, because the numeric mask is hard to check. `reverse` is left out, because it makes the answer slow. */
const FIELDS =
  "status,message,query,countryCode,regionName,city,timezone,isp,org,as,asname,mobile,proxy,hosting";

const FailSchema = v.object({ status: v.literal("fail"), message: v.fallback(v.optional(v.string()), "") });

const SuccessSchema = v.object({
  status: v.literal("success"),
  query: v.string(),
  ...anyFields("countryCode", "regionName", "city", "timezone", "isp", "org", "as", "asname"),
  ...v.entriesFromList(["mobile", "proxy", "hosting"], v.optional(v.boolean())),
});
type Success = v.InferOutput<typeof SuccessSchema>;

/**
 * ip-api.com (https://ip-api.com/docs/api:json), with the key of its paid service only: the free service uses plain
 * HTTP, where anyone on the network path can change an answer. Paying customers may use it commercially. Its `proxy`
 * means "proxy, VPN or Tor": true is read as VPN, which weighs less, and false denies all three.
 */
export const ipApi = httpSource({
  id: "ip_api",
  name: "ip-api.com",
  kind: "commercial",
  matters: ["network", "location", "anonymity"],
  weight: 2,
  secret: "required",
  hosts: ["pro.ip-api.com"],
  request: (address, secret) => ({
    url: `https://pro.ip-api.com/json/${address.text}?key=${encodeURIComponent(secret ?? "")}&fields=${FIELDS}`,
    maxBytes: 32_768,
    maxDepth: 4,
  }),
  answer: v.variant("status", [FailSchema, SuccessSchema]),
  read: (answer, address) => {
    if (answer.status === "success") return observe(answer, address);
    // Private and reserved space is not an error: there is nothing to know about it.
    const { message = "" } = answer;
    if (/^(?:private|reserved) range$/i.test(message)) return undefined;
    if (/key|subscription|expired/i.test(message)) throw accessDenied();
    if (/quota|limit|too many/i.test(message)) throw new UpstreamError("quota", "quota used up");
    throw new UpstreamError("shape", "question not accepted");
  },
});

function observe(answer: Success, address: Address): Observation | undefined {
  checkAddress(answer.query, address);
  const flags = omitEmpty({ ...maskOf(answer.proxy), isHosting: answer.hosting, isMobile: answer.mobile });
  const observation = omitEmpty({
    flags,
    geo: readPlace(answer.countryCode, answer.regionName, answer.city, answer.timezone),
    // `as` is empty when nobody announces the address.
    asn: readNetwork({
      asn: answer.as,
      name: readText(answer.asname) ?? readText(answer.isp),
      org: readText(answer.org) ?? readText(answer.isp),
    }),
  });
  return requireDetections(observation, flags);
}

function maskOf(proxy: boolean | undefined): Observation["flags"] {
  if (proxy === undefined) return {};
  return proxy ? { isVpn: true } : { isProxy: false, isVpn: false, isTor: false };
}
