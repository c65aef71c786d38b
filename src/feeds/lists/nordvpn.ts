import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const ServersSchema = v.array(v.object({ station: v.string(), ipv6_station: v.nullish(v.string()) }));

/**
 * NordVPN's servers. The full data is about 28 MB, so only two fields are requested, as the operator's
 * own client does (https://github.com/NordSecurity/nordvpn-linux). Some places are virtual, so they are not read.
 */
export const nordvpn = {
  id: "nordvpn",
  name: "NordVPN",
  family: "nordvpn",
  licence: "published facts, none stated",
  homepage: "https://nordvpn.com/servers/",
  files: [
    {
      url: "https://api.nordvpn.com/v1/servers?limit=16384&fields[servers.station]&fields[servers.ipv6_station]",
      maxBytes: 67_108_864,
    },
  ],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 1_000,
  maxRows: 60_000,
  parse: readServers,
} as const satisfies Feed;

function readServers(content: FeedContent, sink: FeedSink): FeedFacts {
  for (const { station, ipv6_station } of parseFields(ServersSchema, content.json())) {
    sink.prefix(station, { meaning: "vpn", label: "NordVPN" });
    if (ipv6_station) sink.prefix(ipv6_station, { meaning: "vpn", label: "NordVPN" });
  }
  return {};
}
