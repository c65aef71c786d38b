import { describe, expect, test } from "bun:test";
import { ExitError } from "#app";
import { createCellReader } from "../../../src/cli/batch/columns.ts";

function readColumn(column: string, lines: readonly string[]) {
  return lines.map(createCellReader(column));
}

describe("createCellReader", () => {
  test.each([
    ["ip", ["name,IP", "a,192.0.2.1", '"b, ""c""","y" ,z', "d"], [undefined, "192.0.2.1", "y", ""]],
    ["2", ["name,ip", "a,192.0.2.1"], [undefined, "192.0.2.1"]],
    ["2", ["a,192.0.2.1", 'b,"192.0.2.2:80"'], ["192.0.2.1", "192.0.2.2:80"]],
    ["2", ["a\t192.0.2.1\r", "\t192.0.2.2"], ["192.0.2.1", "192.0.2.2"]],
    ["ip", ["name;ip;x", "a, b;192.0.2.1;z"], [undefined, "192.0.2.1"]],
    ["2", ["a | 192.0.2.1 | x"], ["192.0.2.1"]],
    ["2", ["hk-01   192.0.2.1 x", " hk-02 192.0.2.2"], ["192.0.2.1", "192.0.2.2"]],
    ["1", ['"192.0.2.1,192.0.2.2'], ["192.0.2.1,192.0.2.2"]],
    ["ip", ["", "# comment", "ip,x", "192.0.2.1,2"], [undefined, undefined, undefined, "192.0.2.1"]],
    ["ip", ['{"ip":"192.0.2.1"}', '{"ip":1}', "broken", "{}"], ["192.0.2.1", "", "", ""]],
    ["request.client_ip", ['{"request":{"client_ip":"192.0.2.1"}}', '{"request":null}'], ["192.0.2.1", ""]],
    ["a.b", ['{"a.b":["192.0.2.1",5,"192.0.2.2"]}'], ["192.0.2.1 192.0.2.2"]],
    ["a.1", ['{"a":["x","192.0.2.1"]}'], ["192.0.2.1"]],
    ["__proto__.x", ['{"a":1}'], [""]],
  ] as const)("reads column %s", (column, lines, cells) => {
    expect(readColumn(column, lines)).toEqual([...cells]);
  });

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
