import { constants as zlib, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import * as v from "valibot";
import { DatasetError, LIST_MEANINGS, type RangeSet, unionRanges } from "#datasets";

const DaySchema = v.pipe(v.string(), v.isoDate());
const CountSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000_000));

/** A list of the snapshot. All its ranges have one meaning and one label. */
const SnapshotListSchema = v.strictObject({
  /** The id of the feed whose place the list takes until its first good download. */
  feed: v.string(),
  /** The date on which the publisher had these ranges, YYYY-MM-DD. */
  date: DaySchema,
  publisher: v.string(),
  /** Where the ranges are from: repository, file and commit. */
  origin: v.string(),
  licence: v.string(),
  meaning: v.picklist(LIST_MEANINGS),
  label: v.exactOptional(v.string()),
  /** Ranges after neighbours are merged, by family. */
  ipv4: CountSchema,
  ipv6: CountSchema,
});

/** The lists of the snapshot in the order of their ranges, and the XXH3-64 of the unpacked ranges. */
export const SnapshotContentsSchema = v.strictObject({
  checksum: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
  lists: v.pipe(v.array(SnapshotListSchema), v.maxLength(200)),
});

export type SnapshotList = v.InferOutput<typeof SnapshotListSchema>;
export type SnapshotContents = v.InferOutput<typeof SnapshotContentsSchema>;

/** A list before it is packed: its facts, and its ranges in any order. */
export interface UnpackedList {
  readonly facts: Omit<SnapshotList, "ipv4" | "ipv6">;
  readonly ipv4: RangeSet;
  readonly ipv6: RangeSet;
}

/** Most bytes of the unpacked ranges: a damaged file must not use all memory. */
const MAX_UNPACKED = 16_777_216;
/** The highest level below zstd's ultra levels. The file is packed once. */
const LEVEL = 19;

/**
 * Packs lists. A list is two runs of numbers, IPv4 then IPv6: how many boundaries follow, then the distance of each
 * boundary from the one before it. Ranges begin at the first, third, fifth … boundary and end before the next one.
 * Numbers are unsigned LEB128 (DWARF 5, section 7.6); the whole is compressed with zstd.
 */
export function packSnapshot(lists: readonly UnpackedList[]): {
  readonly contents: SnapshotContents;
  readonly bytes: Uint8Array;
} {
  const numbers: number[] = [];
  const packed = lists.map(({ facts, ipv4, ipv6 }): SnapshotList => {
    const counts = [ipv4, ipv6].map((ranges) => {
      const boundaries = listBoundaries(ranges);
      writeNumber(numbers, BigInt(boundaries.length));
      let before = 0n;
      for (const boundary of boundaries) {
        writeNumber(numbers, boundary - before);
        before = boundary;
      }
      return Math.ceil(boundaries.length / 2);
    });
    return { ...facts, ipv4: counts[0] ?? 0, ipv6: counts[1] ?? 0 };
  });
  const plain = Uint8Array.from(numbers);
  return {
    contents: { checksum: checksumOf(plain), lists: packed },
    bytes: zstdCompressSync(plain, { params: { [zlib.ZSTD_c_compressionLevel]: LEVEL } }),
  };
}

/**
 * Unpacks the lists and adds each range to `add`, with the position of its list.
 * @throws {DatasetError} when the bytes do not belong to the contents.
 */
export function unpackSnapshot(
  { checksum, lists }: SnapshotContents,
  bytes: Uint8Array,
  add: (version: 4 | 6, first: readonly number[], last: readonly number[], list: number) => void,
): void {
  const plain = unpack(bytes);
  if (checksumOf(plain) !== checksum) throw snapshotError("its checksum does not match its list of contents");
  const reader = new NumberReader(plain);
  for (const [index, list] of lists.entries()) {
    for (const version of [4, 6] as const) {
      const count = Number(reader.next());
      if (Math.ceil(count / 2) !== (version === 4 ? list.ipv4 : list.ipv6))
        throw snapshotError(`it has another number of ranges of "${list.feed}" than its list of contents`);
      const end = 1n << (version === 4 ? 32n : 128n);
      let first = 0n;
      let boundary = 0n;
      for (let at = 0; at < count; at++) {
        boundary += reader.next();
        if (boundary >= end) throw snapshotError(`a range of "${list.feed}" ends outside of IPv${version}`);
        if (at % 2 === 0) first = boundary;
        else add(version, splitWords(version, first), splitWords(version, boundary - 1n), index);
      }
      if (count % 2 === 1) add(version, splitWords(version, first), splitWords(version, end - 1n), index);
    }
  }
  reader.finish();
}

/** Creates the error about the file of ranges. */
export function snapshotError(problem: string, cause?: unknown): DatasetError {
  return new DatasetError(
    `Cannot use the snapshot of lists: ${problem}`,
    cause === undefined ? undefined : { cause },
  );
}

/** Lists where ranges begin and end, ascending; overlapping and neighbouring ranges are merged. */
function listBoundaries(ranges: RangeSet): readonly bigint[] {
  const { starts, ids } = unionRanges(ranges, () => 1);
  const boundaries: bigint[] = [];
  for (let row = 0; row < ids.length; row++) {
    // The first row begins at zero and is a gap, because no list contains 0.0.0.0 or ::.
    if (row === 0 && ids[0] === 0) continue;
    boundaries.push(starts.reduce((sum, column) => (sum << 32n) | BigInt(column[row] ?? 0), 0n));
  }
  return boundaries;
}

function splitWords(version: 4 | 6, address: bigint): readonly number[] {
  if (version === 4) return [Number(address)];
  return [96n, 64n, 32n, 0n].map((shift) => Number((address >> shift) & 0xffff_ffffn));
}

function writeNumber(into: number[], number: bigint): void {
  let rest = number;
  for (; rest >= 0x80n; rest >>= 7n) into.push(Number(rest & 0x7fn) | 0x80);
  into.push(Number(rest));
}

/** Reads unsigned LEB128 numbers of at most 128 bits. */
class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): bigint {
    let number = 0n;
    for (let shift = 0n; shift < 133n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw snapshotError("it is cut short");
      number |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    throw snapshotError("a number is too long");
  }

  finish(): void {
    if (this.#at !== this.#bytes.length) throw snapshotError("bytes follow its last list");
  }
}

function unpack(bytes: Uint8Array): Uint8Array {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch (cause) {
    throw snapshotError("it cannot be unpacked", cause);
  }
}

function checksumOf(bytes: Uint8Array): string {
  return Bun.hash.xxHash3(bytes).toString(16).padStart(16, "0");
}
