import * as v from "valibot";
import { httpSource } from "../http_source.ts";
import { anyObject, checkAddress, checkDetections } from "../read_answer.ts";
import { omitEmpty, readNetwork, readPlace } from "../read_fields.ts";

/** A boolean, which some versions of the service write as text. Any other value must not be read as "no". */
const detection = v.optional(
  v.nullable(
    v.pipe(
      v.union([v.boolean(), v.picklist(["true", "false"])]),
      v.transform((value) => value === true || value === "true"),
    ),
  ),
);

const FLAGS = ["is_mobile", "is_vpn", "is_tor", "is_proxy", "is_datacenter"] as const;

/**
 * ipquery.io (https://ipquery.io): a small operator, no key and no stated limit. Not read: its risk score, which
 * repeats its flags, and its coordinates, which are wrong when the place is unknown. Only a flag that is true counts: it
 * was measured to deny that exits of a VPN and of Tor are ones.
 */
export const ipquery = httpSource({
  id: "ipquery",
  name: "ipquery.io",
  kind: "commercial",
  matters: ["network", "location"],
  weight: 1,
  hosts: ["api.ipquery.io"],
  request: (address) => ({ url: `https://api.ipquery.io/${address.text}?format=json`, maxBytes: 32_768 }),
  answer: v.object({
    ip: v.string(),
    isp: anyObject("asn", "org", "isp"),
    location: anyObject("country_code", "state", "city", "timezone"),
    risk: v.object(v.entriesFromList(FLAGS, detection)),
  }),
  read: ({ ip, isp, location, risk }, address) => {
    checkAddress(ip, address);
    const asn = readNetwork({ asn: isp.asn, name: isp.isp, org: isp.org });
    const geo = readPlace(location.country_code, location.state, location.city, location.timezone);
    // For an unknown address the answer has AS0 and blanks, and every flag is false. Such flags do not mean "no".
    if (Object.keys(asn).length === 0 && Object.keys(geo).length === 0) return undefined;
    checkDetections(risk);
    const flags = omitEmpty({
      isProxy: onlyYes(risk.is_proxy),
      isVpn: onlyYes(risk.is_vpn),
      isTor: onlyYes(risk.is_tor),
      isHosting: onlyYes(risk.is_datacenter),
      isMobile: onlyYes(risk.is_mobile),
    });
    // Vendors copy Tor exits from Tor's own list.
    return omitEmpty({ flags, geo, asn, echoes: flags.isTor === true ? ["tor"] : [] });
  },
});

function onlyYes(value: boolean | null | undefined): true | undefined {
  return value === true ? true : undefined;
}
