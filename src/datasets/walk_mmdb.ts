import { DatasetError } from "./files.ts";

/** Bytes between search tree and data section (MaxMind DB specification, "Data Section Separator"). */
const SEPARATOR_BYTES = 16;
/** Length of the prefix of IPv4 in a tree of IPv6; writers alias ::ffff:0:0/96 and 2002::/16 to it. */
const IPV4_AT_BITS = 96;

/**
 * Visits every network of a MaxMind DB file that has a record, in ascending order. `first` and `last` are its first and
 * last address in words, most significant first, reused between calls. `read` converts a record; it is called once for
 * each record in the file. In a file of IPv6, IPv4 is ::/96; aliases of it are skipped. mmdb-lib reads metadata and
 * records but cannot list networks: looking up each address takes 6 times as long in IPv4 and 17 times in IPv6, so the
 * tree is walked here (https://maxmind.github.io/MaxMind-DB/).
 * @throws {DatasetError} when the file is not a MaxMind DB file, has another IP version, or its tree has a loop.
 */
export async function walkMmdb<Value>(
  bytes: Buffer,
  file: string,
  version: 4 | 6,
  read: (record: unknown) => Value,
  visit: (first: Uint32Array, last: Uint32Array, value: Value) => void,
): Promise<void> {
  const fail = (why: string, cause?: unknown) =>
    new DatasetError(`Cannot read "${file}": ${why}`, cause === undefined ? undefined : { cause });
  // Loaded on first use, because a process that starts with finished tables does not need it.
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
  const values = new Map<number, Value>();
  let visited = 0;

  const decode = (pointer: number): Value => {
    const known = values.get(pointer);
    if (known !== undefined || values.has(pointer)) return known as Value;
    const value = read(get());
    values.set(pointer, value);
    return value;
  };
  const get = (): unknown => {
    try {
      return reader.get(formatWords(first));
    } catch (cause) {
      throw fail("a record cannot be decoded", cause);
    }
  };
  let ipv4Root = version === 6 ? 0 : -1;
  for (let bits = 0; bits < IPV4_AT_BITS && ipv4Root >= 0; bits++) {
    ipv4Root = readRecord(ipv4Root, 0);
    if (ipv4Root >= nodeCount) ipv4Root = -1;
  }
  const isAlias = (child: number, bits: number): boolean =>
    child === ipv4Root && !(bits === IPV4_AT_BITS && first.every((word) => word === 0));
  const descend = (node: number, bits: number): void => {
    if (++visited > nodeCount || bits >= depth) throw fail("its tree loops");
    const w = bits >>> 5;
    const bit = (0x8000_0000 >>> (bits & 31)) >>> 0;
    for (const side of [0, 1] as const) {
      if (side === 1) first[w]! += bit;
      const child = readRecord(node, side);
      if (child < nodeCount) {
        if (!isAlias(child, bits + 1)) descend(child, bits + 1);
      } else if (child > nodeCount) {
        const value = decode(child);
        last.set(first);
        last[w]! |= bit - 1;
        last.fill(0xffff_ffff, w + 1);
        visit(first, last, value);
      }
    }
    first[w]! -= bit;
  };
  descend(0, 0);
}

/**
 * Gives the function that reads the left (0) or right (1) record of a node of a MaxMind DB search tree, by the three
 * layouts of the specification (https://maxmind.github.io/MaxMind-DB/, "Node Layout"); undefined for another size.
 */
export function mmdbRecordReader(
  bytes: Buffer,
  recordSize: number,
): ((node: number, side: 0 | 1) => number) | undefined {
  if (recordSize === 24) return (node, side) => bytes.readUIntBE(6 * node + 3 * side, 3);
  if (recordSize === 32) return (node, side) => bytes.readUInt32BE(8 * node + 4 * side);
  if (recordSize !== 28) return undefined;
  return (node, side) => {
    const middle = bytes.readUInt8(7 * node + 3);
    const high = side === 0 ? middle >>> 4 : middle & 15;
    return high * 0x100_0000 + bytes.readUIntBE(7 * node + 4 * side, 3);
  };
}

function formatWords(words: Uint32Array): string {
  if (words.length === 1) return [24, 16, 8, 0].map((shift) => ((words[0] ?? 0) >>> shift) & 255).join(".");
  return Array.from(words, (word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`).join(
    ":",
  );
}
