import * as v from "valibot";
import { httpSource } from "../http_source.ts";
import { anyFields, checkAddress, parseCount } from "../read_answer.ts";
import { omitEmpty, readNetwork, readTimestamp } from "../read_fields.ts";

/**
 * DShield, the firewall logs of the SANS Internet Storm Center (https://isc.sans.edu/api/): `count` is the number of
 * reported packets, `attacks` the number of addresses they were sent to. Null means "never reported", which says nothing.
 * Its `threatfeeds` are not read: they are lists of others, and many of them accuse nobody (Mastodon servers).
 */
export const dshield = httpSource({
  id: "dshield",
  name: "SANS ISC DShield",
  kind: "free",
  matters: ["abuse"],
  weight: 0.5,
  versions: [4],
  timeoutMs: 3500,
  noncommercial: true,
  needsContact: true,
  hosts: ["isc.sans.edu"],
  request: (address) => ({
    url: `https://isc.sans.edu/api/ip/${address.text}?json`,
    contentTypes: ["application/json", "text/json"],
    maxBytes: 131_072,
  }),
  answer: v.object({
    ip: v.object({
      number: v.string(),
      count: v.nullable(v.unknown()),
      attacks: v.nullable(v.unknown()),
      ...anyFields("maxdate", "as", "asname", "network"),
    }),
  }),
  read: ({ ip }, address) => {
    checkAddress(ip.number, address);
    const reports = parseCount(ip.count);
    const targets = parseCount(ip.attacks);
    const isReported = (reports ?? 0) > 0 || (targets ?? 0) > 0;
    return omitEmpty({
      asn: readNetwork({ asn: ip.as, name: ip.asname, route: ip.network }, address),
      abuse: omitEmpty({
        reports,
        attacks: targets === undefined || targets === 0 ? undefined : { port_scan: targets },
        lastSeen: isReported ? readTimestamp(ip.maxdate) : undefined,
      }),
    });
  },
});
