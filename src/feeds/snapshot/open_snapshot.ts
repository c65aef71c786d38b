import { join } from "node:path";
import type { Address } from "#address";
import { DAY_MS } from "#common";
import { DatasetError, type ListEntry, openTable, parseListEntries, type RangeTable } from "#datasets";
import { readSnapshotContents, SNAPSHOT_TABLE, snapshotOrigin } from "./prepare_snapshot.ts";
import type { SnapshotList } from "./snapshot_file.ts";

/**
 * Days after its date at which a list of the snapshot is no longer used. Operators of clouds, crawlers and relays and
 * data centres keep address space for years. A VPN operator gives servers back to its data centre, which rents them to
 * others, so its ranges are used for half of that time.
 */
export const KEEP_DAYS = { vpn: 182, others: 365 } as const;

/** A list of the snapshot; times are in milliseconds since the epoch. */
export type ShippedList = Readonly<ReturnType<typeof readTimes>>;

/** The lists that ship with the program. They take the place of downloads that are missing or too old. */
export interface Snapshot {
  /** What all its lists say about the address: one array shared by all callers. */
  lists(address: Address): readonly ListEntry[] | undefined;
  /** The table behind `lists`; absent when the snapshot cannot be used. */
  readonly table?: RangeTable<readonly ListEntry[]>;
  /** The list that takes the place of the feed. */
  list(feed: string): ShippedList | undefined;
  /** Why it cannot be used; it then has no lists. */
  readonly problem?: string;
}

/** Opens the compiled snapshot in `directory`. Never throws: a snapshot that cannot be used has a problem. */
export function openSnapshot(directory: string, contents?: unknown): Snapshot {
  try {
    const read = readSnapshotContents(contents);
    const table = openTable(join(directory, `${SNAPSHOT_TABLE}.table`), {
      id: SNAPSHOT_TABLE,
      decode: parseListEntries,
    });
    if (table.facts.origin !== snapshotOrigin(read))
      throw new DatasetError(`Cannot use table "${table.facts.file}": it is of another snapshot`);
    const lists = new Map(read.lists.map((list) => [list.feed, readTimes(list)]));
    return { table, lists: (address) => table.find(address), list: (feed) => lists.get(feed) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { lists: () => undefined, list: () => undefined, problem };
  }
}

/** Reads the date of a list, and the age at which it is no longer used. */
function readTimes(list: SnapshotList) {
  const keepDays = list.meaning === "vpn" ? KEEP_DAYS.vpn : KEEP_DAYS.others;
  return { ...list, dateMs: Date.parse(list.date), keepMs: keepDays * DAY_MS };
}
