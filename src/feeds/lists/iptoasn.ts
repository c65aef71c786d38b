import { formatAsnRow } from "#datasets";
import type { FeedFacts, TableFeed, TableSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";

/** iptoasn: which AS announces which range, IPv4 and IPv6, published every hour (https://iptoasn.com/). */
export const iptoasn = {
  id: "iptoasn",
  name: "IPtoASN",
  family: "routeviews",
  licence: "PDDL 1.0",
  homepage: "https://iptoasn.com/",
  files: [
    {
      url: "https://iptoasn.com/data/ip2asn-combined.tsv.gz",
      maxBytes: 50_331_648,
      unpackedBytes: 134_217_728,
    },
  ],
  table: "asn",
  revision: 1,
  cadenceMs: 86_400_000,
  expiresMs: 2_592_000_000,
  minRanges: { ipv4: 200_000, ipv6: 40_000 },
  maxRanges: 3_000_000,
  parse: readOrigins,
} as const satisfies TableFeed;

/** `first<TAB>last<TAB>AS number<TAB>country<TAB>name`; AS 0 means "not routed" (RFC 7607). */
function readOrigins(content: FeedContent, sink: TableSink): FeedFacts {
  const values = new Map<string, string>();
  for (const line of content.lines()) {
    const [first = "", last = "", asn = "", , name = ""] = line.split("\t", 5);
    if (asn === "0") continue;
    if (!/^[1-9][0-9]{0,9}$/.test(asn) || Number(asn) > 0xffff_ffff) {
      sink.malformed();
      continue;
    }
    let value = values.get(asn);
    if (value === undefined) {
      value = formatAsnRow({ asn: Number(asn), name });
      values.set(asn, value);
    }
    sink.range(first, last, value);
  }
  return {};
}
