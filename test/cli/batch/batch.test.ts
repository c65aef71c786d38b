import { describe, expect, test } from "bun:test";
import { ExitError } from "#app";
import { readBatchArguments } from "../../../src/cli/batch/batch.ts";

describe("readBatchArguments", () => {
  test("takes the format of the rows from the name of the output by default", () => {
    expect(readBatchArguments(["a"]).format).toBe("ndjson");
    expect(readBatchArguments(["a", "--out", "b.csv"]).format).toBe("csv");
    expect(readBatchArguments(["a", "--out", "b.csv", "--format", "ndjson"]).format).toBe("ndjson");
  });

  test.each([
    [],
    ["a", "b"],
    ["a", "--parallel", "0"],
    ["a", "--parallel", "17"],
    ["a", "--parallel", "1e1"],
    ["a", "--format", "xml"],
    ["a", "--fail-below", "101"],
    ["a", "--fail-below", "-1"],
    ["a", "--nope"],
    ["a", "--out", "x", "--out", "y"],
  ])("refuses %p", (...args: string[]) => {
    expect(() => readBatchArguments(args)).toThrow(ExitError);
  });
});
