import { beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readToEnd, setUp, setUpService } from "#kit";
import { reportTextsOf } from "#locale";

const packages = join(import.meta.dir, "../../node_modules");

/** Runs a command in a folder. @throws with what it said unless it ends with 0. */
async function run(cwd: string, ...command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: Bun.env.PATH ?? "", HOME: cwd },
    stdout: "pipe",
    stderr: "pipe",
  });
  const { out, err, code } = await readToEnd(child);
  if (code !== 0) throw new Error(`Cannot run ${command.join(" ")}: it ended with ${code}: ${out}${err}`);
  return out;
}

/**
 * The generator is oazapfts: it makes one function an operation, and a union of types by status of its answer.
 * It has a TypeScript of its own inside its package, and needs no network.
 */
describe("a client generated from the running service's own description", () => {
  const setup = setUp("all");
  const service = setUpService({ LIMPID_EXEMPT_CLIENTS: "", LIMPID_OPEN_PER_DAY: "2" }, setup);
  let folder: string;

  beforeAll(async () => {
    folder = setup.makeFolder();
    symlinkSync(packages, join(folder, "node_modules"));
    copyFileSync(join(import.meta.dir, "program.ts.txt"), join(folder, "program.ts"));
    const description = await fetch(`${service.url}/openapi.json`);
    writeFileSync(join(folder, "openapi.json"), await description.text());
    await run(
      folder,
      process.execPath,
      "--bun",
      join(packages, ".bin/oazapfts"),
      "openapi.json",
      "client.ts",
      "--useUnknown",
    );
  });

  const compile = (): Promise<string> =>
    run(
      folder,
      join(packages, ".bin/tsc"),
      ..."--ignoreConfig --noEmit --strict --noUncheckedIndexedAccess --noUnusedLocals".split(" "),
      ..."--target esnext --module preserve --moduleResolution bundler --allowImportingTsExtensions".split(
        " ",
      ),
      ..."--lib esnext,dom,dom.iterable --types bun-types program.ts".split(" "),
    );

  test("compiles strictly, and its types see mistakes", async () => {
    expect(await compile()).toBe("");
  });

  test("is generated anew: what the description does not say does not compile", async () => {
    const program = join(folder, "program.ts");
    const text = await Bun.file(program).text();
    try {
      await Bun.write(program, text.replace("caller.data.ip", "caller.data.address"));
      await expect(compile()).rejects.toThrow("Property 'address' does not exist");
    } finally {
      await Bun.write(program, text);
    }
  });

  test("looks up, and tells what is refused", async () => {
    const out = await run(folder, process.execPath, "program.ts", service.url);
    const shown: unknown = Object.fromEntries(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
    const report = {
      ip: "8.8.9.10",
      version: 4,
      source: "fresh",
      lang: null,
      isPurity: true,
      scenarios: "ai,social,streaming,gaming,ecommerce,email",
      failed: 0,
      unknown: reportTextsOf("zh").unknowns.platform_labels.label,
    };
    const inEnglish = { lang: "en", unknown: reportTextsOf("en").unknowns.platform_labels.label };
    expect(shown).toEqual({
      zh: report,
      en: { ...report, source: "cache", ...inEnglish },
      ipv6: { ...report, ...inEnglish, ip: "2600:1f00::9", version: 6, failed: expect.any(Number) },
      report: [
        { ...report, source: "cache" },
        { ...report, source: "cache", ...inEnglish },
      ],
      text: true,
      caller: "127.0.0.1",
      health: "ok",
      invalid: ["invalid_ip", expect.stringContaining("300.1.1.1")],
      check: ["verification_required", "string", `${service.url}/en/ip/8.8.9.12`, "0"],
      compared: [
        [["8.8.9.10", "en"]],
        [["8.8.9.12", "verification_required", `${service.url}/en/ip/8.8.9.12`]],
      ],
      history: ["8.8.9.10", 1, true],
      markdown: true,
      gate: 200,
      refresh: "verification_required",
      limit: ["rate_limited", true],
    });
  });
});
