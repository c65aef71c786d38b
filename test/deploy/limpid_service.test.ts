import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT } from "#app";
import { findProgram } from "#kit";

const unit = readFileSync(join(import.meta.dir, "../../deploy/limpid.service"), "utf8");
const analyze = findProgram("systemd-analyze");

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "limpid-unit-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The unit, with a program in the place of the binary, which is not installed here. */
function check(args: readonly string[], text = unit) {
  const file = join(folder, "limpid.service");
  writeFileSync(file, text.replace("/usr/local/bin/limpid", "/bin/true"));
  const { exitCode, stdout, stderr } = Bun.spawnSync([analyze ?? "", ...args, file]);
  return { code: exitCode, text: `${stdout}${stderr}` };
}

test("limpid.service does not restart after a failure that a restart cannot mend", () => {
  expect(unit).toMatch(new RegExp(`^RestartPreventExitStatus=${EXIT.software} ${EXIT.config}$`, "m"));
});

describe.skipIf(analyze === undefined)("limpid.service", () => {
  test("is a unit that systemd takes without a word", () => {
    expect(check(["verify"])).toEqual({ code: 0, text: "" });
    expect(check(["verify"], unit.replace("DynamicUser=yes", "DynamicUser=perhaps")).text).toContain(
      "perhaps",
    );
  });

  test("exposes little: less than 3 of 10", () => {
    const threshold = ["security", "--offline=true", "--no-pager", "--threshold=30"];
    expect(check(threshold).code).toBe(0);
    expect(check(threshold, unit.replace(/^(?:Protect|Restrict|SystemCall).*\n/gm, "")).code).not.toBe(0);
  });
});
