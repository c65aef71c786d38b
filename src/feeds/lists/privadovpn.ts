import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const ServersSchema = v.object({ servers: v.array(v.object({ ip: v.nullish(v.string()) })) });

/** PrivadoVPN's servers, which the operator exports every hour (https://privadovpn.com/apps/servers_export.json). */
export const privadovpn = {
  id: "privadovpn",
  name: "PrivadoVPN",
  family: "privadovpn",
  licence: "published facts, none stated",
  homepage: "https://privadovpn.com/servers/",
  files: [{ url: "https://privadovpn.com/apps/servers_export.json", maxBytes: 4_194_304 }],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 30,
  maxRows: 10_000,
  parse: readServers,
} as const satisfies Feed;

function readServers(content: FeedContent, sink: FeedSink): FeedFacts {
  const { servers } = parseFields(ServersSchema, content.json());
  for (const ip of new Set(servers.map((server) => server.ip))) {
    if (ip) sink.prefix(ip, { meaning: "vpn", label: "PrivadoVPN" });
  }
  return {};
}
