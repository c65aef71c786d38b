import * as v from "valibot";
import type { Address } from "#address";
import type { Observation } from "#evidence";
import { httpSource } from "../http_source.ts";
import { anyFields, anyObject, booleans, checkAddress, requireDetections } from "../read_answer.ts";
import { COMPANY_USES, omitEmpty, readNetwork, readPlace, readText, readUsage } from "../read_fields.ts";

const NotFoundSchema = v.object({ error: v.literal("Not found") });

const AnswerSchema = v.object({
  ip: v.string(),
  ...anyFields("country_code", "subdivision", "city", "time_zone", "is_anycast", "is_satellite"),
  asn: anyObject("asn", "route", "netname", "name", "type"),
  company: anyObject("name", "type"),
  privacy: v.object({ ...booleans("is_hosting", "is_icloud_relay", "is_proxy", "is_tor", "is_vpn") }),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * IPLocate (https://www.iplocate.io/docs). Not read: `is_abuser`, which comes from public lists and does not name them,
 * and `is_anonymous`, which repeats the other flags. Its `is_proxy` is true for carrier-grade NAT, so it is ignored for
 * an access network.
 */
export const iplocate = httpSource({
  id: "iplocate",
  name: "IPLocate",
  kind: "commercial",
  matters: ["network", "location", "anonymity"],
  weight: 1.5,
  secret: "required",
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["iplocate.io"],
  request: (address, secret) => ({
    url: `https://iplocate.io/api/lookup/${address.text}`,
    headers: { "x-api-key": secret ?? "" },
  }),
  answer: AnswerSchema,
  read: observe,
  notFound: NotFoundSchema,
});

function observe(answer: Answer, address: Address): Observation | undefined {
  checkAddress(answer.ip, address);
  const { privacy, asn, company } = answer;
  const types = [company.type, asn.type].map((type) => readText(type)?.toLowerCase());
  const isAccess = types.includes("isp") && privacy.is_hosting !== true;
  const flags = omitEmpty({
    isProxy: privacy.is_proxy === true && isAccess ? undefined : (privacy.is_proxy ?? undefined),
    isVpn: privacy.is_vpn ?? undefined,
    isTor: privacy.is_tor ?? undefined,
    isHosting: privacy.is_hosting ?? undefined,
    isRelay: privacy.is_icloud_relay ?? undefined,
  });
  const observation = omitEmpty({
    flags,
    // Vendors copy exits of Tor and of the relay from their operators' own lists.
    echoes: [...(flags.isTor === true ? ["tor"] : []), ...(flags.isRelay === true ? ["apple"] : [])],
    usage: readUsage(COMPANY_USES, company.type, asn.type),
    geo: readPlace(answer.country_code, answer.subdivision, answer.city, answer.time_zone),
    asn: readNetwork({ asn: asn.asn, name: asn.name, org: company.name, route: asn.route }, address),
    anycast: answer.is_anycast === true ? (true as const) : undefined,
    satellite: answer.is_satellite === true ? (true as const) : undefined,
  });
  return requireDetections(observation, privacy);
}
