import * as v from "valibot";
import type { RangeInfo } from "#datasets";
import type { FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

/**
 * Proxies may leave through one gateway, but an exit of more proxies than this is taken for the checker's own address:
 * the answer of a server that forwards nothing, or of a transparent proxy.
 */
const MAX_PROXIES_OF_EXIT = 16;

const ExitsSchema = v.array(v.object({ exit_ip: v.nullish(v.string()) }));

/** JSON with the address that the traffic of each proxy left from. */
export function readProxyExits(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const exits = new Map<string, number>();
  for (const { exit_ip: exit } of parseFields(ExitsSchema, content.json())) {
    if (exit) exits.set(exit, (exits.get(exit) ?? 0) + 1);
  }
  for (const [exit, proxies] of exits) if (proxies <= MAX_PROXIES_OF_EXIT) sink.prefix(exit, info);
  return {};
}

/** `192.0.2.1:8080`, optionally with a scheme; `[2001:db8::1]:1080` for IPv6. */
const PROXY = /^(?:[a-z][a-z0-9]{2,6}:\/\/)?(?:\[([0-9a-f:.]{2,45})\]|([0-9.]{7,15})):\d{1,5}$/i;

export function readProxies(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const found = new Set<string>();
  for (const line of content.lines()) {
    if (line.startsWith("#")) continue;
    const [, ipv6, ipv4] = PROXY.exec(line) ?? [];
    const text = ipv6 ?? ipv4;
    if (found.size === 0 && text === undefined) throw new FeedError("the first of its rows is not a proxy");
    // An empty text counts as a malformed row.
    found.add(text ?? "");
  }
  for (const text of found) sink.prefix(text, info);
  return {};
}
