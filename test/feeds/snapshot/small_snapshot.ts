import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePrefixEnds } from "#address";
import { type ListMeaning, RangeSet } from "#datasets";
import { packSnapshot, prepareSnapshot, type UnpackedList } from "#feeds";
import { readSnapshotContents } from "../../../src/feeds/snapshot/prepare_snapshot.ts";
import { unpackSnapshot } from "../../../src/feeds/snapshot/snapshot_file.ts";

/** A list with our own facts. A prefix that is none is an error of the test. */
export function makeList(
  feed: string,
  meaning: ListMeaning,
  prefixes: readonly string[],
  facts: { readonly date?: string; readonly label?: string } = {},
): UnpackedList {
  const sets = { 4: new RangeSet(4), 6: new RangeSet(6) };
  for (const prefix of prefixes) {
    const ends = parsePrefixEnds(prefix);
    if (ends === undefined) throw new Error(`Cannot parse prefix "${prefix}"`);
    sets[ends.first.length === 1 ? 4 : 6].add(ends.first, ends.last, 1);
  }
  return {
    facts: {
      feed,
      date: facts.date ?? "2026-03-01",
      publisher: "Ours",
      origin: "https://lists.example/",
      licence: "CC0-1.0",
      meaning,
      ...(facts.label === undefined ? {} : { label: facts.label }),
    },
    ipv4: sets[4],
    ipv6: sets[6],
  };
}

/** Packs lists and compiles them into `snapshot.table` in `directory`. Returns the contents, which opening it needs. */
export function writeSnapshot(directory: string, lists: readonly UnpackedList[]) {
  const { contents, bytes } = packSnapshot(lists);
  const ranges = join(directory, "ranges.zst");
  writeFileSync(ranges, bytes);
  const outcome = prepareSnapshot(directory, { contents, ranges });
  return { contents, ranges, outcome };
}

/** Gives an IPv4 address of every list of the snapshot that ships with the program: the last one of its last range. */
export function listShippedAddresses(): ReadonlyMap<string, string> {
  const contents = readSnapshotContents();
  const ranges = join(import.meta.dir, "../../../src/feeds/snapshot/ranges.zst");
  const addresses = new Map<string, string>();
  unpackSnapshot(contents, new Uint8Array(readFileSync(ranges)), (version, _first, [word = 0], at) => {
    const text = [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join(".");
    if (version === 4) addresses.set(contents.lists[at]?.feed ?? "", text);
  });
  return addresses;
}
