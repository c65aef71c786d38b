import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTable, replaceFile } from "#datasets";
import { compileSample, temporaryFolder } from "./kit.ts";

describe("replaceFile", () => {
  test("writes a new file and replaces an old one", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "a.table");
    replaceFile(file, Buffer.from("old"));
    replaceFile(file, Buffer.from("new"));
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(readdirSync(folder.path)).toEqual(["a.table"]);
  });

  test("keeps the old file and leaves no temporary file when the last step fails", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "a.table");
    mkdirSync(file);
    writeFileSync(join(file, "inside"), "kept");
    expect(() => replaceFile(file, Buffer.from("new"))).toThrow();
    expect(readFileSync(join(file, "inside"), "utf8")).toBe("kept");
    expect(readdirSync(folder.path)).toEqual(["a.table"]);
  });

  test("leaves a whole table when the process is killed while it writes", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "country.table");
    replaceFile(file, compileSample());
    const code = `import { replaceFile } from "#datasets";
      const bytes = await Bun.file(process.argv[1]).bytes();
      console.log("writing");
      for (;;) replaceFile(process.argv[1], bytes);`;
    for (let round = 0; round < 4; round++) {
      const project = join(import.meta.dir, "../..");
      const child = Bun.spawn([process.execPath, "-e", code, file], { cwd: project, stdout: "pipe" });
      await child.stdout.getReader().read();
      child.kill("SIGKILL");
      await child.exited;
      expect(openTable(file, { id: "country", decode: (text) => text }).facts.rows).toBe(3);
    }
  });
});
