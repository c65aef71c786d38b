import { crc32 } from "node:zlib";
import { DatasetError } from "./files.ts";

/**
 * The layout of a table file: little-endian, a header of 256 bytes, then the sections in a fixed order. The offset of a
 * section is computed from the counts in the header and never stored, so it cannot be wrong.
 *
 * Header, in uint32: 0 magic "LPRT", 1 format, 2–3 checksum (low, high), 4 bytes in the file, 5 data date as
 * yyyymmdd, 6 families (1 = IPv4, 2 = IPv6), 7 IPv4 rows, 8 IPv6 rows, 9 words an IPv6 start, 10 bytes an id,
 * 11 values, 12 bytes of value text, 13 ranges that have a value; 32 bytes of id at 64, 160 bytes of origin at 96,
 * ASCII padded with zeros.
 * The checksum is CRC-32 (RFC 1952, in `node:zlib`, so that Node reads tables too) over everything from byte 16 on; the high
 * word is 0.
 */
export const TABLE_LAYOUT = {
  magic: 0x54_52_50_4c,
  format: 2,
  headerBytes: 256,
  checkedFrom: 16,
  id: { at: 64, bytes: 32 },
  origin: { at: 96, bytes: 160 },
  /** Larger files are refused before they are read. */
  maxBytes: 1_073_741_824,
} as const;

/** The counts that decide where the sections are. A family that is not covered has 0 rows and, for IPv6, 0 words. */
export interface TableCounts {
  readonly rows4: number;
  readonly rows6: number;
  readonly words6: number;
  readonly idBytes: 2 | 4;
  readonly values: number;
  readonly valueBytes: number;
}

/** Computes the byte offsets of the sections of a table with these counts, in the order of the file, and its length. */
export function locateSections(counts: TableCounts) {
  const starts4 = TABLE_LAYOUT.headerBytes;
  const starts6 = starts4 + 4 * counts.rows4;
  const valueOffsets = starts6 + 4 * counts.words6 * counts.rows6;
  const ids4 = valueOffsets + 4 * (counts.values + 1);
  const ids6 = ids4 + counts.idBytes * counts.rows4;
  const valueText = ids6 + counts.idBytes * counts.rows6;
  return { starts4, starts6, valueOffsets, ids4, ids6, valueText, end: valueText + counts.valueBytes };
}

/** The header of a table file. `date` is YYYY-MM-DD; `origin` names what it was made from. */
export interface TableHeader extends TableCounts {
  readonly id: string;
  readonly origin: string;
  readonly date: string;
  readonly bytes: number;
  /** Ranges that have a value, both families. */
  readonly ranges: number;
  readonly checksum: bigint;
}

/**
 * Reads the header of `file`; `bytes` contains at least the beginning of the file.
 * @throws {DatasetError} when it is not the header of a table of this format.
 */
export function readTableHeader(bytes: Uint8Array, file: string): TableHeader {
  const { headerBytes, magic, format, id, origin } = TABLE_LAYOUT;
  const fail = (why: string) => new DatasetError(`Cannot use table "${file}": ${why}`);
  if (bytes.length === 0) throw fail("it is empty");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || view.getUint32(0, true) !== magic) throw fail("it is not a range table");
  const found = view.getUint32(4, true);
  if (found !== format) throw fail(`it has format ${found}, this program reads format ${format}`);
  if (bytes.length < headerBytes) throw fail(`it is truncated to ${bytes.length} bytes`);
  const word = (index: number) => view.getUint32(4 * index, true);
  const idBytes = word(10);
  if (idBytes !== 2 && idBytes !== 4) throw fail(`its ids have ${idBytes} bytes`);
  const header: TableHeader = {
    id: readText(bytes, id.at, id.bytes),
    origin: readText(bytes, origin.at, origin.bytes),
    date: readDate(word(5)),
    bytes: word(4),
    checksum: view.getBigUint64(8, true),
    rows4: word(7),
    rows6: word(8),
    words6: word(9),
    idBytes,
    values: word(11),
    valueBytes: word(12),
    ranges: word(13),
  };
  const families = (header.rows4 > 0 ? 1 : 0) | (header.rows6 > 0 ? 2 : 0);
  const wordsFit = header.rows6 === 0 ? header.words6 === 0 : header.words6 >= 2 && header.words6 <= 4;
  const plausible = families === word(6) && families > 0 && wordsFit;
  if (!plausible || locateSections(header).end !== header.bytes) throw fail("its header contradicts itself");
  return header;
}

/**
 * Writes the header at the beginning of `bytes`, except the checksum.
 * @throws RangeError when a text does not fit or is not ASCII.
 */
export function writeTableHeader(bytes: Uint8Array, header: Omit<TableHeader, "checksum">): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const families = (header.rows4 > 0 ? 1 : 0) | (header.rows6 > 0 ? 2 : 0);
  const date = Number(header.date.replaceAll("-", ""));
  const words = [TABLE_LAYOUT.magic, TABLE_LAYOUT.format, 0, 0, header.bytes, date, families, header.rows4];
  words.push(header.rows6, header.words6, header.idBytes, header.values, header.valueBytes, header.ranges);
  words.forEach((word, index) => {
    view.setUint32(4 * index, word, true);
  });
  writeText(bytes, header.id, TABLE_LAYOUT.id);
  writeText(bytes, header.origin, TABLE_LAYOUT.origin);
}

function readDate(yyyymmdd: number): string {
  const digits = String(yyyymmdd).padStart(8, "0");
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`;
}

function readText(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

function writeText(
  bytes: Uint8Array,
  text: string,
  field: { readonly at: number; readonly bytes: number },
): void {
  if (!/^[\x20-\x7e]*$/.test(text) || text.length > field.bytes) {
    throw new RangeError(`Cannot write "${text}" into ${field.bytes} bytes of ASCII`);
  }
  bytes.set(new TextEncoder().encode(text), field.at);
}

/** CRC-32 over everything in a table file that follows the checksum itself. */
export function checksumTable(bytes: Uint8Array): bigint {
  return BigInt(crc32(bytes.subarray(TABLE_LAYOUT.checkedFrom)));
}
