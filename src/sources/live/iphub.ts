import * as v from "valibot";
import type { Observation } from "#evidence";
import { httpSource } from "../http_source.ts";
import { anyFields, checkAddress } from "../read_answer.ts";
import { omitEmpty, readCountry, readNetwork } from "../read_fields.ts";

/**
 * IPHub (https://iphub.info/api): whether a site should block the address. `block` 1 = not a residential line: hosting,
 * a proxy, a VPN, which it does not tell apart, so it is read as hosting. 0 = residential or not classified, and 2 =
 * both kinds of users; neither says anything about the address.
 */
export const iphub = httpSource({
  id: "iphub",
  name: "IPHub",
  kind: "commercial",
  matters: ["network", "location"],
  weight: 1,
  secret: "required",
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["v2.api.iphub.info"],
  request: (address, secret) => ({
    url: `https://v2.api.iphub.info/ip/${address.text}`,
    headers: { "x-key": secret ?? "" },
    maxBytes: 16_384,
    maxDepth: 4,
  }),
  answer: v.object({
    ip: v.string(),
    block: v.picklist([0, 1, 2]),
    ...anyFields("countryCode", "asn", "isp"),
  }),
  read: ({ ip, block, countryCode, asn, isp }, address): Observation | undefined => {
    checkAddress(ip, address);
    return omitEmpty({
      flags: omitEmpty({ isHosting: block === 1 ? true : undefined }),
      geo: omitEmpty({ country: readCountry(countryCode) }),
      asn: readNetwork({ asn, name: isp }),
    });
  },
});
