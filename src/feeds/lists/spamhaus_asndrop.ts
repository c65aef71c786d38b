import * as v from "valibot";
import { readCountry } from "#datasets";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { readSpamhausRows } from "./readers.ts";

const AsnRowSchema = v.object({
  asn: v.pipe(v.number(), v.integer()),
  cc: v.nullish(v.string()),
  asname: v.nullish(v.string()),
});

/** Spamhaus ASN-DROP: autonomous systems run by or for criminals. It accuses the AS, not each of its addresses. */
export const spamhausAsndrop = {
  id: "spamhaus_asndrop",
  name: "Spamhaus ASN-DROP",
  family: "spamhaus",
  licence: "free with credit, date and copyright kept with the data",
  attribution: "© The Spamhaus Project",
  homepage: "https://www.spamhaus.org/blocklists/do-not-route-or-peer/",
  files: [{ url: "https://www.spamhaus.org/drop/asndrop.json", maxBytes: 2_097_152 }],
  meanings: ["severe"],
  networks: true,
  cadenceMs: 86_400_000,
  minRows: 100,
  maxRows: 10_000,
  parse: readAsnDrop,
} as const satisfies Feed;

function readAsnDrop(content: FeedContent, sink: FeedSink): FeedFacts {
  return readSpamhausRows(content, AsnRowSchema, ({ asn, cc, asname }) => {
    const country = readCountry(cc ?? "");
    sink.network(asn, {
      meaning: "severe",
      ...(asname ? { name: asname } : {}),
      ...(country === undefined ? {} : { country }),
    });
  });
}
