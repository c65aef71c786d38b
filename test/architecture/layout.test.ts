import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import RULES from "./modules.json";
import { PROJECT, readSourceFiles } from "./source_files.ts";

/** Folders of `test` that mirror no module. `scenarios` and `slow` have a folder for each module they test. */
const OWN: readonly string[] = RULES.testFolders;

describe("the layout", () => {
  test("has only the entries and config.ts in the root of src", () => {
    const inRoot = readdirSync(join(PROJECT, "src"), { withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(inRoot.map(({ name }) => name).toSorted()).toEqual([
      "config.json",
      "config.ts",
      "library.ts",
      "main.ts",
    ]);
  });

  test("has the test of src/a/b.ts at test/a/b.test.ts", () => {
    const wrong = readSourceFiles("test").filter(({ path, module }) => {
      if (!path.endsWith(".test.ts") || OWN.includes(module)) return false;
      return !existsSync(join(PROJECT, "src", path.replace(".test.ts", ".ts")));
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe("tests", () => {
  test("await every expectation on a promise", () => {
    const others = readSourceFiles("test").filter(({ path }) => path !== "architecture/layout.test.ts");
    const wrong = others.flatMap(({ path, code }) => findUnawaited(code).map((line) => `${path}:${line}`));
    expect(wrong).toEqual([]);
  });

  test("that forget to await are found by this check", () => {
    expect(findUnawaited("await expect(f(1)).rejects.toThrow();\n  expect(f(2)).rejects.toThrow();")).toEqual(
      [2],
    );
    expect(findUnawaited("return expect(p).resolves.toBe(1);\nexpect(2).toBe(2);")).toEqual([]);
  });
});

/** Lines of `expect(…).rejects` and `expect(…).resolves` whose promise nobody waits for. */
function findUnawaited(code: string): readonly number[] {
  const lines: number[] = [];
  for (const match of code.matchAll(/(?<![\w.])expect\(/g)) {
    let depth = 0;
    let end = match.index + match[0].length - 1;
    for (; end < code.length; end += 1) {
      if (code[end] === "(") depth += 1;
      if (code[end] === ")") depth -= 1;
      if (depth === 0) break;
    }
    if (!/^\s*\.(?:rejects|resolves)\b/.test(code.slice(end + 1, end + 40))) continue;
    const before = code.slice(Math.max(0, match.index - 40), match.index).trimEnd();
    if (/(?:\bawait|\breturn|=>|[[,(=])$/.test(before)) continue;
    lines.push(code.slice(0, match.index).split("\n").length);
  }
  return lines;
}
