import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseDataDirectory, ExitError, readSecret } from "#app";
import { createTemporaryFolder } from "#kit";

const silent = () => {};

const makeFolder = () => createTemporaryFolder("limpid-secret-");

function problemOf(folder: string): unknown {
  try {
    return readSecret(folder, silent);
  } catch (error) {
    return error;
  }
}

describe("readSecret()", () => {
  test("generates a secret once, readable by its owner only, and leaves no other file", () => {
    const folder = makeFolder();
    const secret = readSecret(folder, silent);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readSecret(folder, silent)).toBe(secret);
    expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["secret"]);
    expect(readSecret(makeFolder(), silent)).not.toBe(secret);
  });

  test("gives processes that start at the same time the same secret", async () => {
    const folder = makeFolder();
    // Four processes are enough: the test is about processes that look at the same moment.
    const script = `import { readSecret } from "./src/app/data_directory.ts"; process.stdout.write(readSecret(${JSON.stringify(folder)}, () => {}));`;
    const children = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", script], { cwd: join(import.meta.dir, "../.."), stderr: "inherit" }),
    );
    const secrets = await Promise.all(children.map(({ stdout }) => new Response(stdout).text()));
    expect(new Set(secrets)).toEqual(new Set([readSecret(folder, silent)]));
    expect(readdirSync(folder)).toEqual(["secret"]);
  });

  test("reads an operator's own secret, and warns when others can read it", () => {
    const folder = makeFolder();
    const path = join(folder, "secret");
    writeFileSync(path, "a-secret-of-the-operator\n");
    chmodSync(path, 0o640);
    const warnings: unknown[] = [];
    expect(readSecret(folder, (level, event, fields) => warnings.push({ level, event, ...fields }))).toBe(
      "a-secret-of-the-operator",
    );
    expect(warnings).toEqual([{ level: "warn", event: "secret_readable_by_others", path }]);
  });

  test.each([
    ["empty", ""],
    ["too short", "short\n"],
    ["two lines", "a-secret-of-two\nlines-of-text\n"],
  ])("refuses a file that is %s, by its name", (_what, text) => {
    const folder = makeFolder();
    writeFileSync(join(folder, "secret"), text);
    const problem = problemOf(folder);
    expect(problem).toBeInstanceOf(ExitError);
    expect(problem).toMatchObject({ code: 78, message: expect.stringContaining(join(folder, "secret")) });
  });

  test("reports a directory in which no secret can be written", () => {
    const folder = join(makeFolder(), "nowhere");
    expect(problemOf(folder)).toMatchObject({
      code: 73,
      message: expect.stringContaining(join(folder, "secret")),
    });
    const taken = makeFolder();
    mkdirSync(join(taken, "secret"));
    expect(problemOf(taken)).toBeInstanceOf(ExitError);
  });
});

test("chooseDataDirectory() takes ./data only if a server keeps its database there", () => {
  const before = process.cwd();
  try {
    process.chdir(makeFolder());
    expect(chooseDataDirectory("/data/of/user")).toBe("/data/of/user/limpid");
    expect(() => chooseDataDirectory("user/.local/share")).toThrow("HOME is not an absolute path");
    mkdirSync("data");
    writeFileSync("data/mine.csv", "");
    expect(chooseDataDirectory("/data/of/user")).toBe("/data/of/user/limpid");
    writeFileSync("data/limpid.db", "");
    expect(chooseDataDirectory("/data/of/user")).toBe("./data");
  } finally {
    process.chdir(before);
  }
});
