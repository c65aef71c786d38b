import { describe, expect, test } from "bun:test";
import { codeOf, readBatchArguments } from "../../../src/cli/batch/batch.ts";

const PIPE = { language: "en", isTerminal: false, hasColour: true } as const;
const TERMINAL = { ...PIPE, isTerminal: true };

describe("readBatchArguments", () => {
  test("takes the format of the rows from the name of the output by default", () => {
    expect(readBatchArguments(["a"], PIPE).format).toBe("ndjson");
    expect(readBatchArguments(["a", "--out", "b.csv"], PIPE).format).toBe("csv");
    expect(readBatchArguments(["a", "--out", "b.csv", "--format", "ndjson"], PIPE).format).toBe("ndjson");
  });

  test("writes a table to a terminal, in colours unless they are turned off", () => {
    expect(readBatchArguments(["a"], TERMINAL)).toMatchObject({ format: "table", isColoured: true });
    expect(readBatchArguments(["a", "--no-color"], TERMINAL).isColoured).toBe(false);
    expect(readBatchArguments(["a"], { ...TERMINAL, hasColour: false }).isColoured).toBe(false);
    expect(readBatchArguments(["a", "--format", "table"], PIPE).isColoured).toBe(false);
    expect(readBatchArguments(["a", "--out", "b"], TERMINAL).format).toBe("ndjson");
    expect(readBatchArguments(["a", "--format", "csv"], TERMINAL).format).toBe("csv");
  });
});

describe("codeOf", () => {
  const all = { rows: 9, unavailable: 0, below: 0, unknown: 0 };

  test("is that of the worst result: no answer, a mistake or no address, below the threshold, unknown, none", () => {
    expect(codeOf({ ...all, unavailable: 1, below: 1 }, { mistakes: 1 })).toBe(3);
    expect(codeOf({ ...all, below: 1 }, { mistakes: 1 })).toBe(2);
    expect(codeOf({ ...all, rows: 0 }, { mistakes: 0 })).toBe(2);
    expect(codeOf({ ...all, below: 1, unknown: 1 }, { mistakes: 0 })).toBe(1);
    expect(codeOf({ ...all, unknown: 1 }, { mistakes: 0 })).toBe(3);
    expect(codeOf(all, { mistakes: 0 })).toBe(0);
  });
});
