import { checksumTable } from "./checksum_table.ts";
import type { Partition } from "./partition.ts";
import { writeTableHeader } from "./table_header.ts";
import { locateSections, TABLE_LAYOUT, type TableCounts } from "./table_layout.ts";
import type { ValuePool } from "./value_pool.ts";

/** What a table file is made of. A family left out is not covered, which is not the same as an empty one. */
export interface TableContent {
  readonly id: string;
  /** What the data is and which version of it; compared to tell whether a file is still current. */
  readonly origin: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly ipv4?: Partition;
  readonly ipv6?: Partition;
  readonly values: ValuePool;
}

/**
 * Lays a table out as the bytes of its file, over one buffer of its own (so that it can be transferred).
 * @throws RangeError when an id has no value, or the table is too large for the format.
 */
export function encodeTable(content: TableContent): Uint8Array<ArrayBuffer> {
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

/** Trailing words that are zero in every start need not be stored; the upper 64 bits always are. */
function usedColumns(columns: readonly Uint32Array[]): readonly Uint32Array[] {
  let used = columns.length;
  while (used > 2 && columns[used - 1]?.every((word) => word === 0)) used--;
  return columns.slice(0, used);
}
