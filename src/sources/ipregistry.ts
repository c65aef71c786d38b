import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import type { UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCountry } from "./known_country.ts";
import { knownRoute } from "./known_route.ts";
import { knownText } from "./known_text.ts";
import { knownTimezone } from "./known_timezone.ts";

/** Credits do not come back by themselves. */
const SPENT_MS = 3_600_000;

const USAGE_OF = new Map<string, UsageType>([
  ["isp", "residential"],
  ["business", "business"],
  ["hosting", "hosting"],
  ["education", "education"],
  ["government", "government"],
]);

const detection = v.optional(v.nullable(v.boolean()));
const anything = v.optional(v.unknown());
const named = v.fallback(v.object({ code: anything, name: anything }), {});

/** https://ipregistry.co/docs/errors */
const ErrorSchema = v.object({ code: v.string() });
const REFUSALS: ReadonlySet<string> = new Set([
  "DISABLED_API_KEY",
  "FORBIDDEN_IP",
  "FORBIDDEN_IP_ORIGIN",
  "FORBIDDEN_ORIGIN",
  "INVALID_API_KEY",
  "MISSING_API_KEY",
]);

const AnswerSchema = v.object({
  ip: v.string(),
  carrier: v.fallback(v.object({ name: anything }), {}),
  company: v.fallback(v.object({ name: anything, type: anything }), {}),
  connection: v.fallback(
    v.object({ asn: anything, organization: anything, route: anything, type: anything }),
    {},
  ),
  location: v.fallback(v.object({ country: named, region: named, city: anything }), {
    country: {},
    region: {},
  }),
  time_zone: v.fallback(v.object({ id: anything }), {}),
  security: v.object({
    is_abuser: detection,
    is_attacker: detection,
    is_bogon: detection,
    is_cloud_provider: detection,
    is_proxy: detection,
    is_relay: detection,
    is_tor: detection,
    is_tor_exit: detection,
    is_vpn: detection,
  }),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * Ipregistry (https://ipregistry.co/docs), one prepaid credit a question: whoever has a small account sets its daily
 * budget. `is_anonymous` and `is_threat` only repeat other marks. `is_tor` is said of every relay, `is_tor_exit` of
 * those that traffic leaves by, so the latter decides where it is given.
 */
export const ipregistry = httpSource({
  id: "ipregistry",
  name: "Ipregistry",
  kind: "commercial",
  family: "ipregistry",
  matters: ["network", "location", "anonymity", "abuse"],
  weight: 2,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  scarce: true,
  hosts: ["api.ipregistry.co"],
  request: (address, secret) => ({
    url: `https://api.ipregistry.co/${address.text}`,
    headers: { authorization: `ApiKey ${secret ?? ""}` },
    as: "json",
    statuses: [400, 401, 402, 403],
    maxBytes: 65_536,
    maxDepth: 8,
  }),
  answer: v.union([AnswerSchema, ErrorSchema]),
  read: (answer, address) => ("code" in answer ? readError(answer.code, 200) : observe(answer, address)),
  readStatus: (status, body) => readError(v.is(ErrorSchema, body) ? body.code : "", status),
});

function readError(code: string, status: number): Observation | undefined {
  if (code === "RESERVED_IP_ADDRESS") return undefined;
  if (code === "INSUFFICIENT_CREDITS") {
    throw new UpstreamError("quota", "no credit left", { retryAfterMs: SPENT_MS });
  }
  if (code === "TOO_MANY_REQUESTS") throw new UpstreamError("quota", "too many at once");
  if (REFUSALS.has(code) || status === 401 || status === 403) throw accessDenied();
  if (code === "INTERNAL") throw new UpstreamError("unavailable", "internal error");
  if (code !== "") throw new UpstreamError("shape", "question not accepted");
  throw new UpstreamError("status", `HTTP ${status}`);
}

function observe(answer: Answer, address: Address): Observation | undefined {
  if (parseAddress(answer.ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
  const { security, location, company, connection } = answer;
  if (security.is_bogon === true) return undefined;
  const isMobile = knownText(answer.carrier.name) === undefined ? undefined : true;
  const types = [company.type, connection.type].flatMap((type) => knownText(type)?.toLowerCase() ?? []);
  const usage = types.map((type) => USAGE_OF.get(type)).find((type) => type !== undefined);
  const observation = given({
    flags: given({
      isProxy: security.is_proxy ?? undefined,
      isVpn: security.is_vpn ?? undefined,
      isTor: security.is_tor_exit ?? security.is_tor ?? undefined,
      isHosting: security.is_cloud_provider ?? undefined,
      isRelay: security.is_relay ?? undefined,
      isMobile,
    }),
    usage: isMobile === true ? "mobile" : usage,
    geo: given({
      country: knownCountry(location.country.code),
      region: knownText(location.region.name),
      city: knownText(location.city),
      timezone: knownTimezone(answer.time_zone.id),
    }),
    asn: given({
      asn: knownAsn(connection.asn),
      name: knownText(connection.organization),
      org: knownText(company.name),
      route: knownRoute(connection.route, address),
    }),
    abuse: abuseOf(security),
  });
  if (Object.keys(observation).length === 0) return undefined;
  if (Object.values(security).every((value) => value === null || value === undefined)) {
    throw new UpstreamError("shape", "no detections");
  }
  return observation;
}

/** A mark counts once: the vendor gives no number for it. */
function abuseOf(security: Answer["security"]): AbuseRecord {
  return given({
    attacks: given({
      attack: security.is_attacker === true ? 1 : undefined,
      abuse: security.is_abuser === true ? 1 : undefined,
    }),
  });
}
