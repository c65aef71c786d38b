import { describe, expect, test } from "bun:test";
import { readTsv } from "#tsv";

describe("readTsv()", () => {
  test("reads rows by the names of the columns, and skips comments and empty lines", () => {
    const text = "# A comment\nid\tname\n\n1\tOne\n# Another\n2\t\n";
    expect(readTsv(text, ["id", "name"])).toEqual([
      { id: "1", name: "One" },
      { id: "2", name: "" },
    ]);
  });

  test("refuses other columns, and a row with too few or too many fields", () => {
    expect(() => readTsv("id\n1\n", ["id", "name"])).toThrow('Cannot read "id"');
    expect(() => readTsv("", ["id"])).toThrow("Cannot read");
    for (const row of ["1", "1\tOne\t"])
      expect(() => readTsv(`id\tname\n${row}\n`, ["id", "name"])).toThrow(`Cannot read "${row}"`);
  });
});
