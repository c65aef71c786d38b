import * as v from "valibot";
import type { Address } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import type { UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import {
  accessDenied,
  anyField,
  anyObject,
  booleans,
  checkAddress,
  checkDetections,
  isSilent,
} from "../read_answer.ts";
import { omitEmpty, readNetwork, readPlace, readText, readUsage } from "../read_fields.ts";

/** The pause when the credit is used up: the operator has to buy more. */
const SPENT_MS = 3_600_000;

const USAGE_OF = new Map<string, UsageType>([
  ["isp", "residential"],
  ["business", "business"],
  ["hosting", "hosting"],
  ["education", "education"],
  ["government", "government"],
]);

const named = anyObject("code", "name");

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
  carrier: anyObject("name"),
  company: anyObject("name", "type"),
  connection: anyObject("asn", "organization", "route", "type"),
  location: v.fallback(v.object({ country: named, region: named, city: anyField }), {
    country: {},
    region: {},
  }),
  time_zone: anyObject("id"),
  security: v.object(
    booleans(
      "is_abuser",
      "is_attacker",
      "is_bogon",
      "is_cloud_provider",
      "is_proxy",
      "is_relay",
      "is_tor",
      "is_tor_exit",
      "is_vpn",
    ),
  ),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * Ipregistry (https://ipregistry.co/docs), one prepaid credit for each request: operators with a small account set its
 * daily budget. `is_anonymous` and `is_threat` repeat other flags and are not read. `is_tor` is true for every relay and
 * `is_tor_exit` for exits only, so the latter is used where it is present.
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
    statuses: [400, 401, 402, 403],
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
  checkAddress(answer.ip, address);
  const { security, location, company, connection } = answer;
  if (security.is_bogon === true) return undefined;
  const isMobile = readText(answer.carrier.name) === undefined ? undefined : true;
  const usage = readUsage(USAGE_OF, company.type, connection.type);
  const observation = omitEmpty({
    flags: omitEmpty({
      isProxy: security.is_proxy ?? undefined,
      isVpn: security.is_vpn ?? undefined,
      isTor: security.is_tor_exit ?? security.is_tor ?? undefined,
      isHosting: security.is_cloud_provider ?? undefined,
      isRelay: security.is_relay ?? undefined,
      isMobile,
    }),
    usage: isMobile === true ? "mobile" : usage,
    geo: readPlace(location.country.code, location.region.name, location.city, answer.time_zone.id),
    asn: readNetwork(
      { asn: connection.asn, name: connection.organization, org: company.name, route: connection.route },
      address,
    ),
    abuse: abuseOf(security),
  });
  if (isSilent(observation)) return undefined;
  checkDetections(security);
  return observation;
}

/** The vendor gives no numbers, so each detection counts once. */
function abuseOf(security: Answer["security"]): AbuseRecord {
  return omitEmpty({
    attacks: omitEmpty({
      attack: security.is_attacker === true ? 1 : undefined,
      abuse: security.is_abuser === true ? 1 : undefined,
    }),
  });
}
