import { describe, expect, test } from "bun:test";
import { ExitError } from "#app";
import { createCellReader } from "../../../src/cli/batch/columns.ts";
import CASES from "../../fixtures/column_cells.json";

function readColumn(column: string, lines: readonly string[]) {
  return lines.map(createCellReader(column));
}

describe("createCellReader", () => {
  test.each(CASES as [string, string[], (string | null)[]][])(
    "reads column %s of %j",
    (column, lines, cells) => {
      expect(readColumn(column, lines)).toEqual(cells.map((cell) => cell ?? undefined));
    },
  );

  test.each([
    ["ip", "name,address"],
    ["2", '{"ip":"192.0.2.1"}'],
    ["0", "a,b"],
  ])("refuses the column %s of %j", (column, first) => {
    expect(() => readColumn(column, [first])).toThrow(ExitError);
  });

  test("takes time in proportion to the line", () => {
    const start = performance.now();
    for (const piece of [",", '"', '",', ' "a""b",', "{", "["]) {
      const line = `x,${piece.repeat(1_000_000 / piece.length)}`;
      readColumn("9999", [line, line]);
      readColumn("a.b", ['{"a":1}', piece.repeat(1_000_000 / piece.length)]);
    }
    expect(performance.now() - start).toBeLessThan(4000);
  });
});
