import { describe, expect, test } from "bun:test";
import { DatasetError } from "#datasets";
import { mmdbRecordReader, walkMmdb } from "../../src/datasets/walk_mmdb.ts";
import { encodeMmdb, type TestNetwork } from "./encode_mmdb.ts";

const NETWORKS: readonly TestNetwork[] = [
  { bits: "00000001", country: "NO" },
  { bits: "110000000000000000000010", country: "SE" },
  { bits: "11000000000000000000001100000001", country: "FI" },
  { bits: "111", country: "NO" },
];

const readCountry = (record: unknown) => (record as { country_code: string }).country_code;

async function walkAll(bytes: Uint8Array, version: 4 | 6): Promise<string[]> {
  const found: string[] = [];
  await walkMmdb(Buffer.from(bytes), "a.mmdb", version, readCountry, (first, last, country) => {
    const hex = (words: Uint32Array) =>
      Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
    found.push(`${hex(first)}-${hex(last)} ${country}`);
  });
  return found;
}

describe("walkMmdb", () => {
  for (const recordSize of [24, 28, 32] as const) {
    test(`visits every network in order in a tree with records of ${recordSize} bits`, async () => {
      expect(await walkAll(encodeMmdb(4, recordSize, NETWORKS), 4)).toEqual([
        "01000000-01ffffff NO",
        "c0000200-c00002ff SE",
        "c0000301-c0000301 FI",
        "e0000000-ffffffff NO",
      ]);
      const bits = (0x20010db8n << 96n).toString(2).padStart(128, "0");
      const ipv6 = [
        { bits: bits.slice(0, 32), country: "NO" },
        { bits: "1".repeat(128), country: "SE" },
      ];
      expect(await walkAll(encodeMmdb(6, recordSize, ipv6), 6)).toEqual([
        `20010db8${"0".repeat(24)}-20010db8${"f".repeat(24)} NO`,
        `${"f".repeat(32)}-${"f".repeat(32)} SE`,
      ]);
    });
  }

  test("refuses a file of the other IP version, a truncated file and another format, and names the file", async () => {
    const good = encodeMmdb(4, 24, NETWORKS);
    const metadata = good.subarray(good.length - 200);
    for (const [bytes, version] of [
      [good, 6],
      [metadata, 4],
      [new Uint8Array(1000), 4],
      [new Uint8Array(0), 4],
    ] as const) {
      const walked = walkAll(bytes, version);
      await expect(walked).rejects.toThrow(DatasetError);
      await expect(walked).rejects.toThrow('Cannot read "a.mmdb": ');
    }
  });

  test("finds IPv4 in a tree of IPv6 once, even if several prefixes point to it", async () => {
    const ipv6 = NETWORKS.map(({ bits, country }) => ({ bits: "0".repeat(96) + bits, country }));
    const aliases = ["0010000000000010", "0".repeat(80) + "1".repeat(16)];
    const bytes = encodeMmdb(
      6,
      28,
      ipv6,
      aliases.map((bits) => ({ bits, to: "0".repeat(96) })),
    );
    expect(await walkAll(bytes, 6)).toEqual(
      ["01000000-01ffffff NO", "c0000200-c00002ff SE", "c0000301-c0000301 FI", "e0000000-ffffffff NO"].map(
        (text) => text.replace(/(\w+)-(\w+)/, `${"0".repeat(24)}$1-${"0".repeat(24)}$2`),
      ),
    );
  });

  test("refuses a tree with a loop", async () => {
    const bytes = encodeMmdb(4, 24, NETWORKS);
    bytes.set([0, 0, 0, 0, 0, 0], 0);
    await expect(walkAll(bytes, 4)).rejects.toThrow("loops");
  });
});

describe("mmdbRecordReader", () => {
  test("reads both records of a node in the three layouts of the specification", () => {
    const bytes = Buffer.from("00000000000000000123456789abcdef", "hex");
    const read = (recordSize: number) => {
      const reader = mmdbRecordReader(bytes.subarray(8 - recordSize / 4), recordSize);
      return [reader?.(1, 0), reader?.(1, 1)];
    };
    expect(read(24)).toEqual([0x012345, 0x6789ab]);
    expect(read(28)).toEqual([0x6012345, 0x789abcd]);
    expect(read(32)).toEqual([0x01234567, 0x89abcdef]);
    expect(mmdbRecordReader(bytes, 16)).toBeUndefined();
  });
});
