import * as v from "valibot";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCount } from "./known_count.ts";
import { knownMoment } from "./known_moment.ts";
import { knownRoute } from "./known_route.ts";
import { knownText } from "./known_text.ts";

const anything = v.optional(v.unknown());

/**
 * DShield, the firewall logs of the SANS Internet Storm Center (https://isc.sans.edu/api/): `count` packets reported,
 * `attacks` addresses they were sent to. Null means never reported, which is no verdict. Its `threatfeeds` are other
 * people's lists, many of which only register what is there (open resolvers, Mastodon servers): they are not read.
 */
export const dshield = httpSource({
  id: "dshield",
  name: "SANS ISC DShield",
  kind: "free",
  family: "dshield",
  matters: ["abuse"],
  weight: 0.5,
  versions: [4],
  timeoutMs: 3500,
  noncommercial: true,
  needsContact: true,
  hosts: ["isc.sans.edu"],
  request: (address) => ({
    url: `https://isc.sans.edu/api/ip/${address.text}?json`,
    as: "json",
    contentTypes: ["application/json", "text/json"],
    maxBytes: 131_072,
    maxDepth: 8,
  }),
  answer: v.object({
    ip: v.object({
      number: v.string(),
      count: v.nullable(v.unknown()),
      attacks: v.nullable(v.unknown()),
      maxdate: anything,
      as: anything,
      asname: anything,
      network: anything,
    }),
  }),
  read: ({ ip }, address) => {
    if (parseAddress(ip.number)?.text !== address.text) throw new UpstreamError("shape", "another address");
    const reports = readCount(ip.count);
    const targets = readCount(ip.attacks);
    const isReported = (reports ?? 0) > 0 || (targets ?? 0) > 0;
    const observation = given({
      asn: given({
        asn: knownAsn(ip.as),
        name: knownText(ip.asname),
        route: knownRoute(ip.network, address),
      }),
      abuse: given({
        reports,
        attacks: targets === undefined || targets === 0 ? undefined : { port_scan: targets },
        lastSeen: isReported ? knownMoment(ip.maxdate) : undefined,
      }),
    });
    return Object.keys(observation).length === 0 ? undefined : observation;
  },
});

/** Null is "never reported"; what is neither that nor a count is another form of answer. */
function readCount(value: unknown): number | undefined {
  if (value === null) return undefined;
  const count = knownCount(value);
  if (count === undefined) throw new UpstreamError("shape", "not a count");
  return count;
}
