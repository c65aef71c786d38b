import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DatasetError, readCsv, splitCsvLine } from "#datasets";

function readAll(csv: string): (readonly string[])[] {
  return Array.from(readCsv(csv, "a.csv"), ({ fields }) => fields);
}

describe("readCsv", () => {
  test("reads plain, quoted and empty fields, doubled quotes, line breaks within quotes, CR LF and no last newline", () => {
    expect(readAll('1,"Example, ""Inc"".",\r\n\n"a\nb","""",x')).toEqual([
      ["1", 'Example, "Inc".', ""],
      ["a\nb", '"', "x"],
    ]);
  });

  test("reads any text that was written, quoted or not", () => {
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

  test("returns the line on which a record begins", () => {
    const lines = Array.from(readCsv('a\n\n"b\n\nc",1\r\nd', "a.csv"), ({ line }) => line);
    expect(lines).toEqual([1, 3, 6]);
  });

  for (const csv of ['1\n"open', '1\n"a"b', '1\na"b', `1\n${",".repeat(16)}`, '1\n"', '1\n"a""']) {
    test(`refuses ${JSON.stringify(csv)} with file and line`, () => {
      expect(() => readAll(csv)).toThrow(DatasetError);
      expect(() => readAll(csv)).toThrow('Cannot read "a.csv": line 2: ');
    });
  }
});

describe("splitCsvLine", () => {
  test("splits at commas and resolves quotes", () => {
    expect(splitCsvLine("")).toEqual([""]);
    expect(splitCsvLine("a,b,,")).toEqual(["a", "b", "", ""]);
    expect(splitCsvLine('a,"b, c","d ""e""",f')).toEqual(["a", "b, c", 'd "e"', "f"]);
    expect(splitCsvLine('"a')).toEqual(["a"]);
    expect(splitCsvLine('"a""')).toEqual(['a"']);
  });

  test("reads quoted text", () => {
    const Fields = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(Fields, (fields) => {
        const line = fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(",");
        expect(splitCsvLine(line)).toEqual(fields);
      }),
    );
  });
});
