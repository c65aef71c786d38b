import { existsSync, readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { DatasetError, describeCause, readWholeFile } from "./files.ts";
import { indexRuns, indexStarts } from "./range_index.ts";
import { type Ipv4Rows, type Ipv6Rows, RangeTable } from "./range_table.ts";
import { checksumTable, locateSections, readTableHeader, TABLE_LAYOUT } from "./table_format.ts";

/** The id that a table must have, and the function that reads a value from its text (throws when it cannot). */
export interface TableWanted<Value> {
  readonly id: string;
  readonly decode: (text: string) => Value;
}

/**
 * Opens a table file, or `FILE.zst` when only that exists, as in a compiled binary. The whole file is read into memory,
 * not mapped: if a mapped file is cut short, the process ends with SIGBUS instead of an error. A table in memory does
 * not change when the file is replaced.
 * @throws {DatasetError} when it is absent, unreadable, truncated, damaged or another file.
 */
export function openTable<Value>(file: string, wanted: TableWanted<Value>): RangeTable<Value> {
  const packed = `${file}.zst`;
  const bytes =
    existsSync(packed) && !existsSync(file)
      ? unpack(packed)
      : readWholeFile(file, TABLE_LAYOUT.maxBytes, "use table");
  return readTable(bytes, file, wanted);
}

/** A file inside the binary cannot be opened by handle, only read at once. */
function unpack(file: string): Uint8Array<ArrayBuffer> {
  try {
    const { buffer, byteOffset, byteLength } = zstdDecompressSync(readFileSync(file));
    if (buffer instanceof ArrayBuffer && byteOffset === 0) return new Uint8Array(buffer, 0, byteLength);
    return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength));
  } catch (cause) {
    throw new DatasetError(`Cannot use table "${file}": ${describeCause(cause)}`, { cause });
  }
}

/**
 * Makes a table from the bytes of its file; `bytes` begins its buffer and must not change afterwards. Lengths, checksum
 * and the order of the starts are checked here. The ids and the texts of values are checked when they are first
 * decoded, because checking all of them here would double the time to open.
 * @throws {DatasetError} naming `file` and the problem.
 */
export function readTable<Value>(
  bytes: Uint8Array<ArrayBuffer>,
  file: string,
  wanted: TableWanted<Value>,
): RangeTable<Value> {
  const fail = (why: string, cause?: unknown) =>
    new DatasetError(`Cannot use table "${file}": ${why}`, cause === undefined ? undefined : { cause });
  const header = readTableHeader(bytes, file);
  if (bytes.length < header.bytes) throw fail(`it is truncated to ${bytes.length} of ${header.bytes} bytes`);
  if (bytes.length > header.bytes) throw fail(`it has ${bytes.length} bytes instead of ${header.bytes}`);
  if (checksumTable(bytes) !== header.checksum) throw fail("it is damaged, its checksum does not match");
  if (header.id !== wanted.id) throw fail(`it holds "${header.id}", not "${wanted.id}"`);

  const { values, idBytes } = header;
  const at = locateSections(header);
  const words = (offset: number, length: number) => new Uint32Array(bytes.buffer, offset, length);
  const Ids = idBytes === 2 ? Uint16Array : Uint32Array;
  const readStarts = (rows: number, columns: number, startsAt: number) =>
    Array.from({ length: columns }, (_, w) => words(startsAt + 4 * w * rows, rows));
  const readIpv4 = (rows: number): Ipv4Rows => {
    const starts = readStarts(rows, 1, at.starts4);
    const index = indexStarts(starts);
    if (index === undefined) throw fail("its ranges are out of order");
    return { starts, ids: new Ids(bytes.buffer, at.ids4, rows), index };
  };
  const readIpv6 = (rows: number): Ipv6Rows => {
    const starts = readStarts(rows, header.words6, at.starts6);
    const runs = indexRuns(starts);
    if (runs === undefined) throw fail("its ranges are out of order");
    return { starts, ids: new Ids(bytes.buffer, at.ids6, rows), runs };
  };
  const ipv4 = header.rows4 > 0 ? readIpv4(header.rows4) : undefined;
  const ipv6 = header.rows6 > 0 ? readIpv6(header.rows6) : undefined;

  const offsets = words(at.valueOffsets, values + 1);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (id: number): Value => {
    const from = offsets[id - 1];
    const to = offsets[id];
    if (from === undefined || to === undefined || from > to || to > header.valueBytes) {
      throw fail(`its value ${id} of ${values} is not there`);
    }
    try {
      return wanted.decode(decoder.decode(bytes.subarray(at.valueText + from, at.valueText + to)));
    } catch (cause) {
      throw fail(`its value ${id} cannot be read`, cause);
    }
  };
  const { id, origin, date, ranges } = header;
  return new RangeTable(
    { file, id, origin, date, rows: ranges, bytes: bytes.length },
    { ...(ipv4 === undefined ? {} : { ipv4 }), ...(ipv6 === undefined ? {} : { ipv6 }) },
    { count: values, decode },
  );
}
