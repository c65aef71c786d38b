import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { OPEN_PROXY_LIST, parseFields } from "./readers.ts";

/**
 * Proxies may leave through one gateway, but an exit of more proxies than this is taken for the checker's own address:
 * the answer of a server that forwards nothing, or of a transparent proxy.
 */
const MAX_PROXIES_OF_EXIT = 16;

const ProxiesSchema = v.array(v.object({ exit_ip: v.nullish(v.string()) }));

/**
 * Open proxies that answered within the last hour, with the address that their traffic left from
 * (https://github.com/monosans/proxy-list). The listening address is not read: it may be a gateway or a CDN.
 */
export const monosansProxies = {
  id: "monosans_proxies",
  name: "monosans proxy list",
  family: "monosans",
  licence: "MIT",
  attribution: "monosans",
  homepage: "https://github.com/monosans/proxy-list",
  files: [
    {
      url: "https://raw.githubusercontent.com/monosans/proxy-list/main/proxies.json",
      maxBytes: 33_554_432,
    },
  ],
  ...OPEN_PROXY_LIST,
  parse: readProxies,
} as const satisfies Feed;

function readProxies(content: FeedContent, sink: FeedSink): FeedFacts {
  const exits = new Map<string, number>();
  for (const { exit_ip: exit } of parseFields(ProxiesSchema, content.json())) {
    if (exit) exits.set(exit, (exits.get(exit) ?? 0) + 1);
  }
  for (const [exit, proxies] of exits) {
    if (proxies <= MAX_PROXIES_OF_EXIT) sink.prefix(exit, { meaning: "proxy", label: "open proxy" });
  }
  return {};
}
