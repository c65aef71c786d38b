import { readFileSync, writeFileSync } from "node:fs";

/** A network of a table: first and last address, a number of 32 bits (IPv4) or 128 (IPv6), and who announces it. */
export interface NetworkRow {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
  readonly asn: number;
  readonly name: string;
}

/** Rows of an `asn-ipv4-num.csv` or `asn-ipv6-num.csv`: first, last, number, name (quoted where it holds a comma). */
export function readNetworkRows(path: string, version: 4 | 6): readonly NetworkRow[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, first, last, asn, name] = /^(\d+),(\d+),(\d+),(.*)$/.exec(line) ?? [];
      if (first === undefined || last === undefined || name === undefined) return [];
      const plain = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
      return [{ version, first: BigInt(first), last: BigInt(last), asn: Number(asn), name: plain }];
    });
}

const BITS_32 = 0xffffffffn;

/**
 * Writes a MaxMind DB of full size (https://maxmind.github.io/MaxMind-DB/) with the fields of GeoLite2-ASN: an IPv6
 * tree with IPv4 under `::/96`, records of 24 bits.
 * @throws when the rows are too many for records of that size.
 */
export function writeAsnMmdb(path: string, rows: readonly NetworkRow[]): void {
  // Two sides for each node: 0 is nothing, above 0 a node, below 0 a record (-1 - offset).
  let sides = new Int32Array(1 << 22);
  let nodes = 1;
  const put = (words: readonly number[], length: number, record: number) => {
    let node = 0;
    for (let depth = 0; ; depth += 1) {
      const at = node * 2 + (((words[depth >> 5] ?? 0) >>> (31 - (depth & 31))) & 1);
      if (depth === length - 1) {
        sides[at] = record;
        return;
      }
      const child = sides[at] ?? 0;
      if (child > 0) {
        node = child;
        continue;
      }
      if ((nodes + 1) * 2 > sides.length) {
        const larger = new Int32Array(sides.length * 2);
        larger.set(sides);
        sides = larger;
      }
      sides[at] = nodes;
      node = nodes;
      nodes += 1;
    }
  };
  const records: Buffer[] = [];
  const offsets = new Map<string, number>();
  let dataLength = 0;
  for (const { version, first, last, asn, name } of rows) {
    const key = `${asn} ${name}`;
    let offset = offsets.get(key);
    if (offset === undefined) {
      const record = encodeNetwork(asn, name);
      offset = dataLength;
      offsets.set(key, offset);
      records.push(record);
      dataLength += record.length;
    }
    const width = version === 4 ? 32 : 128;
    for (let start = first; start <= last; ) {
      let free = 0;
      while (
        free < width &&
        ((start >> BigInt(free)) & 1n) === 0n &&
        start + (2n << BigInt(free)) - 1n <= last
      )
        free += 1;
      const words = [96n, 64n, 32n, 0n].map((shift) => Number((start >> shift) & BITS_32));
      put(words, 128 - free, -1 - offset);
      start += 1n << BigInt(free);
    }
  }
  if (nodes + 16 + dataLength > 0xffffff) throw new Error(`Cannot write ${path}: too many records`);
  const tree = Buffer.alloc(nodes * 6);
  for (let at = 0; at < nodes * 2; at += 1) {
    const side = sides[at] ?? 0;
    tree.writeUIntBE(side > 0 ? side : side === 0 ? nodes : nodes + 16 + (-1 - side), at * 3, 3);
  }
  const metadata = encodeMap([
    ["node_count", encodeNumber(6, nodes)],
    ["record_size", encodeNumber(5, 24)],
    ["ip_version", encodeNumber(5, 6)],
    ["database_type", encodeText("asn")],
    ["languages", Buffer.from([0, 4])],
    ["binary_format_major_version", encodeNumber(5, 2)],
    ["binary_format_minor_version", encodeNumber(5, 0)],
    ["build_epoch", Buffer.from([4, 2, 0x6a, 0x18, 0, 0])],
    ["description", encodeMap([])],
  ]);
  const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
  writeFileSync(path, Buffer.concat([tree, Buffer.alloc(16), ...records, marker, metadata]));
}

function encodeNetwork(asn: number, name: string): Buffer {
  return encodeMap([
    ["autonomous_system_number", encodeNumber(6, asn)],
    ["autonomous_system_organization", encodeText(name)],
  ]);
}

/** Up to 284 bytes, one more of length from 29 on. */
function encodeText(value: string): Buffer {
  const bytes = Buffer.from(value).subarray(0, 284);
  const head = bytes.length < 29 ? [(2 << 5) | bytes.length] : [(2 << 5) | 29, bytes.length - 29];
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** Data types 5 (16 bits) and 6 (32 bits). */
function encodeNumber(type: 5 | 6, value: number): Buffer {
  const bytes = Buffer.alloc(type === 5 ? 2 : 4);
  bytes.writeUIntBE(value, 0, bytes.length);
  return Buffer.concat([Buffer.from([(type << 5) | bytes.length]), bytes]);
}

function encodeMap(entries: readonly (readonly [string, Buffer])[]): Buffer {
  const head = Buffer.from([(7 << 5) | entries.length]);
  return Buffer.concat([head, ...entries.flatMap(([key, value]) => [encodeText(key), value])]);
}
