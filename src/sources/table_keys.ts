import {
  type Address,
  findPublicService,
  findSpecialPurpose,
  listPublicServices,
  listSpecialBlocks,
  parsePrefixEnds,
} from "#address";
import { type Columns, type Datasets, startsOfBlocks } from "#datasets";
import { findOwnBlocks, listOwnBlocks } from "#evidence";

/** Stands for the value of a table that cannot be read. */
const UNREADABLE = { problem: "unreadable" };

function read<Value>(find: (address: Address) => Value, address: Address): Value | typeof UNREADABLE {
  try {
    return find(address);
  } catch {
    return UNREADABLE;
  }
}

/**
 * Creates a function that makes a key of everything that the tables say about an address. While no table or list
 * changes its state, equal keys mean equal evidence, except for the address itself, and the region and the city of its
 * place. `isCityReady` tells whether the table of cities is used.
 */
export function createTableKeys(
  datasets: Datasets,
  isCityReady: () => boolean,
): (address: Address) => string {
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

  function readCountry(address: Address): string {
    const found = isCityReady() ? read(datasets.place, address) : read(datasets.country, address);
    if (typeof found === "string") return found;
    if (found === undefined) return "";
    return "country" in found ? found.country : found.problem;
  }

  return (address) => {
    const row = read(datasets.asn, address);
    const asn = row !== undefined && "asn" in row ? row.asn : undefined;
    const registered = read(datasets.registration, address) ?? "";
    const home = typeof registered === "string" ? registered : registered.problem;
    const { isCloud, isMobile } = findOwnBlocks(address, asn);
    let key = `${address.version} ${numberOf(row)} ${readCountry(address)} ${home}`;
    if (asn !== undefined) key += ` n${numberOf(datasets.asClasses(asn))}`;
    if (isCloud) key += " cloud";
    if (isMobile) key += " mobile";
    const special = findSpecialPurpose(address);
    if (special !== undefined) key += ` ${special.purpose}`;
    const service = findPublicService(address);
    if (service !== undefined) key += ` s${numberOf(service)}`;
    const entries = read(datasets.lists, address) ?? [];
    if (!Array.isArray(entries)) return `${key} ${UNREADABLE.problem}`;
    for (const entry of entries) key += ` ${numberOf(entry)}`;
    return key;
  };
}

/**
 * Returns the starts of all tables and blocks that a key is made from. Addresses between two of these starts have the same key.
 */
export function listKeyStarts(datasets: Datasets, version: 4 | 6): readonly Columns[] {
  const blocks = [...listSpecialBlocks(), ...listOwnBlocks()].flatMap(
    ({ text }) => parsePrefixEnds(text) ?? [],
  );
  const services = listPublicServices().map((words) => ({ first: words, last: words }));
  const own = [...blocks, ...services].filter(({ first }) => first.length === (version === 4 ? 1 : 4));
  return [startsOfBlocks(version, own), ...datasets.starts(version)];
}
