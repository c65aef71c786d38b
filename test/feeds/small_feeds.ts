import type { Feed, TableFeed } from "#feeds";
import { FeedError } from "../../src/feeds/feed_content.ts";
import { dbipCity } from "../../src/feeds/lists/dbip_city.ts";
import { readPlainList } from "../../src/feeds/lists/readers.ts";

const facts = { licence: "ours", homepage: "https://lists.example/", cadenceMs: 3_600_000 } as const;
const base = { ...facts, minRows: 2, maxRows: 500 } as const;
const tableBase = { ...facts, revision: 1, minRanges: { ipv4: 1, ipv6: 0 }, maxRanges: 100 } as const;

/** A plain list of abusive addresses. */
export const alpha = {
  ...base,
  id: "alpha",
  name: "Alpha",
  family: "alpha",
  files: [{ url: "https://lists.example/alpha.txt", maxBytes: 65_536 }],
  meanings: ["abuse"],
  parse: (content, sink) => readPlainList(content, sink, { meaning: "abuse" }),
} as const satisfies Feed;

/** A packed list in two files, the second of which may be missing; its lines carry labels. */
export const beta = {
  ...base,
  id: "beta",
  name: "Beta",
  family: "beta",
  authority: true,
  complete: [4],
  files: [
    { url: "https://lists.example/beta.gz", maxBytes: 65_536, unpackedBytes: 200_000 },
    { url: "https://lists.example/more.gz", maxBytes: 65_536, unpackedBytes: 200_000, optional: true },
  ],
  meanings: ["tor_exit"],
  parse(content, sink) {
    for (const line of content.lines()) {
      const [prefix = "", label] = line.split(",");
      sink.prefix(prefix, { meaning: "tor_exit", ...(label === undefined ? {} : { label }) });
    }
    return { date: "2026-03-01" };
  },
} as const satisfies Feed;

/** Classes of networks. A page links to the file. */
export const gamma = {
  ...base,
  id: "gamma",
  name: "Gamma",
  family: "gamma",
  hosts: ["files.example"],
  files: [
    {
      url: "https://lists.example/page",
      maxBytes: 65_536,
      find: (page: string) => /href="([^"]+)"/.exec(page)?.[1],
    },
  ],
  meanings: [],
  networks: true,
  parse(content, sink) {
    const rows = content.json();
    if (!Array.isArray(rows)) throw new FeedError("it is not an array");
    for (const row of rows) sink.network(String(row), { asClass: "hosting", name: `Net ${row}` });
    return {};
  },
} as const satisfies Feed;

export const FEEDS: readonly Feed[] = [alpha, beta, gamma];

/** Origin networks: `first last number name`, after a line with the date. */
export const delta = {
  ...tableBase,
  id: "delta",
  name: "Delta",
  family: "delta",
  files: [{ url: "https://lists.example/delta.txt", maxBytes: 65_536 }],
  table: "asn",
  parse(content, sink) {
    const [date = "", ...rows] = [...content.lines()];
    for (const row of rows) {
      const [first = "", last = "", ...name] = row.split(" ");
      sink.range(first, last, name.join(" "));
    }
    return { date };
  },
} as const satisfies TableFeed;

/** Registration countries in two files, `first last country` after a line with the date; each keeps its last version. */
export const regions = {
  ...tableBase,
  id: "regions",
  name: "Regions",
  family: "regions",
  cadenceMs: 86_400_000,
  files: [
    { url: "https://north.example/list.txt", maxBytes: 65_536, keepsLast: true },
    { url: "https://south.example/list.txt", maxBytes: 65_536, keepsLast: true },
  ],
  table: "registration",
  parse(content, sink) {
    const [date = "", ...rows] = [...content.lines()];
    if (rows.length === 0) throw new FeedError("it has no rows");
    for (const row of rows) {
      const [first = "", last = "", country = ""] = row.split(" ");
      sink.range(first, last, country);
    }
    return { date };
  },
} as const satisfies TableFeed;

/** The real feed of places with the sizes of a test. */
export const smallCity: TableFeed = {
  ...dbipCity,
  files: dbipCity.files.map((file) => ({ ...file, unpackedBytes: 1_000_000 })),
  minRanges: { ipv4: 1, ipv6: 1 },
  maxRanges: 100,
};

export const TABLE_FEEDS: readonly TableFeed[] = [delta, regions, smallCity];
