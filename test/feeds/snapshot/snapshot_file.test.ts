import { describe, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { parsePrefixEnds } from "#address";
import { DatasetError, RangeSet } from "#datasets";
import { FEEDS, packSnapshot } from "#feeds";
import { SNAPSHOT_SOURCES } from "../../../src/build/read_snapshot_list.ts";
import { readSnapshotContents } from "../../../src/feeds/snapshot/prepare_snapshot.ts";
import { type SnapshotContents, unpackSnapshot } from "../../../src/feeds/snapshot/snapshot_file.ts";
import { runs } from "../../kit/runs.ts";
import { makeList } from "./small_snapshot.ts";

const folder = join(import.meta.dir, "../../../src/feeds/snapshot");
const COMMITTED = new Uint8Array(readFileSync(join(folder, "ranges.zst")));

/** The largest size of the committed snapshot. It is in the repository and in the binary. */
const BUDGET_BYTES = 3_000_000;

/** Unpacks into one line for each range. */
function list(contents: SnapshotContents, bytes: Uint8Array): readonly string[] {
  const lines: string[] = [];
  unpackSnapshot(contents, bytes, (version, first, last, at) => {
    lines.push(`${at} IPv${version} ${first.join(":")}-${last.join(":")}`);
  });
  return lines;
}

/** Unpacks into sets, so that they can be packed again. */
function unpackLists(contents: SnapshotContents, bytes: Uint8Array) {
  const lists = contents.lists.map(({ ipv4: _4, ipv6: _6, ...facts }) => ({
    facts,
    ipv4: new RangeSet(4),
    ipv6: new RangeSet(6),
  }));
  unpackSnapshot(contents, bytes, (version, first, last, at) => {
    lists[at]?.[version === 4 ? "ipv4" : "ipv6"].add(first, last, 1);
  });
  return lists;
}

describe("packSnapshot", () => {
  test("merges neighbours and overlaps, and keeps every list apart", () => {
    const { contents, bytes } = packSnapshot([
      makeList("one", "vpn", ["192.0.2.0/25", "192.0.2.128/25", "198.51.100.7", "198.51.100.0/28"]),
      makeList("two", "hosting", ["2001:db8::/33", "2001:db8:8000::/33", "192.0.2.9"]),
    ]);
    expect(contents.lists.map(({ feed, ipv4, ipv6 }) => [feed, ipv4, ipv6])).toEqual([
      ["one", 2, 0],
      ["two", 1, 1],
    ]);
    expect(list(contents, bytes)).toEqual([
      "0 IPv4 3221225984-3221226239",
      "0 IPv4 3325256704-3325256719",
      "1 IPv4 3221225993-3221225993",
      "1 IPv6 536939960:0:0:0-536939960:4294967295:4294967295:4294967295",
    ]);
  });

  test("gives back every address of any prefixes, and the same bytes for any order of them", () => {
    const Prefix = fc.oneof(
      fc.tuple(fc.nat(0xffff_ffff), fc.integer({ min: 8, max: 32 })).map(([address, bits]) => {
        const bytes = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);
        return `${bytes.join(".")}/${bits}`;
      }),
      fc.tuple(fc.nat(0xffff), fc.nat(0xffff), fc.integer({ min: 16, max: 128 })).map(([a, b, bits]) => {
        return `2001:${a.toString(16)}::${b.toString(16)}/${bits}`;
      }),
    );
    fc.assert(
      fc.property(fc.array(Prefix, { maxLength: 30 }), (prefixes) => {
        const { contents, bytes } = packSnapshot([makeList("one", "vpn", prefixes)]);
        const again = packSnapshot([makeList("one", "vpn", prefixes.toReversed())]);
        expect(again).toEqual({ contents, bytes });
        const ranges = list(contents, bytes).map((line) => line.slice(2));
        for (const prefix of prefixes) {
          const { first, last } = parsePrefixEnds(prefix) ?? expect.unreachable(prefix);
          const isIn = ranges.some((range) => {
            const [version = "", ends = ""] = range.split(" ");
            const [from = "", to = ""] = ends.split("-");
            if (version !== `IPv${first.length === 1 ? 4 : 6}`) return false;
            return (
              toNumber(from.split(":").map(Number)) <= toNumber(first) &&
              toNumber(last) <= toNumber(to.split(":").map(Number))
            );
          });
          expect(isIn, prefix).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

function toNumber(words: readonly number[]): bigint {
  return words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
}

describe("unpackSnapshot", () => {
  const { contents, bytes } = packSnapshot([makeList("one", "vpn", ["192.0.2.0/24", "198.51.100.0/24"])]);
  const change = (lists: Partial<SnapshotContents["lists"][number]>): SnapshotContents => ({
    ...contents,
    lists: contents.lists.map((one) => ({ ...one, ...lists })),
  });

  test.each<[string, SnapshotContents, Uint8Array, RegExp]>([
    ["other bytes", contents, zstdCompressSync(Uint8Array.of(4, 1, 2)), /its checksum does not match/],
    ["bytes that are no zstd", contents, Uint8Array.of(1, 2, 3), /it cannot be unpacked/],
    ["a file that is cut short", contents, bytes.slice(0, -4), /cannot be unpacked|checksum does not match/],
    [
      "more than it may unpack to",
      contents,
      zstdCompressSync(new Uint8Array(20_000_000)),
      /cannot be unpacked/,
    ],
    ["another number of ranges", change({ ipv4: 3 }), bytes, /another number of ranges of "one"/],
    ["no list for its ranges", { ...contents, lists: [] }, bytes, /bytes follow its last list/],
  ])("refuses %s", (_, wrong, file, problem) => {
    expect(() => list(wrong, file)).toThrow(problem);
    expect(() => list(wrong, file)).toThrow(DatasetError);
  });
});

describe("the committed snapshot", () => {
  const contents = readSnapshotContents();

  test("is small", () => {
    const bytes = ["ranges.zst", "lists.json"].map((name) => statSync(join(folder, name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BUDGET_BYTES);
  });

  test("unpacks, and packs to the same checksum again", () => {
    const again = packSnapshot(unpackLists(contents, COMMITTED));
    expect(again.contents).toEqual(contents);
    expect(again.bytes).toEqual(COMMITTED);
  });

  test("has the lists that the script names, each with its licence, publisher and date", () => {
    const named = SNAPSHOT_SOURCES.map(({ feed, files, publication, meaning, label }) => ({
      feed,
      date: publication.date,
      publisher: publication.publisher,
      origin: `${publication.repository}: ${files.join(", ")}`,
      licence: publication.licence,
      meaning,
      ...(label === undefined ? {} : { label }),
    }));
    expect(contents.lists.map(({ ipv4: _4, ipv6: _6, ...facts }) => facts)).toEqual(named);
    for (const { licence } of contents.lists) expect(["MIT", "CC0-1.0"]).toContain(licence);
  });

  test("has only lists of feeds, with a meaning that the feed has", () => {
    for (const { feed, meaning } of contents.lists)
      expect(FEEDS.find(({ id }) => id === feed)?.meanings as readonly string[]).toContain(meaning);
  });

  test("has no list that changes within days: Tor, open proxies, abuse", () => {
    const meanings = new Set<string>(contents.lists.map((one) => one.meaning));
    for (const volatile of ["tor_exit", "tor_relay", "proxy", "abuse", "severe", "botnet"])
      expect(meanings).not.toContain(volatile);
  });
});
