import * as v from "valibot";
import type { Address } from "#address";
import type { Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import {
  accessDenied,
  anyField,
  anyObject,
  booleans,
  checkAddress,
  requireDetections,
} from "../read_answer.ts";
import {
  COMPANY_USES,
  countOnce,
  omitEmpty,
  readNetwork,
  readPlace,
  readText,
  readUsage,
} from "../read_fields.ts";

/** The pause when the credit is used up: the operator has to buy more. */
const SPENT_MS = 3_600_000;

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
  security: v.object({
    ...booleans("is_abuser", "is_attacker", "is_bogon", "is_cloud_provider"),
    ...booleans("is_proxy", "is_relay", "is_tor", "is_tor_exit", "is_vpn"),
  }),
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
  matters: ["network", "location", "anonymity", "abuse"],
  weight: 2,
  secret: "required",
  scarce: true,
  hosts: ["api.ipregistry.co"],
  request: (address, secret) => ({
    url: `https://api.ipregistry.co/${address.text}`,
    headers: { authorization: `ApiKey ${secret ?? ""}` },
    statuses: [400, 402],
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
  const usage = readUsage(COMPANY_USES, company.type, connection.type);
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
    abuse: omitEmpty({ attacks: countOnce({ attack: security.is_attacker, abuse: security.is_abuser }) }),
  });
  return requireDetections(observation, security);
}
