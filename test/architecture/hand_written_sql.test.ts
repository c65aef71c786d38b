import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import HAND_WRITTEN from "./hand_written_sql.json";

const source = join(import.meta.dir, "../../src");

/** Every statement that Drizzle does not build, by file and its first words, with the reason. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = HAND_WRITTEN;

/** A literal that begins like an SQL statement, in any case, also in Drizzle's `sql` template. */
const STATEMENT =
  /(["'`])\s*((?:select\s+(?:1\b|'|.{0,200}?\bfrom\b)|insert\s+(?:or\s+\w+\s+)?into\s|replace\s+into\s|update\s+\w+\s+set\b|delete\s+from\s|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(|(?:create|drop|alter)\s+(?:unique\s+|virtual\s+|temp\s+)?(?:table|index|view|trigger)\b|pragma\s+\w|vacuum\b|attach\s+database|begin\s+(?:exclusive|immediate|deferred)|reindex\b|analyze\b)(?:\\.|(?!\1)[\s\S])*)\1/gi;

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({
    name,
    code: readFileSync(join(source, name), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, ""),
  }));

function findStatements(code: string): string[] {
  return [...code.matchAll(STATEMENT)].map((match) => match[2] ?? "");
}

/** What a template puts into its SQL besides constants. */
function findValues(statement: string): readonly string[] {
  return statement.match(/\$\{(?![A-Z_]+\})[^}]*\}/g) ?? [];
}

test("SQL is written by hand only where Drizzle cannot build it", () => {
  for (const { name, code } of files) {
    const known = Object.keys(KNOWN[name] ?? {});
    const found = findStatements(code);
    const unknown = found.filter((statement) => !known.some((words) => statement.startsWith(words)));
    expect(unknown, `src/${name}: let Drizzle build it, or list it with a reason`).toEqual([]);
    const unused = known.filter((words) => !found.some((statement) => statement.startsWith(words)));
    expect(unused, `src/${name}: these are not there any more`).toEqual([]);
  }
  expect(Object.keys(KNOWN).filter((name) => !files.some((file) => file.name === name))).toEqual([]);
});

test("hand-written SQL contains constants of its file only: values are bound", () => {
  for (const { name, code } of files) {
    expect(findStatements(code).flatMap(findValues), `src/${name}`).toEqual([]);
    expect(code, `src/${name}`).not.toMatch(/\bsql\.raw\(/);
  }
});

test("the search finds statements in every way of writing them", () => {
  const examples = [
    '"select * from reports"',
    "`DELETE FROM reports`",
    "sql`INSERT INTO reports VALUES (1)`",
    "client.execute('update reports set a = 1')",
    "`\n  WITH n AS (SELECT 1) SELECT n FROM n`",
    '"drop table reports"',
  ];
  for (const example of examples) expect(findStatements(example), example).toHaveLength(1);
  const value = ["$", "{value}"].join("");
  const [statement = ""] = findStatements(`"SELECT a FROM t WHERE b = json('x') AND c = ${value}"`);
  expect(findValues(statement)).toEqual([value]);
});
