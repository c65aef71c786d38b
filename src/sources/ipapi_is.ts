import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { Observation } from "#evidence";
import type { Network, Place, UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCountry } from "./known_country.ts";
import { knownRoute } from "./known_route.ts";
import { knownText } from "./known_text.ts";
import { knownTimezone } from "./known_timezone.ts";
import { readShape } from "./read_shape.ts";

/** An answer without detections is the account's, not the address's: asked again soon it would be the same. */
const REDUCED_MS = 3_600_000;

const USAGE_OF = new Map<string, UsageType>([
  ["isp", "residential"],
  ["business", "business"],
  ["banking", "business"],
  ["hosting", "hosting"],
  ["education", "education"],
  ["government", "government"],
]);

/** Another form than yes, no or nothing is another form of answer and must not be read as "no". */
const detection = v.optional(v.nullable(v.boolean()));
const anything = v.optional(v.unknown());

const ErrorSchema = v.object({ error: v.string() });
/** What callers without a key get: networks as one line of text, and not one detection. */
const ReducedSchema = v.object({ ip: v.string(), asn: v.string() });
const DETECTIONS = ["is_proxy", "is_vpn", "is_tor", "is_datacenter", "is_mobile"] as const;

const AnswerSchema = v.object({
  ip: v.string(),
  is_bogon: detection,
  ...v.entriesFromList(DETECTIONS, detection),
  company: v.fallback(v.object({ name: anything, type: anything }), {}),
  asn: v.fallback(
    v.object({ asn: anything, org: anything, descr: anything, route: anything, type: anything }),
    {},
  ),
  location: v.fallback(
    v.object({ country_code: anything, state: anything, city: anything, timezone: anything }),
    {},
  ),
  vpn: v.fallback(v.object({ service: anything, url: anything }), {}),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * ipapi.is (https://ipapi.is/developers.html), with a key only: without one its answer has no detections at all, and
 * may never pass for "nothing found". It takes in public lists (https://github.com/ipapi-is/ipapi), so it is no second
 * voice beside them. Not read: `is_abuser`, which is such lists without their names; `abuser_score`, which is about
 * the whole network; `is_crawler`, which is hearsay.
 */
export const ipapiIs = httpSource({
  id: "ipapi_is",
  name: "ipapi.is",
  kind: "commercial",
  family: "ipapi_is",
  matters: ["network", "location", "anonymity"],
  weight: 2,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["api.ipapi.is"],
  // The documented POST keeps the key out of URLs and of the logs that keep them.
  request: (address, secret) => ({
    url: "https://api.ipapi.is/",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ q: address.text, key: secret ?? "" }),
    as: "json",
    statuses: [400, 401, 403],
    maxBytes: 65_536,
    maxDepth: 8,
  }),
  answer: v.record(v.string(), v.unknown()),
  read: (body, address) => readBody(body, address),
  readStatus: (status, body) => {
    if (v.is(ErrorSchema, body)) throw refusalOf(body.error);
    if (status === 401 || status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

function readBody(body: unknown, address: Address): Observation | undefined {
  if (v.is(ErrorSchema, body)) throw refusalOf(body.error);
  if (v.is(ReducedSchema, body) || isWithoutDetections(body)) {
    throw new UpstreamError("unavailable", "reduced answer without detections", { retryAfterMs: REDUCED_MS });
  }
  const answer = readShape(AnswerSchema, body);
  if (parseAddress(answer.ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
  if (answer.is_bogon === true) return undefined;
  return observe(answer, address);
}

/** The vendor's sentences are not repeated; they are only told apart. They come with HTTP 200 too. */
function refusalOf(sentence: string): UpstreamError {
  if (/quota|limit|exceed|too many|credit/i.test(sentence))
    return new UpstreamError("quota", "quota used up");
  if (/key|unauthori[sz]ed|forbidden|denied/i.test(sentence)) return accessDenied();
  return new UpstreamError("unavailable", "question not answered");
}

function isWithoutDetections(body: unknown): boolean {
  return v.is(v.object({ ip: v.string() }), body) && DETECTIONS.every((name) => !(name in body));
}

function observe(answer: Answer, address: Address): Observation | undefined {
  const { is_vpn: isVpn, is_mobile: isMobile, company, asn } = answer;
  const flags = given({
    isProxy: answer.is_proxy ?? undefined,
    isVpn: isVpn ?? undefined,
    isTor: answer.is_tor ?? undefined,
    isHosting: answer.is_datacenter ?? undefined,
    isMobile: isMobile ?? undefined,
  });
  const types = [company.type, asn.type].flatMap((type) => knownText(type)?.toLowerCase() ?? []);
  const usage = types.map((type) => USAGE_OF.get(type)).find((type) => type !== undefined);
  const observation = given({
    flags,
    usage: usage === "residential" && isMobile === true ? "mobile" : usage,
    geo: placeOf(answer),
    asn: networkOf(answer, address),
    vpn: isVpn === true ? operatorOf(answer) : undefined,
  });
  if (Object.keys(observation).length === 0) return undefined;
  if (Object.keys(flags).length === 0) throw new UpstreamError("shape", "no detections");
  return { ...observation, echoes: ["public_lists", "tor", "x4bnet"] };
}

function placeOf({ location }: Answer): Place {
  return given({
    country: knownCountry(location.country_code),
    region: knownText(location.state),
    city: knownText(location.city),
    timezone: knownTimezone(location.timezone),
  });
}

function networkOf({ asn, company }: Answer, address: Address): Network {
  return given({
    asn: knownAsn(asn.asn),
    name: knownText(asn.org) ?? knownText(asn.descr),
    org: knownText(company.name),
    route: knownRoute(asn.route, address),
  });
}

function operatorOf({ vpn }: Answer): Observation["vpn"] {
  const name = knownText(vpn.service);
  if (name === undefined) return undefined;
  const url = URL.parse(knownText(vpn.url) ?? "");
  return { name, ...(url?.protocol === "https:" || url?.protocol === "http:" ? { url: url.href } : {}) };
}
