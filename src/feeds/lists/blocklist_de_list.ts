import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** Addresses that attacked members of blocklist.de in the last 48 hours (https://www.blocklist.de/en/export.html). */
export const blocklistDeList = {
  id: "blocklist_de_list",
  name: "blocklist.de export",
  family: "blocklist_de",
  licence: "free, credit welcome",
  attribution: "blocklist.de",
  homepage: "https://www.blocklist.de/en/export.html",
  delistUrl: "https://www.blocklist.de/en/delist.html?ip={ip}",
  files: [{ url: "https://lists.blocklist.de/lists/all.txt", maxBytes: 8_388_608 }],
  meanings: ["abuse"],
  cadenceMs: 3_600_000,
  expiresMs: 172_800_000,
  minRows: 2_000,
  maxRows: 200_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "abuse" }),
} as const satisfies Feed;
