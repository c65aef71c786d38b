import * as v from "valibot";
import { httpSource } from "../http_source.ts";
import { anyFields, checkAddress } from "../read_answer.ts";
import { omitEmpty, readCountry, readNetwork } from "../read_fields.ts";

/**
 * IPinfo Lite (https://ipinfo.io/developers/lite-api, CC BY-SA 4.0: "IP address data powered by IPinfo"): country and
 * network, nothing about proxies or VPNs. It states no quota.
 */
export const ipinfoLite = httpSource({
  id: "ipinfo_lite",
  name: "IPinfo Lite",
  kind: "commercial",
  family: "ipinfo",
  matters: ["network", "location"],
  weight: 1,
  secret: "required",
  hosts: ["api.ipinfo.io"],
  request: (address, secret) => ({
    url: `https://api.ipinfo.io/lite/${address.text}?token=${encodeURIComponent(secret ?? "")}`,
    maxBytes: 16_384,
    maxDepth: 4,
  }),
  answer: v.object({
    ip: v.string(),
    bogon: v.optional(v.boolean()),
    ...anyFields("country_code", "asn", "as_name"),
  }),
  read: ({ ip, bogon, country_code, asn, as_name }, address) => {
    checkAddress(ip, address);
    if (bogon === true) return undefined;
    return omitEmpty({
      geo: omitEmpty({ country: readCountry(country_code) }),
      asn: readNetwork({ asn, name: as_name }),
    });
  },
});
