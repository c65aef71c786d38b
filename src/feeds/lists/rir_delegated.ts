import { readCountry } from "#datasets";
import type { FeedFacts, TableFeed, TableSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { dateFact } from "./readers.ts";

/** The five registries as they name themselves, in the order of the files. */
const REGISTRIES = ["arin", "ripencc", "apnic", "lacnic", "afrinic"] as const;

/** Codes in the country column that are regions. */
const REGIONS: ReadonlySet<string> = new Set(["EU", "AP"]);

const MAX_BYTES = 67_108_864;

/**
 * The extended statistics of the five registries: the country of every holder, which is not the place of use
 * (https://www.nro.net/wp-content/uploads/nro-extended-stats-readme5.txt).
 */
export const rirDelegated = {
  id: "rir_delegated",
  name: "RIR statistics",
  family: "rir",
  licence: "free use",
  attribution: "ARIN, RIPE NCC, APNIC, LACNIC, AFRINIC",
  homepage: "https://www.nro.net/about/rirs/statistics/",
  files: [
    "https://ftp.arin.net/pub/stats/arin/delegated-arin-extended-latest",
    "https://ftp.ripe.net/pub/stats/ripencc/delegated-ripencc-extended-latest",
    "https://ftp.apnic.net/stats/apnic/delegated-apnic-extended-latest",
    "https://ftp.lacnic.net/pub/stats/lacnic/delegated-lacnic-extended-latest",
    "https://ftp.afrinic.net/stats/afrinic/delegated-afrinic-extended-latest",
  ].map((url) => ({ url, maxBytes: MAX_BYTES, keepsLast: true })),
  table: "registration",
  revision: 1,
  cadenceMs: 86_400_000,
  expiresMs: 2_592_000_000,
  minRanges: { ipv4: 100_000, ipv6: 40_000 },
  maxRanges: 2_000_000,
  parse: readStatistics,
} as const satisfies TableFeed;

/**
 * `version|registry|serial|records|start|end|offset`, summaries `registry|*|type|*|count|summary`, then records
 * `registry|cc|type|start|value|date|status|id`. The value is a number of addresses in IPv4 and a length in IPv6.
 * @throws {FeedError} when it is the file of another registry, or the number of its records differs from its header.
 */
function readStatistics(content: FeedContent, sink: TableSink): FeedFacts {
  const registry = REGISTRIES[content.index] ?? "";
  let head: { readonly records: number; readonly day: string } | undefined;
  let records = 0;
  for (const line of content.lines()) {
    if (line.startsWith("#")) continue;
    const [first = "", cc = "", type = "", start = "", value = "", end = "", status = ""] = line.split(
      "|",
      8,
    );
    if (head === undefined) {
      if (!/^\d(?:\.\d)?$/.test(first) || cc !== registry || !/^\d{1,9}$/.test(start)) {
        throw new FeedError(`it does not begin as the statistics of ${registry}`);
      }
      head = { records: Number(start), day: end };
      continue;
    }
    if (first !== registry) throw new FeedError("a row is of another registry");
    if (cc === "*") continue;
    records++;
    if (status !== "allocated" && status !== "assigned") continue;
    if (type !== "ipv4" && type !== "ipv6") continue;
    const country = readCountry(cc);
    if (country === undefined || REGIONS.has(country)) continue;
    if (!/^\d{1,10}$/.test(value)) sink.malformed();
    else if (type === "ipv4") sink.count(start, Number(value), country);
    else sink.prefix(`${start}/${value}`, country);
  }
  if (head === undefined || head.records !== records) {
    throw new FeedError(`it has ${records} records and says it has ${head?.records ?? "none"}`);
  }
  return dateFact(head.day.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3"));
}
