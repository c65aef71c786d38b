import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rewriteLibsql } from "../../src/rewrite_libsql.ts";

const installed = readFileSync(join(import.meta.dir, "../../node_modules/libsql/index.js"), "utf8");

describe("rewriteLibsql", () => {
  test("puts the body in, and leaves nothing that chooses at run time", () => {
    const rewritten = rewriteLibsql(installed, " return embedded;");
    expect(rewritten).toContain("function requireNative() { return embedded;\n}");
    expect(rewritten).not.toMatch(/@neon-rs\/load|detect-libc|require\(`/);
    expect(rewritten).toContain("} = requireNative();");
  });

  test.each([
    ["return require(`@libsql/", "return load(`@libsql/"],
    ['require("detect-libc")', 'require("detect-libc-2")'],
    ["function requireNative() {", "function loadNative() {"],
  ])("refuses a file in which %p is not what it was", (from, to) => {
    expect(installed).toContain(from);
    expect(() => rewriteLibsql(installed.replace(from, to), "")).toThrow("Cannot embed libSQL");
  });
});
