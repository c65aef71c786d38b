import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DatasetError } from "#datasets";
import { CsvCursor } from "../../src/datasets/csv_cursor.ts";

function readAll(csv: string): string[][] {
  const cursor = new CsvCursor(Buffer.from(csv), "a.csv");
  const records: string[][] = [];
  while (cursor.next()) records.push(Array.from({ length: cursor.size }, (_, field) => cursor.text(field)));
  return records;
}

describe("CsvCursor", () => {
  test("reads plain, quoted and empty fields, doubled quotes, line breaks within quotes, CR LF and no last newline", () => {
    expect(readAll('1,"Example, ""Inc"".",\r\n\n"a\nb","""",x')).toEqual([
      ["1", 'Example, "Inc".', ""],
      ["a\nb", '"', "x"],
    ]);
  });

  test("gives back whatever was written, quoted or not", () => {
    const field = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "é", "0", "𝒳") });
    const record = fc.array(field, { minLength: 2, maxLength: 5 });
    const write = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const csv = records.map((fields) => `${fields.map(write).join(",")}\n`).join("");
        expect(readAll(csv)).toEqual(records);
      }),
    );
  });

  test("reads integers and refuses signs, blanks, exponents and what no double holds", () => {
    const fields = ["0", "4294967295", "-1", " 1", "1e3", "", "12345678901234567"];
    const cursor = new CsvCursor(Buffer.from(fields.join(",")), "a.csv");
    cursor.next();
    expect(fields.map((_, field) => cursor.integer(field))).toEqual([
      0,
      4294967295,
      ...new Array<number>(5).fill(Number.NaN),
    ]);
    expect(cursor.integer(99)).toBeNaN();
  });

  for (const csv of ['1\n"open', '1\n"a"b', '1\na"b', `1\n${",".repeat(16)}`, '1\n"', '1\n"a""']) {
    test(`refuses ${JSON.stringify(csv)} with file and line`, () => {
      expect(() => readAll(csv)).toThrow(DatasetError);
      expect(() => readAll(csv)).toThrow('Cannot read "a.csv": line 2: ');
    });
  }
});
