/**
 * How a table file is laid out: little-endian, a header of 256 bytes, then the sections one behind the other.
 * Where a section lies follows from the counts in the header, so no offset in a file can lie.
 *
 * Header, in uint32: 0 magic "LPRT", 1 format, 2–3 checksum (low, high), 4 bytes in the file, 5 data date as
 * yyyymmdd, 6 families (1 = IPv4, 2 = IPv6), 7 IPv4 rows, 8 IPv6 rows, 9 words an IPv6 start, 10 bytes an id,
 * 11 values, 12 bytes of value text, 13 ranges that have a value; 32 bytes of id at 64, 160 bytes of origin at 96, ASCII padded with zeros.
 * The checksum is XXH3-64 (https://xxhash.com, in Bun as `Bun.hash.xxHash3`) over all from byte 16 on.
 */
export const TABLE_LAYOUT = {
  magic: 0x54_52_50_4c,
  format: 1,
  headerBytes: 256,
  checkedFrom: 16,
  id: { at: 64, bytes: 32 },
  origin: { at: 96, bytes: 160 },
  /** Larger files are refused unread. */
  maxBytes: 1_073_741_824,
} as const;

/** The counts that decide where everything lies. A family that is not covered has 0 rows and, for IPv6, 0 words. */
export interface TableCounts {
  readonly rows4: number;
  readonly rows6: number;
  readonly words6: number;
  readonly idBytes: 2 | 4;
  readonly values: number;
  readonly valueBytes: number;
}

/** Byte offsets of the sections, in the order of the file, and its whole length. */
export interface TableSections {
  readonly starts4: number;
  readonly starts6: number;
  readonly valueOffsets: number;
  readonly ids4: number;
  readonly ids6: number;
  readonly valueText: number;
  readonly end: number;
}

/** Where the sections of a table with these counts lie. */
export function locateSections(counts: TableCounts): TableSections {
  const starts4 = TABLE_LAYOUT.headerBytes;
  const starts6 = starts4 + 4 * counts.rows4;
  const valueOffsets = starts6 + 4 * counts.words6 * counts.rows6;
  const ids4 = valueOffsets + 4 * (counts.values + 1);
  const ids6 = ids4 + counts.idBytes * counts.rows4;
  const valueText = ids6 + counts.idBytes * counts.rows6;
  return { starts4, starts6, valueOffsets, ids4, ids6, valueText, end: valueText + counts.valueBytes };
}
