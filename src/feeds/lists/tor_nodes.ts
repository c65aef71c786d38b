import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";

const FOLDER = "https://raw.githubusercontent.com/alireza-rezaee/tor-nodes/main/";

/**
 * The Tor consensus as a list of relays, hourly, IPv6 included. "Exits" are relays with the Exit flag: they may
 * exit, and for IPv6 there is no better source. An exit is in both files, so it has both meanings.
 */
export const torNodes = {
  id: "tor_nodes",
  name: "Tor consensus",
  family: "tor",
  licence: "MIT; the data is public",
  homepage: "https://github.com/alireza-rezaee/tor-nodes",
  files: [
    { url: `${FOLDER}latest.exits.csv`, maxBytes: 4_194_304, contentTypes: ["text/plain"] },
    { url: `${FOLDER}latest.all.csv`, maxBytes: 8_388_608, contentTypes: ["text/plain"] },
  ],
  meanings: ["tor_exit", "tor_relay"],
  authority: true,
  cadenceMs: 3_600_000,
  expiresMs: 86_400_000,
  minRows: 8_000,
  maxRows: 120_000,
  parse: readRelays,
} as const satisfies Feed;

/** `fingerprint, ipaddr, port`, below a header line. */
function readRelays(content: FeedContent, sink: FeedSink): FeedFacts {
  const meaning = content.index === 0 ? "tor_exit" : "tor_relay";
  const lines = content.lines();
  const head = lines.next();
  if (head.done === true || !/^fingerprint\s*,\s*ip/i.test(head.value))
    throw new FeedError("it has another header");
  for (const line of lines) {
    const [, address, port] = line.split(",", 3);
    if (address === undefined || port === undefined) throw new FeedError("a line has too few fields");
    sink.prefix(address.replaceAll(/[[\]]/g, ""), { meaning });
  }
  return {};
}
