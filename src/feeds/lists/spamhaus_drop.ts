import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { readSpamhausRows } from "./readers.ts";

const DropRowSchema = v.object({ cidr: v.string() });

/** Spamhaus DROP: netblocks that are hijacked or run by criminals, "do not route or peer" (https://www.spamhaus.org/blocklists/do-not-route-or-peer/). */
export const spamhausDrop = {
  id: "spamhaus_drop",
  name: "Spamhaus DROP",
  family: "spamhaus",
  licence: "free with credit, date and copyright kept with the data",
  attribution: "© The Spamhaus Project",
  homepage: "https://www.spamhaus.org/blocklists/do-not-route-or-peer/",
  delistUrl: "https://check.spamhaus.org/results/?query={ip}",
  files: [
    { url: "https://www.spamhaus.org/drop/drop_v4.json", maxBytes: 4_194_304 },
    { url: "https://www.spamhaus.org/drop/drop_v6.json", maxBytes: 2_097_152 },
  ],
  meanings: ["severe"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 400,
  maxRows: 20_000,
  parse: readDrop,
} as const satisfies Feed;

function readDrop(content: FeedContent, sink: FeedSink): FeedFacts {
  return readSpamhausRows(content, DropRowSchema, ({ cidr }) => sink.prefix(cidr, { meaning: "severe" }));
}
