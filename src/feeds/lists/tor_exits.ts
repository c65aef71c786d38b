import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** The Tor Project's list of addresses that exit traffic was seen from, IPv4 only (https://check.torproject.org/). */
export const torExits = {
  id: "tor_exits",
  name: "Tor bulk exit list",
  family: "tor",
  licence: "public data, none claimed",
  homepage: "https://check.torproject.org/",
  files: [{ url: "https://check.torproject.org/torbulkexitlist", maxBytes: 1_048_576 }],
  meanings: ["tor_exit"],
  authority: true,
  complete: [4],
  cadenceMs: 3_600_000,
  expiresMs: 86_400_000,
  minRows: 800,
  maxRows: 6_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "tor_exit" }),
} as const satisfies Feed;
