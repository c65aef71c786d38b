import { type Address, isBogon } from "#address";
import { DatasetError, formatPlaceRow, isPlausibleRange, readPlace, walkMmdb } from "#datasets";
import type { FeedFacts, TableFeed, TableSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { dateFact } from "./readers.ts";

const FOLDER = "https://download.db-ip.com/free";

/** DB-IP City Lite: country, region and city of use, published every month (https://db-ip.com/db/download/ip-to-city-lite). */
export const dbipCity = {
  id: "dbip_city",
  name: "DB-IP City Lite",
  family: "dbip",
  licence: "CC BY 4.0",
  attribution: "IP Geolocation by DB-IP",
  homepage: "https://db-ip.com",
  files: [
    {
      url: `${FOLDER}/dbip-city-lite.mmdb.gz`,
      urls: listMonths,
      maxBytes: 157_286_400,
      unpackedBytes: 402_653_184,
    },
  ],
  table: "city",
  revision: 1,
  cadenceMs: 172_800_000,
  expiresMs: 5_184_000_000,
  minRanges: { ipv4: 1_000_000, ipv6: 500_000 },
  maxRanges: 12_000_000,
  // Compiling 7 million ranges took 1.6 GB at its peak.
  needsMemoryBytes: 4_294_967_296,
  parse: readPlaces,
} as const satisfies TableFeed;

/** The file of this month, which is published in its first days, then the file of last month. */
function listMonths(nowMs: number): readonly string[] {
  const now = new Date(nowMs);
  return [0, 1].map((back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString();
    return `${FOLDER}/dbip-city-lite-${month.slice(0, 7)}.mmdb.gz`;
  });
}

/**
 * One tree for both versions, IPv4 in ::/96. Neighbours with the same place become one range before they are added,
 * which halves their number. Of the ranges inside a /64 only the first one counts, so starts need no lower words.
 * @throws {FeedError} when the file is not a MaxMind DB file with this content.
 */
async function readPlaces(content: FeedContent, sink: TableSink): Promise<FeedFacts> {
  const merged = { ipv4: new Run(4, sink), ipv6: new Run(6, sink) };
  const bytes = Buffer.from(content.bytes.buffer, content.bytes.byteOffset, content.bytes.byteLength);
  try {
    await walkMmdb(bytes, "dbip-city-lite.mmdb", 6, readRecord, (first, last, value) => {
      if (value === undefined) return;
      const isIpv4 = first[0] === 0 && first[1] === 0 && first[2] === 0 && last[2] === 0 && last[1] === 0;
      if (isIpv4) merged.ipv4.add(first.subarray(3), last.subarray(3), value);
      else if (first[2] === 0 && first[3] === 0) {
        last.fill(0xffff_ffff, 2);
        merged.ipv6.add(first, last, value);
      }
    });
  } catch (cause) {
    throw cause instanceof DatasetError ? new FeedError(cause.message, { cause }) : cause;
  }
  merged.ipv4.end();
  merged.ipv6.end();
  const month = /-(\d{4}-\d\d)\.mmdb\.gz$/.exec(content.url)?.[1];
  return month === undefined ? {} : dateFact(`${month}-01`);
}

/** A range that grows while its neighbours have the same place. */
class Run {
  /** One object for all lookups, because there are millions of them. */
  readonly #probe: Address & { readonly words: number[] };
  readonly #sink: TableSink;
  readonly #first: Uint32Array;
  readonly #last: Uint32Array;
  #value: string | undefined;

  constructor(version: 4 | 6, sink: TableSink) {
    this.#probe = { text: "", version, words: version === 4 ? [0] : [0, 0, 0, 0] };
    this.#sink = sink;
    this.#first = new Uint32Array(version === 4 ? 1 : 4);
    this.#last = new Uint32Array(this.#first.length);
  }

  add(first: Uint32Array, last: Uint32Array, value: string): void {
    if (!isPlausibleRange(first, last) || this.#isBogon(first)) return;
    const isMore = value === this.#value && isNext(this.#last, first) && isPlausibleRange(this.#first, last);
    if (!isMore) {
      this.end();
      this.#first.set(first);
      this.#value = value;
    }
    this.#last.set(last);
  }

  #isBogon(first: Uint32Array): boolean {
    const { words } = this.#probe;
    for (let w = 0; w < words.length; w++) words[w] = first[w] ?? 0;
    return isBogon(this.#probe);
  }

  /** Adds the last range. */
  end(): void {
    if (this.#value !== undefined) this.#sink.words(this.#first, this.#last, this.#value);
    this.#value = undefined;
  }
}

/** Whether `first` is the address after `last`. */
function isNext(last: Uint32Array, first: Uint32Array): boolean {
  for (let w = last.length - 1; w >= 0; w--) {
    const next = ((last[w] ?? 0) + 1) >>> 0;
    if (next !== 0) return first[w] === next && last.subarray(0, w).every((word, at) => word === first[at]);
    if (first[w] !== 0) return false;
  }
  return false;
}

/** Records: `{ country: { iso_code }, subdivisions: [{ names: { en } }], city: { names: { en } } }`. */
function readRecord(record: unknown): string | undefined {
  const country = step(step(record, "country"), "iso_code");
  const region = step(step(step(step(record, "subdivisions"), 0), "names"), "en");
  const city = step(step(step(record, "city"), "names"), "en");
  const place = readPlace(asText(country), asText(region), asText(city));
  return place === undefined ? undefined : formatPlaceRow(place);
}

function step(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[key];
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
