import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatasetError, openTable } from "#datasets";
import { address, compileSample, temporaryFolder } from "./kit.ts";

const wanted = { id: "country", decode: (text: string) => text };
const somewhere = address("192.0.2.1");

describe("openTable", () => {
  test("reads the zstd form where only that is there", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "country.table");
    writeFileSync(`${file}.zst`, Bun.zstdCompressSync(compileSample()));
    const table = openTable(file, wanted);
    expect(table.find(somewhere)).toBe("NO");
    expect(table.facts).toMatchObject({ file, bytes: compileSample().length });
  });

  test("prefers the plain file", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "country.table");
    writeFileSync(`${file}.zst`, Bun.zstdCompressSync(compileSample()));
    writeFileSync(file, compileSample("country", "DK"));
    expect(openTable(file, wanted).find(somewhere)).toBe("DK");
  });

  test.each([
    { what: "no zstd", bytes: new Uint8Array(64) },
    { what: "half of a zstd file", bytes: Bun.zstdCompressSync(compileSample()).subarray(0, 80) },
    { what: "another file in zstd", bytes: Bun.zstdCompressSync(new Uint8Array(64)) },
  ])("refuses $what with the name of the file", ({ bytes }) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "country.table");
    writeFileSync(`${file}.zst`, bytes);
    expect(() => openTable(file, wanted)).toThrow(DatasetError);
    expect(() => openTable(file, wanted)).toThrow(`Cannot use table "${file}`);
  });
});
