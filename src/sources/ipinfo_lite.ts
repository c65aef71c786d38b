import * as v from "valibot";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCountry } from "./known_country.ts";
import { knownText } from "./known_text.ts";

const anything = v.optional(v.unknown());

/**
 * IPinfo Lite (https://ipinfo.io/developers/lite-api, CC BY-SA 4.0: "IP address data powered by IPinfo"): country and
 * network, nothing about who hides behind it. No quota is stated.
 */
export const ipinfoLite = httpSource({
  id: "ipinfo_lite",
  name: "IPinfo Lite",
  kind: "commercial",
  family: "ipinfo",
  matters: ["network", "location"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  hosts: ["api.ipinfo.io"],
  request: (address, secret) => ({
    url: `https://api.ipinfo.io/lite/${address.text}?token=${encodeURIComponent(secret ?? "")}`,
    as: "json",
    statuses: [401, 403],
    maxBytes: 16_384,
    maxDepth: 4,
  }),
  answer: v.object({
    ip: v.string(),
    bogon: v.optional(v.boolean()),
    country_code: anything,
    asn: anything,
    as_name: anything,
  }),
  read: ({ ip, bogon, country_code, asn, as_name }, address) => {
    if (parseAddress(ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
    if (bogon === true) return undefined;
    const observation = given({
      geo: given({ country: knownCountry(country_code) }),
      asn: given({ asn: knownAsn(asn), name: knownText(as_name) }),
    });
    return Object.keys(observation).length === 0 ? undefined : observation;
  },
  readStatus: (status) => {
    if (status === 401 || status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});
