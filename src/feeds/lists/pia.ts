import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields, parseJson } from "./readers.ts";

/** Longest file; the list of servers is a single line. */
const MAX_LIST = 8_388_608;

const RegionsSchema = v.object({
  regions: v.array(v.object({ servers: v.record(v.string(), v.array(v.object({ ip: v.string() }))) })),
});

/** Private Internet Access: one line of JSON with the servers of each region by protocol, then its signature (https://github.com/pia-foss/manual-connections). */
export const pia = {
  id: "pia",
  name: "Private Internet Access",
  family: "pia",
  licence: "published facts, none stated",
  homepage: "https://www.privateinternetaccess.com/vpn-server",
  files: [{ url: "https://serverlist.piaservers.net/vpninfo/servers/v7", maxBytes: MAX_LIST }],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 100,
  maxRows: 20_000,
  parse: readRegions,
} as const satisfies Feed;

function readRegions(content: FeedContent, sink: FeedSink): FeedFacts {
  const text = content.text();
  const newline = text.indexOf("\n");
  const list = parseJson(newline < 0 ? text : text.slice(0, newline), "its first line is not JSON");
  const { regions } = parseFields(RegionsSchema, list);
  const servers = regions.flatMap((region) => Object.values(region.servers).flat());
  for (const ip of new Set(servers.map((server) => server.ip))) {
    sink.prefix(ip, { meaning: "vpn", label: "Private Internet Access" });
  }
  return {};
}
