import { expect, test } from "bun:test";
import { classifyReverseName } from "../../src/evidence/reverse_names.ts";
import NAMES from "../fixtures/evidence/names.json";

test.each([...NAMES.reverse, ["a".repeat(70_000), null]] as [string, string | null][])(
  "%.60s is %s",
  (name, kind) => {
    expect<string | null>(classifyReverseName(name) ?? null).toBe(kind);
  },
);
