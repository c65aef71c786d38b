import { beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createTemporaryFolder } from "#kit";
import { loadNativePart, rewriteLibsql } from "../../src/build/libsql.ts";

const original = readFileSync(join(import.meta.dir, "../../node_modules/libsql/index.js"), "utf8");

describe("rewriteLibsql", () => {
  test("replaces the function body and the loaders that decide at run time", () => {
    const rewritten = rewriteLibsql(original, " return embedded;");
    expect(rewritten).toContain("function requireNative() { return embedded;\n}");
    expect(rewritten).not.toMatch(/@neon-rs\/load|detect-libc|require\(`/);
    expect(rewritten).toContain("} = requireNative();");
  });

  test.each([
    ["return require(`@libsql/", "return load(`@libsql/"],
    ['require("detect-libc")', 'require("detect-libc-2")'],
    ["function requireNative() {", "function loadNative() {"],
  ])("refuses a file in which %p is not what it was", (from, to) => {
    expect(original).toContain(from);
    expect(() => rewriteLibsql(original.replace(from, to), "")).toThrow("Cannot embed libSQL");
  });
});

const { familySync } = createRequire(require.resolve("libsql"))("detect-libc") as {
  familySync: () => string | null;
};
const kind = familySync() === "musl" ? "musl" : "gnu";
const installed = join(
  dirname(require.resolve("libsql/package.json")),
  `../@libsql/${process.platform}-${process.arch}-${kind}/index.node`,
);

let folder: string;
let embedded: string;

beforeEach(() => {
  folder = createTemporaryFolder("limpid-native-");
  embedded = join(folder, "part.zst");
  mkdirSync(join(folder, "own"));
});

describe.skipIf(process.platform !== "linux")("loadNativePart", () => {
  test("loads at the first call through the first writable folder, and leaves no file there", () => {
    const part = loadNativePart(embedded, [join(folder, "absent"), join(folder, "own")]);
    // The file is written only now, because nothing has read it yet.
    writeFileSync(embedded, Bun.zstdCompressSync(readFileSync(installed)));
    const database = part.databaseOpen?.(join(folder, "a.db"), "", "aes256cbc", "", 0, "");
    expect(database).toBeDefined();
    part.databaseClose?.call(database);
    expect(readdirSync(join(folder, "own"))).toEqual([]);
  });

  test("reports for every folder why loading failed", () => {
    writeFileSync(embedded, Bun.zstdCompressSync(new Uint8Array(64)));
    const part = loadNativePart(embedded, [join(folder, "absent"), join(folder, "own")]);
    expect(() => part.databaseOpen?.()).toThrow(
      /^Cannot load the database's native part: ENOENT.*absent.*; .*own.*$/s,
    );
    expect(readdirSync(join(folder, "own"))).toEqual([]);
  });
});
