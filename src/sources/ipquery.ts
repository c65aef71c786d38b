import * as v from "valibot";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCountry } from "./known_country.ts";
import { knownText } from "./known_text.ts";
import { knownTimezone } from "./known_timezone.ts";

/** A yes or no, by some versions of the service written as a word; another form must not be read as "no". */
const detection = v.optional(
  v.nullable(
    v.pipe(
      v.union([v.boolean(), v.picklist(["true", "false"])]),
      v.transform((value) => value === true || value === "true"),
    ),
  ),
);
const anything = v.optional(v.unknown());

/**
 * ipquery.io (https://ipquery.io): one small operator, keyless and without a stated limit. Its risk score repeats its
 * flags, and its coordinates are those of no place when it knows none: neither is read.
 */
export const ipquery = httpSource({
  id: "ipquery",
  name: "ipquery.io",
  kind: "commercial",
  family: "ipquery",
  matters: ["network", "location", "anonymity"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3000,
  hosts: ["api.ipquery.io"],
  request: (address) => ({
    url: `https://api.ipquery.io/${address.text}?format=json`,
    as: "json",
    maxBytes: 32_768,
    maxDepth: 8,
  }),
  answer: v.object({
    ip: v.string(),
    isp: v.fallback(v.object({ asn: anything, org: anything, isp: anything }), {}),
    location: v.fallback(
      v.object({ country_code: anything, state: anything, city: anything, timezone: anything }),
      {},
    ),
    risk: v.object({
      is_mobile: detection,
      is_vpn: detection,
      is_tor: detection,
      is_proxy: detection,
      is_datacenter: detection,
    }),
  }),
  read: ({ ip, isp, location, risk }, address) => {
    if (parseAddress(ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
    const asn = given({ asn: knownAsn(isp.asn), name: knownText(isp.isp), org: knownText(isp.org) });
    const geo = given({
      country: knownCountry(location.country_code),
      region: knownText(location.state),
      city: knownText(location.city),
      timezone: knownTimezone(location.timezone),
    });
    // An address nobody knows comes with AS0, blanks and every flag false: that "no" is no word.
    if (Object.keys(asn).length === 0 && Object.keys(geo).length === 0) return undefined;
    const flags = given({
      isProxy: risk.is_proxy ?? undefined,
      isVpn: risk.is_vpn ?? undefined,
      isTor: risk.is_tor ?? undefined,
      isHosting: risk.is_datacenter ?? undefined,
      isMobile: risk.is_mobile ?? undefined,
    });
    if (Object.keys(flags).length === 0) throw new UpstreamError("shape", "no detections");
    // Exits of Tor are known from Tor's own list, whoever names them.
    return given({ flags, geo, asn, echoes: flags.isTor === true ? ["tor"] : [] });
  },
});
