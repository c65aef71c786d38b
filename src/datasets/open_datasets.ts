import { join } from "node:path";
import type { Address } from "#address";
import { DatasetError } from "./dataset_error.ts";
import type { Datasets, TableId, TableState } from "./datasets.ts";
import type { Feeds } from "./open_feeds.ts";
import { openTable } from "./open_table.ts";
import type { RangeTable } from "./range_table.ts";
import { TABLE_DECODERS, type TableValues } from "./table_values.ts";

/**
 * Opens the tables in `directory` (`asn.table`, `registration.table`, `country.table`, and `city.table` where somebody
 * put one, which no seed does). Never throws: a table that
 * cannot be used says why in its state, and a lookup on it throws {@link DatasetError}. Without `feeds` no list speaks.
 */
export function openDatasets(options: { readonly directory: string; readonly feeds?: Feeds }): Datasets {
  const { feeds } = options;
  const open = <Id extends TableId>(id: Id): Opened<TableValues[Id]> => {
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
  };

  /** The downloaded table where there is one that is not older than the seed. */
  function choose<Id extends TableId>(id: Id): RangeTable<TableValues[Id]> | undefined {
    // The seed under an id was opened with that table's decoder.
    const seed = seeds[id].table as RangeTable<TableValues[Id]> | undefined;
    const own = feeds?.table(id);
    return own === undefined || (seed !== undefined && seed.facts.date > own.facts.date) ? seed : own;
  }

  function find<Id extends TableId>(id: Id, address: Address): TableValues[Id] | undefined {
    const table = choose(id);
    if (table === undefined) throw new DatasetError(seeds[id].state.problem ?? "Cannot look up: no table");
    return table.find(address);
  }

  function stateOf(id: TableId): TableState {
    const table = choose(id);
    return table === undefined || table === seeds[id].table ? seeds[id].state : describe(id, table);
  }

  return {
    asn: (address) => find("asn", address),
    registration: (address) => find("registration", address),
    country: (address) => find("country", address),
    place: (address) => find("city", address),
    lists: (address) => feeds?.lists(address),
    asClasses: (asn) => feeds?.asClasses(asn),
    feedState: (id) => feeds?.state(id) ?? { id, ready: false, freshness: "absent", problem: "turned off" },
    state: stateOf,
    states: () =>
      (["asn", "registration", "country", "city"] as const)
        .map(stateOf)
        .filter(({ id, ready }) => ready || id !== "city"),
  };
}

interface Opened<Value> {
  readonly table?: RangeTable<Value>;
  readonly state: TableState;
}

function describe(id: TableId, table: RangeTable<unknown>): TableState {
  const { date, rows, bytes, origin } = table.facts;
  return { id, ready: true, date, rows, bytes, origin };
}
