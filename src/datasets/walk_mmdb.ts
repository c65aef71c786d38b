import { DatasetError } from "./dataset_error.ts";
import { mmdbRecordReader } from "./mmdb_record_reader.ts";

/** Bytes between search tree and data section (MaxMind DB specification, "Data Section Separator"). */
const SEPARATOR_BYTES = 16;

/**
 * Visits every network of a MaxMind DB file that has a record, in ascending order. `first` and `last` are its ends
 * in words, most significant first, reused between calls; records that are the same in the file are the same object.
 * The tree is walked here, node by node, because asking the reader address by address takes seconds;
 * format: https://maxmind.github.io/MaxMind-DB/
 * @throws {DatasetError} when it is not such a file, of that IP version, or its tree is not a tree.
 */
export async function walkMmdb(
  bytes: Buffer,
  file: string,
  version: 4 | 6,
  visit: (first: Uint32Array, last: Uint32Array, record: unknown) => void,
): Promise<void> {
  const fail = (why: string, cause?: unknown) =>
    new DatasetError(`Cannot read "${file}": ${why}`, cause === undefined ? undefined : { cause });
  // Loaded only when a file is really read: a start with finished tables does without.
  const { Reader } = await import("mmdb-lib");
  const open = () => {
    try {
      return new Reader<never>(bytes);
    } catch (cause) {
      throw fail("it is not a MaxMind DB file", cause);
    }
  };
  const reader = open();
  const { nodeCount, recordSize, searchTreeSize, ipVersion } = reader.metadata;
  if (ipVersion !== version) throw fail(`it is for IPv${ipVersion}, not IPv${version}`);
  if (!(nodeCount > 0) || searchTreeSize !== (nodeCount * recordSize) / 4) throw fail("its tree has no size");
  if (searchTreeSize + SEPARATOR_BYTES > bytes.length) throw fail("it is truncated");

  const readRecord = mmdbRecordReader(bytes, recordSize);
  if (readRecord === undefined) throw fail(`its records have ${recordSize} bits`);
  const first = new Uint32Array(version === 4 ? 1 : 4);
  const last = new Uint32Array(first.length);
  const depth = 32 * first.length;
  const records = new Map<number, unknown>();
  let visited = 0;

  const decode = (pointer: number): unknown => {
    if (records.has(pointer)) return records.get(pointer);
    try {
      const record: unknown = reader.get(formatWords(first));
      records.set(pointer, record);
      return record;
    } catch (cause) {
      throw fail("a record cannot be decoded", cause);
    }
  };
  const descend = (node: number, bits: number): void => {
    if (++visited > nodeCount || bits >= depth) throw fail("its tree loops");
    const w = bits >>> 5;
    const bit = (0x8000_0000 >>> (bits & 31)) >>> 0;
    for (const side of [0, 1] as const) {
      if (side === 1) first[w]! += bit;
      const child = readRecord(node, side);
      if (child < nodeCount) descend(child, bits + 1);
      else if (child > nodeCount) {
        const record = decode(child);
        last.set(first);
        last[w]! |= bit - 1;
        last.fill(0xffff_ffff, w + 1);
        visit(first, last, record);
      }
    }
    first[w]! -= bit;
  };
  descend(0, 0);
}

function formatWords(words: Uint32Array): string {
  if (words.length === 1) return [24, 16, 8, 0].map((shift) => ((words[0] ?? 0) >>> shift) & 255).join(".");
  return Array.from(words, (word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`).join(
    ":",
  );
}
