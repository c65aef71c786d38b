import { join } from "node:path";
import type { Address } from "#address";
import { DatasetError } from "./files.ts";
import { openTable } from "./open_table.ts";
import type { Columns } from "./range_set.ts";
import type { RangeTable } from "./range_table.ts";
import {
  type AsnRow,
  type FeedState,
  type ListEntry,
  type ListPlace,
  type NetworkEntry,
  TABLE_DECODERS,
  TABLE_IDS,
  type TableId,
  type TableValues,
} from "./table_values.ts";

/**
 * The state of one table: `date` is the date of its data (YYYY-MM-DD), `rows` its ranges that have a value, `origin`
 * the data that it was made from, `problem` the reason why it cannot be used.
 */
export interface TableState {
  readonly id: TableId;
  readonly ready: boolean;
  readonly date?: string;
  readonly rows?: number;
  readonly bytes?: number;
  readonly origin?: string;
  readonly problem?: string;
}

/**
 * The tables and lists in the memory of the process. A lookup in a table that is not ready throws {@link DatasetError}.
 */
export type Datasets = ReturnType<typeof openDatasets>;

/** A table of lists. Of a feed that `isUsed` refuses, another table has the entries that count. */
export interface ListTable {
  readonly table: RangeTable<readonly ListEntry[]>;
  readonly isUsed: (feed: string) => boolean;
}

/** The downloaded lists and tables, which add to the seed or replace it. */
export interface DownloadedData {
  lists(address: Address): readonly ListEntry[] | undefined;
  asClasses(asn: number): readonly NetworkEntry[] | undefined;
  /** The downloaded table that replaces the seed, if any. */
  table<Id extends TableId>(id: Id): RangeTable<TableValues[Id]> | undefined;
  /** The downloaded table is made without one of its files: what it does not contain may be in the seed. */
  isPartial(id: TableId): boolean;
  /** The tables behind `lists`. */
  listTables(): readonly ListTable[];
  /** Increases when a table or the lists are replaced. */
  revision(): number;
  state(feed: string): FeedState;
}

/**
 * Opens the tables in `directory` (`asn.table`, `registration.table`, `country.table`; and `city.table` and `geofeed.table` if
 * there are any; no seed has them). Never throws: the state of a table that cannot be used says why, and a lookup in it throws
 * {@link DatasetError}. Without `feeds` there are no lists.
 */
export function openDatasets(options: { readonly directory: string; readonly feeds?: DownloadedData }) {
  const { feeds } = options;
  const open = <Id extends TableId>(id: Id) => {
    try {
      const decode: (text: string) => TableValues[Id] = TABLE_DECODERS[id];
      const table = openTable(join(options.directory, `${id}.table`), { id, decode });
      return { table, state: describe(id, table) };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { state: { id, ready: false, problem } };
    }
  };
  const seeds = {
    asn: open("asn"),
    registration: open("registration"),
    country: open("country"),
    city: open("city"),
    geofeed: open("geofeed"),
  };

  /** The downloaded table, unless the seed is newer. */
  function choose<Id extends TableId>(id: Id): RangeTable<TableValues[Id]> | undefined {
    // The seed under an id was opened with that table's decoder.
    const seed = seeds[id].table as RangeTable<TableValues[Id]> | undefined;
    const own = feeds?.table(id);
    return own === undefined || (seed !== undefined && seed.facts.date > own.facts.date) ? seed : own;
  }

  function find<Id extends TableId>(id: Id, address: Address): TableValues[Id] | undefined {
    const table = choose(id);
    if (table === undefined) throw new DatasetError(seeds[id].state.problem ?? "Cannot look up: no table");
    const value = table.find(address);
    if (value !== undefined || table === seeds[id].table || feeds?.isPartial(id) !== true) return value;
    return (seeds[id].table as RangeTable<TableValues[Id]> | undefined)?.find(address);
  }

  function stateOf(id: TableId): TableState {
    const table = choose(id);
    return table === undefined || table === seeds[id].table ? seeds[id].state : describe(id, table);
  }

  return {
    asn: (address: Address): AsnRow | undefined => find("asn", address),
    /** ISO 3166-1 alpha-2 country of the registration. */
    registration: (address: Address): string | undefined => find("registration", address),
    /** ISO 3166-1 alpha-2 country of use. */
    country: (address: Address): string | undefined => find("country", address),
    /** Country, region and city of use; where this table is ready its country is newer than the seed's. */
    place: (address: Address): ListPlace | undefined => find("city", address),
    /** The place that the operator declares in a published geofeed (RFC 8805); undefined also while the table is missing. */
    declared: (address: Address): ListPlace | undefined =>
      stateOf("geofeed").ready ? find("geofeed", address) : undefined,
    /** The table of origin AS, unless it is not ready, and those of all lists, to walk through many addresses. */
    tables: () => ({ asn: choose("asn"), lists: feeds?.listTables() ?? [] }),
    /**
     * What all lists say about the address, downloaded or of the snapshot: one array shared by all callers; undefined =
     * nothing.
     */
    lists: (address: Address): readonly ListEntry[] | undefined => feeds?.lists(address),
    /** What the downloaded lists say about an autonomous system. */
    asClasses: (asn: number): readonly NetworkEntry[] | undefined => feeds?.asClasses(asn),
    /** The starts of the rows of every table and list that a lookup reads. Between them, every lookup finds the same. */
    starts(version: 4 | 6): readonly Columns[] {
      // No lookup of an address reads the geofeeds. What a partial download does not contain is looked up in the seed.
      const own = TABLE_IDS.filter((id) => id !== "geofeed").flatMap((id) => [
        choose(id),
        feeds?.isPartial(id) === true ? seeds[id].table : undefined,
      ]);
      const lists = feeds?.listTables().map(({ table }) => table) ?? [];
      return [...own, ...lists]
        .map((table) => table?.rows(version)?.starts)
        .filter((starts) => starts !== undefined);
    },
    /** Entries of a list whose state is not `ready` must be ignored; the tables may still contain them. */
    feedState: (id: string): FeedState =>
      feeds?.state(id) ?? { id, ready: false, freshness: "absent", problem: "turned off" },
    /** Increases when a table or the lists are replaced. */
    revision: () => feeds?.revision() ?? 0,
    state: stateOf,
    /** Every table except a missing `city` or `geofeed`, because only downloads have these. */
    states: (): readonly TableState[] =>
      TABLE_IDS.map(stateOf).filter(({ id, ready }) => ready || (id !== "city" && id !== "geofeed")),
  };
}

function describe(id: TableId, table: RangeTable<unknown>): TableState {
  const { date, rows, bytes, origin } = table.facts;
  return { id, ready: true, date, rows, bytes, origin };
}
