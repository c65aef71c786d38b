import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, findProgram } from "#kit";
import { readExportArguments } from "../../src/cli/export/export.ts";

const analyze = findProgram("systemd-analyze");
const read = (name: string) => readFileSync(join(import.meta.dir, "../../deploy/export", name), "utf8");

test("the unit has arguments that limpid export takes, and loads the file that it writes", () => {
  const [, args = "", loaded] =
    /^ExecStart=\/usr\/local\/bin\/limpid export (.*)\nExecStart=\/usr\/sbin\/nft -f (.*)$/m.exec(
      read("limpid-export.service").replace(/\n#.*/g, ""),
    ) ?? [];
  expect(readExportArguments(args.split(" "))).toMatchObject({ format: "nft", out: loaded, minSources: 2 });
});

describe.skipIf(analyze === undefined)("limpid-export", () => {
  test("is a unit and a timer that systemd takes without a word", () => {
    const folder = createTemporaryFolder("limpid-export-");
    const files = ["limpid-export.service", "limpid-export.timer"].map((name) => {
      const text = read(name)
        .replace("/usr/local/bin/limpid", "/bin/true")
        .replace("/usr/sbin/nft", "/bin/true");
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const { exitCode, stdout, stderr } = Bun.spawnSync([analyze ?? "", "verify", ...files]);
    expect({ code: exitCode, text: `${stdout}${stderr}` }).toEqual({ code: 0, text: "" });
  });
});
