import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { Observation } from "#evidence";
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

const USAGE_OF = new Map<string, UsageType>([
  ["isp", "residential"],
  ["business", "business"],
  ["hosting", "hosting"],
  ["education", "education"],
  ["government", "government"],
]);

const detection = v.optional(v.nullable(v.boolean()));
const anything = v.optional(v.unknown());

const NotFoundSchema = v.object({ error: v.literal("Not found") });

const AnswerSchema = v.object({
  ip: v.string(),
  country_code: anything,
  subdivision: anything,
  city: anything,
  time_zone: anything,
  asn: v.fallback(
    v.object({ asn: anything, route: anything, netname: anything, name: anything, type: anything }),
    {},
  ),
  company: v.fallback(v.object({ name: anything, type: anything }), {}),
  privacy: v.object({
    is_hosting: detection,
    is_icloud_relay: detection,
    is_proxy: detection,
    is_tor: detection,
    is_vpn: detection,
  }),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * IPLocate (https://www.iplocate.io/docs). Its `is_abuser` is public lists without their names and `is_anonymous`
 * repeats the other flags: neither is read. Its `is_proxy` fires on carrier-grade NAT, so it is no word about an
 * access network.
 */
export const iplocate = httpSource({
  id: "iplocate",
  name: "IPLocate",
  kind: "commercial",
  family: "iplocate",
  matters: ["network", "location", "anonymity"],
  weight: 1.5,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["iplocate.io"],
  request: (address, secret) => ({
    url: `https://iplocate.io/api/lookup/${address.text}`,
    headers: { "x-api-key": secret ?? "" },
    as: "json",
    statuses: [401, 403, 404],
    maxBytes: 65_536,
    maxDepth: 8,
  }),
  answer: AnswerSchema,
  read: observe,
  readStatus: (status, body) => {
    if (status === 404 && v.is(NotFoundSchema, body)) return undefined;
    if (status === 401 || status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

function observe(answer: Answer, address: Address): Observation | undefined {
  if (parseAddress(answer.ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
  const { privacy, asn, company } = answer;
  const types = [company.type, asn.type].flatMap((type) => knownText(type)?.toLowerCase() ?? []);
  const isAccess = types.includes("isp") && privacy.is_hosting !== true;
  const flags = given({
    isProxy: privacy.is_proxy === true && isAccess ? undefined : (privacy.is_proxy ?? undefined),
    isVpn: privacy.is_vpn ?? undefined,
    isTor: privacy.is_tor ?? undefined,
    isHosting: privacy.is_hosting ?? undefined,
    isRelay: privacy.is_icloud_relay ?? undefined,
  });
  const observation = given({
    flags,
    // Exits of Tor and of the relay are known from their operators' own lists, whoever names them.
    echoes: [...(flags.isTor === true ? ["tor"] : []), ...(flags.isRelay === true ? ["apple"] : [])],
    usage: types.map((type) => USAGE_OF.get(type)).find((type) => type !== undefined),
    geo: given({
      country: knownCountry(answer.country_code),
      region: knownText(answer.subdivision),
      city: knownText(answer.city),
      timezone: knownTimezone(answer.time_zone),
    }),
    asn: given({
      asn: knownAsn(asn.asn),
      name: knownText(asn.name),
      org: knownText(company.name),
      route: knownRoute(asn.route, address),
    }),
  });
  const isSaid = Object.keys(observation).length > 0;
  if (isSaid && Object.values(privacy).every((value) => value === null || value === undefined)) {
    throw new UpstreamError("shape", "no detections");
  }
  return isSaid ? observation : undefined;
}
