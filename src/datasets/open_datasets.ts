import { join } from "node:path";
import type { Address } from "#address";
import { parseAsnRow } from "./asn_row.ts";
import { DatasetError } from "./dataset_error.ts";
import type { AsnRow, Datasets, TableId, TableState } from "./datasets.ts";
import { openTable } from "./open_table.ts";
import type { RangeTable } from "./range_table.ts";
import { readCountry } from "./read_country.ts";

/**
 * Opens the tables in `directory` (`asn.table`, `registration.table`, `country.table`). Never throws: a table that
 * cannot be used says why in its state, and a lookup on it throws {@link DatasetError}.
 */
export function openDatasets(options: { readonly directory: string }): Datasets {
  const open = <Value>(id: TableId, decode: (text: string) => Value): Opened<Value> => {
    try {
      const table = openTable(join(options.directory, `${id}.table`), { id, decode });
      const { date, rows, bytes, origin } = table.facts;
      return { table, state: { id, ready: true, date, rows, bytes, origin } };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { state: { id, ready: false, problem } };
    }
  };
  const asn = open<AsnRow>("asn", parseAsnRow);
  const registration = open<string>("registration", decodeCountry);
  const country = open<string>("country", decodeCountry);
  const states: Record<TableId, TableState> = {
    asn: asn.state,
    registration: registration.state,
    country: country.state,
  };
  return {
    asn: (address) => find(asn, address),
    registration: (address) => find(registration, address),
    country: (address) => find(country, address),
    state: (table) => states[table],
    states: () => Object.values(states),
  };
}

interface Opened<Value> {
  readonly table?: RangeTable<Value>;
  readonly state: TableState;
}

function find<Value>(opened: Opened<Value>, address: Address): Value | undefined {
  if (opened.table === undefined) throw new DatasetError(opened.state.problem ?? "Cannot look up: no table");
  return opened.table.find(address);
}

function decodeCountry(text: string): string {
  const country = readCountry(text);
  if (country === undefined) throw new RangeError(`Cannot read "${text}" as a country`);
  return country;
}
