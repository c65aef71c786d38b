import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const ServersSchema = v.object({
  servers: v.array(
    v.object({
      station: v.nullish(v.string()),
      ipv6_station: v.nullish(v.string()),
      ips: v.optional(v.array(v.object({ ip: v.object({ ip: v.string() }) })), []),
    }),
  ),
});

/**
 * NordVPN's servers, in version 2 of the operator's API: it names groups and technologies once, so it is smaller than
 * version 1, and a server has all its addresses in `ips` (https://api.nordvpn.com/v2/servers). Some places are virtual,
 * so they are not read.
 */
export const nordvpn = {
  id: "nordvpn",
  name: "NordVPN",
  family: "nordvpn",
  licence: "published facts, none stated",
  homepage: "https://nordvpn.com/servers/",
  files: [{ url: "https://api.nordvpn.com/v2/servers?limit=0", maxBytes: 67_108_864 }],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 1_000,
  maxRows: 100_000,
  parse: readServers,
} as const satisfies Feed;

function readServers(content: FeedContent, sink: FeedSink): FeedFacts {
  const { servers } = parseFields(ServersSchema, content.json());
  const texts = servers.flatMap(({ station, ipv6_station, ips }) => [
    station,
    ipv6_station,
    ...ips.map(({ ip }) => ip.ip),
  ]);
  for (const text of new Set(texts)) {
    if (text) sink.prefix(text, { meaning: "vpn", label: "NordVPN" });
  }
  return {};
}
