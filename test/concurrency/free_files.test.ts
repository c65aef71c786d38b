import { expect, test } from "bun:test";

/** Fills what the limit leaves, starts a compiler, frees it again. */
const PROGRAM = `
import { closeSync, openSync } from "node:fs";
import { hasFreeFiles } from "#concurrency";
import { createCompiler } from "#feeds";
const before = hasFreeFiles();
const opened = [];
try { for (;;) opened.push(openSync("/dev/null", "r")); } catch {}
const full = hasFreeFiles();
const problem = await createCompiler().run({}).catch(String);
for (const file of opened) closeSync(file);
process.stdout.write(JSON.stringify([before, full, problem, hasFreeFiles()]));
`;

test("no thread starts when the process cannot open its files, which would end the process", () => {
  const limited = ["sh", "-c", 'ulimit -n 200 && exec "$@"', "sh", process.execPath, "-e", PROGRAM];
  const { stdout, stderr } = Bun.spawnSync(limited, { cwd: `${import.meta.dir}/../..` });
  expect(JSON.parse(stdout.toString() || stderr.toString())).toEqual([
    true,
    false,
    "DatasetError: Cannot compile: too few files can be opened",
    true,
  ]);
});
