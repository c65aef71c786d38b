import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "#kit";
import { EXPORT_FORMATS, writeExport } from "../../../src/cli/export/formats.ts";
import { canLoad, LOADED_FORMATS, type LoadedFormat, loadList } from "./load_list.ts";

const folder = createTemporaryFolder("limpid-formats-");

const list = { comments: ["limpid: a list"], 4: ["192.0.2.0/24", "198.51.100.7/32"], 6: ["2001:db8::/32"] };

test("writes comments first, and one line for each prefix", () => {
  expect(writeExport("cidr", list)).toBe("# limpid: a list\n192.0.2.0/24\n198.51.100.7/32\n2001:db8::/32\n");
  expect(writeExport("nginx", list)).toContain("\n2001:db8::/32 1;\n");
});

describe.each(LOADED_FORMATS)("%s", (format) => {
  test.skipIf(!canLoad(format))("is loaded by the real program, again over itself, and empty", () => {
    expect(load(format, list)).toMatchObject({ code: 0, loaded: 3 });
    expect(load(format, { ...list, 4: [], 6: [] })).toMatchObject({ code: 0, loaded: 0 });
    expect(load(format, { ...list, 4: ["192.0.2.0/33"] })).not.toMatchObject({ code: 0 });
  });
});

function load(format: LoadedFormat, given: typeof list) {
  const file = join(folder, `list.${format}`);
  writeFileSync(file, writeExport(format, given));
  return loadList(format, file);
}

test("has a real program for every format but the plain one", () => {
  expect(Object.keys(EXPORT_FORMATS).sort()).toEqual(["cidr", ...LOADED_FORMATS].sort());
});
