import * as v from "valibot";
import type { Address } from "#address";
import type { Observation } from "#evidence";
import type { UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import {
  anyObject,
  booleans,
  checkAddress,
  classifyMessage,
  optionalBoolean,
  parseAnswer,
  requireDetections,
  statusError,
} from "../read_answer.ts";
import {
  COMPANY_USES,
  omitEmpty,
  readNetwork,
  readPlace,
  readText,
  readUsage,
  readWebUrl,
} from "../read_fields.ts";

/** The pause after an answer without detections: it depends on the account, so the next one would be the same. */
const REDUCED_MS = 3_600_000;

const USAGE_OF = new Map<string, UsageType>([...COMPANY_USES, ["banking", "business"]]);

const ErrorSchema = v.object({ error: v.string() });
/** The answer to callers without a key: the network as one line of text, and no detections. */
const ReducedSchema = v.object({ ip: v.string(), asn: v.string() });
/** Errors come with HTTP 200 too. */
const REFUSALS = {
  quota: /quota|limit|exceed|too many|credit/i,
  denied: /key|unauthori[sz]ed|forbidden|denied/i,
};
const DETECTIONS = ["is_proxy", "is_vpn", "is_tor", "is_datacenter", "is_mobile"] as const;

const AnswerSchema = v.object({
  ip: v.string(),
  ...booleans("is_bogon", "is_anycast", "is_satellite"),
  ...v.entriesFromList(DETECTIONS, optionalBoolean),
  company: anyObject("name", "type"),
  asn: anyObject("asn", "org", "descr", "route", "type"),
  location: anyObject("country_code", "state", "city", "timezone"),
  vpn: anyObject("service", "url"),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * ipapi.is (https://ipapi.is/developers.html), with a key only: without one its answer has no detections, and must not
 * be read as "nothing found". It contains public lists (https://github.com/ipapi-is/ipapi), so it is not a second
 * opinion beside them. Not read: `is_abuser`, which comes from such lists and does not name them; `abuser_score`, which
 * is about the whole network; `is_crawler`, which is not verified.
 */
export const ipapiIs = httpSource({
  id: "ipapi_is",
  name: "ipapi.is",
  kind: "commercial",
  matters: ["network", "location", "anonymity"],
  weight: 2,
  secret: "required",
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["api.ipapi.is"],
  // A POST keeps the key out of URLs, and so out of logs.
  request: (address, secret) => ({
    url: "https://api.ipapi.is/",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ q: address.text, key: secret ?? "" }),
    statuses: [400],
  }),
  answer: v.record(v.string(), v.unknown()),
  read: readBody,
  readStatus: (status, body) => {
    if (v.is(ErrorSchema, body)) throw classifyMessage(body.error, REFUSALS);
    throw statusError(status);
  },
});

function readBody(body: unknown, address: Address): Observation | undefined {
  if (v.is(ErrorSchema, body)) throw classifyMessage(body.error, REFUSALS);
  const isBare = v.is(v.object({ ip: v.string() }), body) && DETECTIONS.every((name) => !(name in body));
  if (isBare || v.is(ReducedSchema, body)) {
    throw new UpstreamError("unavailable", "reduced answer without detections", { retryAfterMs: REDUCED_MS });
  }
  const answer = parseAnswer(AnswerSchema, body);
  checkAddress(answer.ip, address);
  if (answer.is_bogon === true) return undefined;
  return observe(answer, address);
}

function observe(answer: Answer, address: Address): Observation | undefined {
  const { is_vpn: isVpn, is_mobile: isMobile, company, asn, location } = answer;
  const flags = omitEmpty({
    isProxy: answer.is_proxy ?? undefined,
    isVpn: isVpn ?? undefined,
    isTor: answer.is_tor ?? undefined,
    isHosting: answer.is_datacenter ?? undefined,
    isMobile: isMobile ?? undefined,
  });
  const usage = readUsage(USAGE_OF, company.type, asn.type);
  const observation: Observation = omitEmpty({
    flags,
    usage: usage === "residential" && isMobile === true ? "mobile" : usage,
    geo: readPlace(location.country_code, location.state, location.city, location.timezone),
    asn: readNetwork(
      { asn: asn.asn, name: readText(asn.org) ?? readText(asn.descr), org: company.name, route: asn.route },
      address,
    ),
    vpn: isVpn === true ? operatorOf(answer) : undefined,
    anycast: answer.is_anycast === true ? (true as const) : undefined,
    satellite: answer.is_satellite === true ? (true as const) : undefined,
  });
  const echoes = ["public_lists", "tor", "x4bnet"];
  return requireDetections({ ...observation, echoes }, flags);
}

function operatorOf({ vpn }: Answer): Observation["vpn"] {
  const name = readText(vpn.service);
  if (name === undefined) return undefined;
  const url = readWebUrl(vpn.url);
  return { name, ...(url === undefined ? {} : { url }) };
}
