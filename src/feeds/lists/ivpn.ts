import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const GatewaysSchema = v.array(
  v.object({ hosts: v.array(v.object({ host: v.string(), v2ray: v.nullish(v.string()) })) }),
);
const ServersSchema = v.object({ wireguard: GatewaysSchema, openvpn: GatewaysSchema });

/**
 * IVPN's servers; a server may serve both protocols from one address, and V2Ray from another
 * (https://www.ivpn.net/status/). The IPv6 addresses in the file are internal ones.
 */
export const ivpn = {
  id: "ivpn",
  name: "IVPN",
  family: "ivpn",
  licence: "published facts, none stated",
  homepage: "https://www.ivpn.net/status/",
  files: [{ url: "https://api.ivpn.net/v5/servers.json", maxBytes: 4_194_304 }],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 30,
  maxRows: 5_000,
  parse: readServers,
} as const satisfies Feed;

function readServers(content: FeedContent, sink: FeedSink): FeedFacts {
  const { wireguard, openvpn } = parseFields(ServersSchema, content.json());
  const hosts = [...wireguard, ...openvpn].flatMap((gateway) => gateway.hosts);
  const texts = hosts.flatMap(({ host, v2ray }) => (v2ray ? [host, v2ray] : [host]));
  for (const text of new Set(texts)) sink.prefix(text, { meaning: "vpn", label: "IVPN" });
  return {};
}
