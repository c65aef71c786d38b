import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const project = join(import.meta.dir, "../../..");
const document = readFileSync(join(project, "docs/security.md"), "utf8");
const rows = document
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:---|risk|requirement) /.test(line))
  .map((line) => line.split(" | "));

/** A test is named by its file and its name, or by what its name ends with where one test has many cases. */
const NAMED = /`(test\/[^`]+\.ts)` “([^”]+)”/g;

test("every row names tests, and every test that is named exists", () => {
  expect(rows.length).toBeGreaterThan(35);
  const wrong: string[] = [];
  for (const [threat = "", , tests = ""] of rows) {
    const named = [...tests.matchAll(NAMED)];
    if (named.length === 0) wrong.push(`${threat}: names no test`);
    for (const [, file = "", name = ""] of named) {
      const path = join(project, file);
      const isThere = existsSync(path) && holds(readFileSync(path, "utf8"), name);
      if (!isThere) wrong.push(`${threat}: ${file} has no "${name}"`);
    }
  }
  expect(wrong).toEqual([]);
});

test("all ten risks have a row", () => {
  for (let risk = 1; risk <= 10; risk++)
    expect(rows.filter(([name]) => name?.startsWith(`| API${risk} `))).toHaveLength(1);
});

test("every file of attacks is named", () => {
  const files = readdirSync(import.meta.dir).filter((name) => name.endsWith(".test.ts"));
  for (const file of files) expect(document).toContain(`test/proof/attack/${file}`);
});

/** As the title of a test or a group; with cases it begins with one. */
function holds(source: string, name: string): boolean {
  const title = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?:test|describe|\\))[^\\n]*\\(\\s*["\`](?:[^"\`\\n]*%s[^"\`\\n]*?)?${title}["\`]`).test(
    source,
  );
}
