import { checksumTable } from "./checksum_table.ts";
import { DatasetError } from "./dataset_error.ts";
import { indexRuns } from "./index_runs.ts";
import { indexStarts } from "./index_starts.ts";
import { type Ipv4Rows, type Ipv6Rows, RangeTable } from "./range_table.ts";
import { readTableHeader } from "./table_header.ts";
import { locateSections } from "./table_layout.ts";

/** What a file must be, and how one value is read from its text (throws when it cannot be). */
export interface TableWanted<Value> {
  readonly id: string;
  readonly decode: (text: string) => Value;
}

/**
 * Takes the bytes of a table file into use; `bytes` begins its buffer and must not change afterwards.
 * Lengths, checksum and the order of the starts are checked here; that an id has a value, and a value its text, when
 * it is first decoded, because walking all of them would double the time to open and the checksum vouches for them.
 * @throws {DatasetError} naming `file` and what is wrong.
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
