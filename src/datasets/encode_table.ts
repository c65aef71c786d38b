import type { Partition, RangeSet } from "./range_set.ts";
import {
  checksumTable,
  locateSections,
  TABLE_LAYOUT,
  type TableCounts,
  writeTableHeader,
} from "./table_format.ts";
import { flattenRanges } from "./union_ranges.ts";

/** The values of a table as text, each kept once. Ids count from 1; 0 means "no value". */
export class ValuePool {
  readonly #ids = new Map<string, number>();

  /** Gives the id of `text`; a new text gets the next id. */
  intern(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#ids.size + 1;
    this.#ids.set(text, id);
    return id;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** The texts in the order of their ids. */
  texts(): IteratorObject<string> {
    return this.#ids.keys();
  }
}

/** What a table is made of. A family that is left out is not covered. */
interface TableContent<Family> {
  readonly id: string;
  /** Name and version of the data. It shows whether a file is still current. */
  readonly origin: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly ipv4?: Family;
  readonly ipv6?: Family;
  readonly values: ValuePool;
}

/**
 * Encodes a table as the bytes of its file, in one buffer of its own (so that it can be transferred).
 * A family that is left out is not covered: a lookup throws, while an empty family has no values.
 * @throws RangeError when an id has no value, or the table is too large for the format.
 */
export function encodeTable(content: TableContent<Partition>): Uint8Array<ArrayBuffer> {
  const { ipv4, ipv6, values } = content;
  let ranges = 0;
  for (const partition of [ipv4, ipv6]) {
    for (const id of partition?.ids ?? []) {
      if (id > values.size) throw new RangeError(`Cannot encode value id ${id} of ${values.size}`);
      if (id > 0) ranges++;
    }
  }
  const encoder = new TextEncoder();
  const columns6 = ipv6 === undefined ? [] : usedColumns(ipv6.starts);
  const counts: TableCounts = {
    rows4: ipv4?.ids.length ?? 0,
    rows6: ipv6?.ids.length ?? 0,
    words6: columns6.length,
    idBytes: values.size <= 0xffff ? 2 : 4,
    values: values.size,
    valueBytes: values.texts().reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
  const sections = locateSections(counts);
  if (sections.end > TABLE_LAYOUT.maxBytes)
    throw new RangeError(`Cannot encode a table of ${sections.end} bytes`);

  const bytes = new Uint8Array(sections.end);
  const { id, origin, date } = content;
  writeTableHeader(bytes, { ...counts, id, origin, date, bytes: sections.end, ranges });
  const words = (at: number, length: number) => new Uint32Array(bytes.buffer, at, length);
  if (ipv4?.starts[0] !== undefined) words(sections.starts4, counts.rows4).set(ipv4.starts[0]);
  columns6.forEach((column, w) => {
    words(sections.starts6 + 4 * w * counts.rows6, counts.rows6).set(column);
  });
  const Ids = counts.idBytes === 2 ? Uint16Array : Uint32Array;
  if (ipv4 !== undefined) new Ids(bytes.buffer, sections.ids4, counts.rows4).set(ipv4.ids);
  if (ipv6 !== undefined) new Ids(bytes.buffer, sections.ids6, counts.rows6).set(ipv6.ids);
  const offsets = words(sections.valueOffsets, counts.values + 1);
  let index = 0;
  let at = 0;
  for (const text of values.texts()) {
    at += encoder.encodeInto(text, bytes.subarray(sections.valueText + at)).written;
    offsets[++index] = at;
  }
  new DataView(bytes.buffer).setBigUint64(8, checksumTable(bytes), true);
  return bytes;
}

/** Drops trailing words that are zero in every start; the upper 64 bits are always stored. */
function usedColumns(columns: readonly Uint32Array[]): readonly Uint32Array[] {
  let used = columns.length;
  while (used > 2 && columns[used - 1]?.every((word) => word === 0)) used--;
  return columns.slice(0, used);
}

/**
 * Compiles ranges into the bytes of a table file. Where ranges overlap, the narrowest one decides
 * ({@link flattenRanges}); for another rule, make another partition and call {@link encodeTable}.
 * @throws RangeError when the table is too large for the format.
 */
export function compileTable(source: TableContent<RangeSet>): Uint8Array<ArrayBuffer> {
  const { ipv4, ipv6, ...rest } = source;
  return encodeTable({
    ...rest,
    ...(ipv4 === undefined ? {} : { ipv4: flattenRanges(ipv4) }),
    ...(ipv6 === undefined ? {} : { ipv6: flattenRanges(ipv6) }),
  });
}
