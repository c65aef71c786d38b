/** The content of a record: texts, lists and maps of them. */
export type TestRecord = string | readonly TestRecord[] | { readonly [key: string]: TestRecord };

/**
 * One network of a test file: the bits of its prefix, and its record, or its country, for the record `{ country_code
 * }`.
 */
export interface TestNetwork {
  readonly bits: string;
  readonly country: string;
  readonly record?: TestRecord;
}

interface Node {
  readonly sides: [Node | string | undefined, Node | string | undefined];
}

/**
 * Writes a MaxMind DB file by the specification (https://maxmind.github.io/MaxMind-DB/), `aliases` are prefixes that
 * point to the node of another prefix.
 */
export function encodeMmdb(
  version: 4 | 6,
  recordSize: 24 | 28 | 32,
  networks: readonly TestNetwork[],
  aliases: readonly { readonly bits: string; readonly to: string }[] = [],
): Uint8Array {
  const root: Node = { sides: [undefined, undefined] };
  const nodes = [root];
  const put = (bits: string, what: Node | string) => {
    let node = root;
    [...bits].forEach((bit, depth) => {
      const side = bit === "1" ? 1 : 0;
      if (depth === bits.length - 1) {
        node.sides[side] = what;
        return;
      }
      let child = node.sides[side];
      if (typeof child !== "object") {
        child = { sides: [undefined, undefined] };
        node.sides[side] = child;
        nodes.push(child);
      }
      node = child;
    });
  };
  const find = (bits: string) => {
    let at: Node | string | undefined = root;
    for (const bit of bits) at = typeof at === "object" ? at.sides[bit === "1" ? 1 : 0] : undefined;
    return at;
  };
  const keyOf = ({ country, record = { country_code: country } }: TestNetwork) => JSON.stringify(record);
  for (const network of networks) put(network.bits, keyOf(network));
  for (const { bits, to } of aliases) put(bits, find(to) ?? "{}");
  const keys = [...new Set([...networks.map(keyOf), "{}"])];
  const records = keys.map((key) => encodeRecord(JSON.parse(key)));
  const offsets = new Map(keys.map((key, i) => [key, records.slice(0, i).flat().length]));
  const pointer = (side: Node | string | undefined) =>
    side === undefined
      ? nodes.length
      : typeof side === "string"
        ? nodes.length + 16 + (offsets.get(side) ?? 0)
        : nodes.indexOf(side);
  const tree = nodes.flatMap(({ sides: [left, right] }) => node(pointer(left), pointer(right), recordSize));
  const metadata = map([
    ["node_count", uint(6, nodes.length)],
    ["record_size", uint(5, recordSize)],
    ["ip_version", uint(5, version)],
    ["database_type", text("test")],
    ["languages", [0, 4]],
    ["binary_format_major_version", uint(5, 2)],
    ["binary_format_minor_version", uint(5, 0)],
    ["build_epoch", [8, 2, ...bytes(1_780_000_000, 8)]],
    ["description", map([])],
  ]);
  const marker = [0xab, 0xcd, 0xef, ...Buffer.from("MaxMind.com")];
  return new Uint8Array([
    ...tree,
    ...new Array<number>(16).fill(0),
    ...records.flat(),
    ...marker,
    ...metadata,
  ]);
}

function node(left: number, right: number, recordSize: 24 | 28 | 32): number[] {
  if (recordSize !== 28) return [...bytes(left, recordSize / 8), ...bytes(right, recordSize / 8)];
  const middle = ((left >>> 24) << 4) | (right >>> 24);
  return [...bytes(left & 0xffffff, 3), middle, ...bytes(right & 0xffffff, 3)];
}

function bytes(value: number, length: number): number[] {
  return Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256);
}

function encodeRecord(record: TestRecord): number[] {
  if (typeof record === "string") return text(record);
  if (Array.isArray(record)) return [record.length, 4, ...record.flatMap(encodeRecord)];
  return map(Object.entries(record).map(([key, value]) => [key, encodeRecord(value)] as const));
}

/** Encodes a text of up to 28 bytes. */
function text(value: string): number[] {
  const encoded = Buffer.from(value);
  return [(2 << 5) | encoded.length, ...encoded];
}

/** Data types 5 (16 bits) and 6 (32 bits). */
function uint(type: 5 | 6, value: number): number[] {
  const length = type === 5 ? 2 : 4;
  return [(type << 5) | length, ...bytes(value, length)];
}

function map(entries: readonly (readonly [string, readonly number[]])[]): number[] {
  return [(7 << 5) | entries.length, ...entries.flatMap(([key, value]) => [...text(key), ...value])];
}
