import { type Address, findSpecialPurpose } from "#address";
import type { Datasets } from "#datasets";
import { findOwnBlocks } from "#evidence";
import { findService } from "./tables/infrastructure.ts";

const DAY_MS = 86_400_000;

/** Stands for the value of a table that cannot be read. */
const UNREADABLE = { problem: "unreadable" };

/** Tells for which addresses, and for how long, the tables say the same. */
export interface TableKeys {
  /**
   * A key of everything that the tables say about an address. While the states are the same, equal keys mean equal
   * evidence, except for the address itself, and the region and the city of its place.
   */
  keyOf(address: Address): string;
  /** Increases when a table or the lists are replaced. */
  revision(): number;
  /** The states of all tables and lists as text, with the UTC day: a table becomes old at the beginning of a day. */
  describeStates(): string;
}

/** Creates the {@link TableKeys}. `ids` = the sources that are asked; those that are lists have a state. */
export function createTableKeys(
  ids: readonly string[],
  { datasets, now }: { readonly datasets: Datasets; readonly now: () => number },
): TableKeys {
  const numbers = new WeakMap<object, number>();
  let given = 0;

  // A table gives the same object for the same row, and a table that is replaced gives other objects.
  function numberOf(value: object | undefined): number {
    if (value === undefined) return 0;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    given += 1;
    numbers.set(value, given);
    return given;
  }

  function read<Value>(find: (address: Address) => Value, address: Address): Value | typeof UNREADABLE {
    try {
      return find(address);
    } catch {
      return UNREADABLE;
    }
  }

  function readCountry(address: Address): string {
    const found = datasets.state("city").ready
      ? read(datasets.place, address)
      : read(datasets.country, address);
    if (typeof found === "string") return found;
    if (found === undefined) return "";
    return "country" in found ? found.country : found.problem;
  }

  return {
    revision: datasets.revision,
    keyOf(address) {
      const row = read(datasets.asn, address);
      const asn = row !== undefined && "asn" in row ? row.asn : undefined;
      const registered = read(datasets.registration, address);
      const { isCloud, isMobile } = findOwnBlocks(address, asn);
      let key = `${address.version} ${numberOf(row)} ${readCountry(address)} ${typeof registered === "object" ? registered.problem : (registered ?? "")}`;
      if (asn !== undefined) key += ` n${numberOf(datasets.asClasses(asn))}`;
      if (isCloud) key += " cloud";
      if (isMobile) key += " mobile";
      const special = findSpecialPurpose(address);
      if (special !== undefined) key += ` ${special.purpose}`;
      const service = findService(address);
      if (service !== undefined) key += ` s${numberOf(service)}`;
      for (const entry of datasets.lists(address) ?? []) key += ` ${numberOf(entry)}`;
      return key;
    },
    describeStates() {
      const lists = ids.map((id) => {
        const { ready, freshness, problem, date, error } = datasets.feedState(id);
        return [ready, freshness, problem, date, error?.reason ?? error !== undefined];
      });
      const tables = datasets.states().map(({ id, ready, date, problem }) => [id, ready, date, problem]);
      // A table is too old from one millisecond after the beginning of a day.
      return JSON.stringify([Math.floor((now() - 1) / DAY_MS), lists, tables]);
    },
  };
}
