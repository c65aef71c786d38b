import * as v from "valibot";
import type { Address } from "#address";
import type { Observation } from "#evidence";
import type { Network, UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import {
  accessDenied,
  anyFields,
  anyObject,
  checkAddress,
  requireDetections,
  statusError,
} from "../read_answer.ts";
import {
  COMPANY_USES,
  omitEmpty,
  readAsn,
  readPlace,
  readRoute,
  readText,
  readUsage,
} from "../read_fields.ts";

/** The pause after a 403 whose message does not tell a wrong key from a used-up quota. */
const SPENT_MS = 3_600_000;

const USAGE_OF = new Map<string, UsageType>([
  ...COMPANY_USES,
  ["cdn", "hosting"],
  ["edu", "education"],
  ["gov", "government"],
  ["mil", "government"],
]);

/** Detections of a higher plan are missing, null or a text about the plan, which is not a "no". */
const detection = v.pipe(
  v.optional(v.nullable(v.union([v.boolean(), v.string()]))),
  v.transform((value) => (typeof value === "boolean" ? value : undefined)),
);

const MessageSchema = v.object({ message: v.string() });

const AnswerSchema = v.object({
  ip: v.string(),
  ...anyFields("country_code", "region", "city", "asn", "organisation"),
  company: anyObject("name", "type"),
  carrier: anyObject("name"),
  time_zone: anyObject("name"),
  threat: v.object(
    v.entriesFromList(["is_tor", "is_vpn", "is_icloud_relay", "is_proxy", "is_datacenter"], detection),
  ),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/** The network is an object; older answers have `"AS64500"` here, and the holder in `organisation`. */
const NetworkSchema = anyObject("asn", "name", "route", "type");

/**
 * ipdata (https://docs.ipdata.co/docs/all-response-fields). Its threat flags come from public lists, so it is not a
 * second opinion beside them; `is_known_abuser` and similar flags come from such lists, do not name them, and are not
 * read. Its free plan is for non-commercial use.
 */
export const ipdata = httpSource({
  id: "ipdata",
  name: "ipdata",
  kind: "commercial",
  matters: ["network", "location", "anonymity"],
  weight: 1,
  secret: "required",
  noncommercial: true,
  daily: { keyless: 0, keyed: 1500 },
  hosts: ["api.ipdata.co"],
  // The vendor accepts the key in the query only.
  request: (address, secret) => ({
    url: `https://api.ipdata.co/${address.text}?api-key=${encodeURIComponent(secret ?? "")}`,
    statuses: [400],
  }),
  answer: AnswerSchema,
  read: observe,
  readStatus: (status, body) => {
    const message = v.is(MessageSchema, body) ? body.message : "";
    if (status === 400 && /\b(?:private|reserved|bogon)\b/i.test(message)) return undefined;
    if (status === 400) throw new UpstreamError("shape", "question not accepted");
    throw status === 403 ? forbidden(message) : statusError(status);
  },
});

function forbidden(message: string): UpstreamError {
  if (/quota|exceed|limit/i.test(message)) return new UpstreamError("quota", "quota used up");
  if (/key/i.test(message)) return accessDenied();
  return new UpstreamError("quota", "key not accepted or quota used up", { retryAfterMs: SPENT_MS });
}

function observe(answer: Answer, address: Address): Observation | undefined {
  checkAddress(answer.ip, address);
  const { threat } = answer;
  const network = v.parse(NetworkSchema, answer.asn);
  const isMobile = readText(answer.carrier.name) === undefined ? undefined : true;
  const flags = omitEmpty({
    isProxy: threat.is_proxy,
    isVpn: threat.is_vpn,
    isTor: threat.is_tor,
    isHosting: threat.is_datacenter,
    isRelay: threat.is_icloud_relay,
    isMobile,
  });
  const usage = readUsage(USAGE_OF, answer.company.type, network.type);
  const observation = omitEmpty({
    flags,
    usage: isMobile === true ? "mobile" : usage,
    geo: readPlace(answer.country_code, answer.region, answer.city, answer.time_zone.name),
    asn: networkOf(answer, network, address),
  });
  return requireDetections({ ...observation, echoes: ["apple", "public_lists", "tor"] }, threat);
}

function networkOf(answer: Answer, network: v.InferOutput<typeof NetworkSchema>, address: Address): Network {
  return omitEmpty({
    asn: readAsn(network.asn) ?? readAsn(answer.asn),
    name: readText(network.name) ?? readText(answer.organisation),
    org: readText(answer.company.name),
    route: readRoute(network.route, address),
  });
}
