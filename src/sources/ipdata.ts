import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { Observation } from "#evidence";
import type { Network, UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCountry } from "./known_country.ts";
import { knownRoute } from "./known_route.ts";
import { knownText } from "./known_text.ts";
import { knownTimezone } from "./known_timezone.ts";

/** 403 is a wrong key and a spent quota alike: where the sentence does not tell, asked again this seldom. */
const SPENT_MS = 3_600_000;

const USAGE_OF = new Map<string, UsageType>([
  ["isp", "residential"],
  ["business", "business"],
  ["hosting", "hosting"],
  ["cdn", "hosting"],
  ["edu", "education"],
  ["education", "education"],
  ["gov", "government"],
  ["government", "government"],
  ["mil", "government"],
]);

/** Detections of a higher plan are missing, null or a text about the plan: none of them is a "no". */
const detection = v.pipe(
  v.optional(v.nullable(v.union([v.boolean(), v.string()]))),
  v.transform((word) => (typeof word === "boolean" ? word : undefined)),
);
const anything = v.optional(v.unknown());

const MessageSchema = v.object({ message: v.string() });

const AnswerSchema = v.object({
  ip: v.string(),
  country_code: anything,
  region: anything,
  city: anything,
  asn: anything,
  organisation: anything,
  company: v.fallback(v.object({ name: anything, type: anything }), {}),
  carrier: v.fallback(v.object({ name: anything }), {}),
  time_zone: v.fallback(v.object({ name: anything }), {}),
  threat: v.object({
    is_tor: detection,
    is_vpn: detection,
    is_icloud_relay: detection,
    is_proxy: detection,
    is_datacenter: detection,
  }),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/** An object today; `"AS64500"` in older answers, with the holder in `organisation`. */
const NetworkSchema = v.fallback(
  v.object({ asn: anything, name: anything, route: anything, type: anything }),
  {},
);

/**
 * ipdata (https://docs.ipdata.co/docs/all-response-fields). Its threat marks are made of public lists, so it is no
 * second voice beside them, and `is_known_abuser` and the like, which are such lists without their names, are not
 * read. Its free plan is for non-commercial use.
 */
export const ipdata = httpSource({
  id: "ipdata",
  name: "ipdata",
  kind: "commercial",
  family: "ipdata",
  matters: ["network", "location", "anonymity"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  noncommercial: true,
  daily: { keyless: 0, keyed: 1500 },
  hosts: ["api.ipdata.co"],
  // The vendor takes the key in the query and nowhere else.
  request: (address, secret) => ({
    url: `https://api.ipdata.co/${address.text}?api-key=${encodeURIComponent(secret ?? "")}`,
    as: "json",
    statuses: [400, 401, 403],
    maxBytes: 65_536,
    maxDepth: 8,
  }),
  answer: AnswerSchema,
  read: observe,
  readStatus: (status, body) => {
    const sentence = v.is(MessageSchema, body) ? body.message : "";
    if (status === 400 && /\b(?:private|reserved|bogon)\b/i.test(sentence)) return undefined;
    if (status === 400) throw new UpstreamError("shape", "question not accepted");
    if (status === 401) throw accessDenied();
    throw status === 403 ? forbidden(sentence) : new UpstreamError("status", `HTTP ${status}`);
  },
});

function forbidden(sentence: string): UpstreamError {
  if (/quota|exceed|limit/i.test(sentence)) return new UpstreamError("quota", "quota used up");
  if (/key/i.test(sentence)) return accessDenied();
  return new UpstreamError("quota", "key not accepted or quota used up", { retryAfterMs: SPENT_MS });
}

function observe(answer: Answer, address: Address): Observation | undefined {
  if (parseAddress(answer.ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
  const { threat } = answer;
  const network = v.parse(NetworkSchema, answer.asn);
  const isMobile = knownText(answer.carrier.name) === undefined ? undefined : true;
  const flags = given({
    isProxy: threat.is_proxy,
    isVpn: threat.is_vpn,
    isTor: threat.is_tor,
    isHosting: threat.is_datacenter,
    isRelay: threat.is_icloud_relay,
    isMobile,
  });
  const types = [answer.company.type, network.type].flatMap((type) => knownText(type)?.toLowerCase() ?? []);
  const usage = types.map((type) => USAGE_OF.get(type)).find((type) => type !== undefined);
  const observation = given({
    flags,
    usage: isMobile === true ? "mobile" : usage,
    geo: given({
      country: knownCountry(answer.country_code),
      region: knownText(answer.region),
      city: knownText(answer.city),
      timezone: knownTimezone(answer.time_zone.name),
    }),
    asn: networkOf(answer, network, address),
  });
  if (Object.keys(observation).length === 0) return undefined;
  if (Object.values(threat).every((value) => value === undefined)) {
    throw new UpstreamError("shape", "no detections");
  }
  return { ...observation, echoes: ["apple", "public_lists", "tor"] };
}

function networkOf(answer: Answer, network: v.InferOutput<typeof NetworkSchema>, address: Address): Network {
  return given({
    asn: knownAsn(network.asn) ?? knownAsn(answer.asn),
    name: knownText(network.name) ?? knownText(answer.organisation),
    org: knownText(answer.company.name),
    route: knownRoute(network.route, address),
  });
}
