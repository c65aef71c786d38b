import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { OPEN_PROXY_LIST } from "./readers.ts";

const FOLDER = "https://raw.githubusercontent.com/databay-labs/free-proxy-list/master/";

/** `192.0.2.1:8080`, optionally with a scheme; `[2001:db8::1]:1080` for IPv6. */
const PROXY = /^(?:[a-z][a-z0-9]{2,6}:\/\/)?(?:\[([0-9a-f:.]{2,45})\]|([0-9.]{7,15})):\d{1,5}$/i;

/** Open proxies that answered within minutes, by protocol (https://github.com/databay-labs/free-proxy-list). */
export const databayProxies = {
  id: "databay_proxies",
  name: "Databay proxy list",
  family: "databay",
  licence: "MIT",
  attribution: "Databay Labs",
  homepage: "https://github.com/databay-labs/free-proxy-list",
  files: [
    { url: `${FOLDER}http.txt`, maxBytes: 4_194_304 },
    { url: `${FOLDER}https.txt`, maxBytes: 4_194_304, optional: true },
    { url: `${FOLDER}socks5.txt`, maxBytes: 4_194_304, optional: true },
  ],
  ...OPEN_PROXY_LIST,
  parse: readProxies,
} as const satisfies Feed;

function readProxies(content: FeedContent, sink: FeedSink): FeedFacts {
  const found = new Set<string>();
  let isFirst = true;
  for (const line of content.lines()) {
    if (line.startsWith("#")) continue;
    const [, ipv6, ipv4] = PROXY.exec(line) ?? [];
    const text = ipv6 ?? ipv4;
    if (isFirst && text === undefined) throw new FeedError("the first of its rows is not a proxy");
    isFirst = false;
    // An empty text counts as a malformed row.
    found.add(text ?? "");
  }
  for (const text of found) sink.prefix(text, { meaning: "proxy", label: "open proxy" });
  return {};
}
