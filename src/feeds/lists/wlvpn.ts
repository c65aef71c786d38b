import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";

/** One server: `<server name="…" ip="192.0.2.1" status="1" visible="1" />`, its attributes in any order. */
const SERVER = /<server\s([^<>]{0,2048})>/g;
const ADDRESS = /(?:^|\s)ip\s*=\s*["']([0-9a-fA-F:.]{2,45})["']/;

/**
 * The server network that WLVPN rents to brands such as IPVanish, StrongVPN and FastVPN. The operator publishes it as
 * XML (https://api.wlvpn.com/v2/list/wlvpnserverList.xml). Servers in maintenance are listed too.
 */
export const wlvpn = {
  id: "wlvpn",
  name: "WLVPN (IPVanish)",
  family: "wlvpn",
  licence: "published facts, none stated",
  homepage: "https://wlvpn.com/",
  files: [{ url: "https://api.wlvpn.com/v2/list/wlvpnserverList.xml", maxBytes: 16_777_216 }],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 500,
  maxRows: 30_000,
  parse: readServers,
} as const satisfies Feed;

function readServers(content: FeedContent, sink: FeedSink): FeedFacts {
  const found = new Set<string>();
  let servers = 0;
  for (const [, attributes = ""] of content.text().matchAll(SERVER)) {
    servers++;
    const ip = ADDRESS.exec(attributes)?.[1];
    if (ip !== undefined) found.add(ip);
  }
  if (servers === 0) throw new FeedError("it has no servers");
  if (found.size === 0) throw new FeedError("its servers have no addresses");
  for (const ip of found) sink.prefix(ip, { meaning: "vpn", label: "WLVPN (IPVanish)" });
  return {};
}
