import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatasetError, openTable, readTable } from "#datasets";
import { createTemporaryFolder, readAddress } from "#kit";
import { checksumTable, locateSections, readTableHeader } from "../../src/datasets/table_format.ts";
import { compileSample } from "./kit.ts";

const WANTED = { id: "country", decode: (text: string) => text };

/** Changes bytes and corrects the checksum, as a broken or hostile writer can do. */
function forge(change: (view: DataView, bytes: Uint8Array) => void): Uint8Array<ArrayBuffer> {
  const bytes = compileSample();
  const view = new DataView(bytes.buffer);
  change(view, bytes);
  view.setBigUint64(8, checksumTable(bytes), true);
  return bytes;
}

describe("readTable", () => {
  test("accepts an intact table", () => {
    const table = readTable(compileSample(), "a.table", WANTED);
    expect(table.facts).toMatchObject({ id: "country", origin: "sample@1", date: "2026-06-17", rows: 3 });
    expect(table.find(readAddress("192.0.2.77"))).toBe("NO");
    expect(table.find(readAddress("192.0.3.0"))).toBeUndefined();
    expect(table.find(readAddress("2001:db8:ffff::1"))).toBe("FI");
  });

  test("refuses a table with any changed byte", () => {
    const intact = compileSample();
    for (let at = 0; at < intact.length; at++) {
      const bytes = intact.slice();
      bytes[at]! ^= 1 << (at % 8);
      expect(() => readTable(bytes, "a.table", WANTED)).toThrow(DatasetError);
    }
  });

  test("refuses a table that is cut at any length, or has more bytes", () => {
    const intact = compileSample();
    for (let length = 0; length < intact.length; length++) {
      expect(() => readTable(intact.slice(0, length), "a.table", WANTED)).toThrow(DatasetError);
    }
    const longer = new Uint8Array(intact.length + 1);
    longer.set(intact);
    expect(() => readTable(longer, "a.table", WANTED)).toThrow("instead of");
  });

  const cases: readonly (readonly [string, Uint8Array<ArrayBuffer>, string])[] = [
    ["an empty file", new Uint8Array(0), "empty"],
    ["a foreign file", new Uint8Array(Buffer.from("SQLite format 3\0".repeat(40))), "not a range table"],
    ["a short foreign file", new Uint8Array([1, 2, 3]), "not a range table"],
    ["a truncated file", compileSample().slice(0, 300), "truncated"],
    ["a damaged file", compileSample().fill(7, 300, 301), "checksum"],
    ["another table", compileSample("asn"), 'holds "asn"'],
    ["a later format", forge((view) => view.setUint32(4, 3, true)), "format 3"],
    ["counts beyond the file", forge((view) => view.setUint32(28, 1_000_000, true)), "contradicts"],
    ["a family flag without rows", forge((view) => view.setUint32(24, 1, true)), "contradicts"],
    ["ids of three bytes", forge((view) => view.setUint32(40, 3, true)), "3 bytes"],
    ["starts out of order", forge((view) => view.setUint32(256 + 8, 1, true)), "out of order"],
    ["starts that do not begin at zero", forge((view) => view.setUint32(256, 1, true)), "out of order"],
  ];
  for (const [name, bytes, why] of cases) {
    test(`refuses ${name} with the file and the reason`, () => {
      const read = () => readTable(bytes, "some/a.table", WANTED);
      expect(read).toThrow(DatasetError);
      expect(read).toThrow('"some/a.table"');
      expect(read).toThrow(why);
    });
  }

  test("refuses a second IPv6 start that is not behind the first in its lower words", () => {
    const sections = locateSections(readTableHeader(compileSample(), "a.table"));
    const bytes = forge((view) => {
      const rows = readTableHeader(compileSample(), "a.table").rows6;
      view.setUint32(sections.starts6 + 4, 0, true);
      view.setUint32(sections.starts6 + 4 * rows + 4, 0, true);
    });
    expect(() => readTable(bytes, "a.table", WANTED)).toThrow("out of order");
  });

  test("throws at the lookup for an id without a value and for a value without text", () => {
    const sections = locateSections(readTableHeader(compileSample(), "a.table"));
    const strayId = forge((view) => view.setUint16(sections.ids4 + 2, 999, true));
    const strayText = forge((view) => view.setUint32(sections.valueOffsets + 4, 0xffff_ffff, true));
    const badText = forge((_, bytes) => bytes.fill(0xff, sections.valueText, sections.valueText + 1));
    for (const bytes of [strayId, strayText, badText]) {
      const table = readTable(bytes, "a.table", WANTED);
      expect(() => table.find(readAddress("192.0.2.1"))).toThrow(DatasetError);
      expect(() => table.find(readAddress("192.0.2.1"))).toThrow('"a.table"');
      expect(table.find(readAddress("198.51.101.0"))).toBeUndefined();
    }
  });
});

describe("openTable", () => {
  test("opens a file, and the table still works when the file is replaced or cut", () => {
    const file = join(createTemporaryFolder("limpid-datasets-"), "country.table");
    writeFileSync(file, compileSample());
    const table = openTable(file, WANTED);
    writeFileSync(file, "");
    expect(table.find(readAddress("198.51.100.1"))).toBe("SE");
  });

  test("names the path when there is no file, or when it is not a regular file", () => {
    const file = join(createTemporaryFolder("limpid-datasets-"), "country.table");
    expect(() => openTable(file, WANTED)).toThrow(`Cannot use table "${file}": there is no such file`);
    mkdirSync(file);
    expect(() => openTable(file, WANTED)).toThrow(`Cannot use table "${file}": it is not a regular file`);
  });
});

describe("openTable", () => {
  test("reads the zstd file when there is no plain file", () => {
    const file = join(createTemporaryFolder("limpid-datasets-"), "country.table");
    writeFileSync(`${file}.zst`, Bun.zstdCompressSync(compileSample()));
    const table = openTable(file, WANTED);
    expect(table.find(readAddress("192.0.2.1"))).toBe("NO");
    expect(table.facts).toMatchObject({ file, bytes: compileSample().length });
  });

  test("prefers the plain file", () => {
    const file = join(createTemporaryFolder("limpid-datasets-"), "country.table");
    writeFileSync(`${file}.zst`, Bun.zstdCompressSync(compileSample()));
    writeFileSync(file, compileSample("country", "DK"));
    expect(openTable(file, WANTED).find(readAddress("192.0.2.1"))).toBe("DK");
  });

  test.each([
    { what: "no zstd", bytes: new Uint8Array(64) },
    { what: "half of a zstd file", bytes: Bun.zstdCompressSync(compileSample()).subarray(0, 80) },
    { what: "another file in zstd", bytes: Bun.zstdCompressSync(new Uint8Array(64)) },
  ])("refuses $what with the name of the file", ({ bytes }) => {
    const file = join(createTemporaryFolder("limpid-datasets-"), "country.table");
    writeFileSync(`${file}.zst`, bytes);
    expect(() => openTable(file, WANTED)).toThrow(DatasetError);
    expect(() => openTable(file, WANTED)).toThrow(`Cannot use table "${file}`);
  });
});
