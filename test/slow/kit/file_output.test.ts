import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileOutput, FILE_ENDED, readLines } from "../../kit/file_output.ts";
import { startGroup } from "../../kit/process_group.ts";

const project = join(import.meta.dir, "../../..");

test("the output of files that take turns is one block for each file with a failure, when the file ends", () => {
  const blocks: string[] = [];
  const output = createFileOutput((block) => blocks.push(block));
  for (const line of [
    "bun test v1",
    "",
    "test/a.test.ts:",
    "(pass) fine",
    "12 | wrong",
    "test/b.test.ts:",
    "(pass) good",
    "test/a.test.ts:",
    "error: one",
    "(fail) bad",
  ])
    output.add(line);
  expect(blocks).toEqual([]);
  output.add(`${FILE_ENDED} test/a.test.ts`);
  expect(blocks).toEqual(["test/a.test.ts:\n12 | wrong\nerror: one\n(fail) bad\n"]);
  output.add(`${FILE_ENDED} test/b.test.ts`);
  output.add("test/c.test.ts:");
  output.add("(fail) cut short");
  expect(blocks).toHaveLength(1);
  expect(output.end()).toEqual(["bun test v1", ""]);
  expect(blocks.slice(1)).toEqual(["test/c.test.ts:\n(fail) cut short\n"]);
});

test.each(["--isolate", "--parallel=2 --no-isolate"])("bun says when a file ends: %s", async (flags) => {
  // Inside the project, because the hook belongs to its bunfig.toml.
  const names = ["one", "two", "three"].map((name) => `test/slow/kit/zz_${name}_${process.pid}.test.ts`);
  const source = (name: string) => `import { expect, test } from "bun:test";
test("before", () => {});
test("fails", async () => { await Bun.sleep(50); expect("${name}").toBe(""); });
test("after", async () => { await Bun.sleep(50); });
`;
  for (const name of names) writeFileSync(join(project, name), source(name));
  try {
    const events: string[] = [];
    const output = createFileOutput((block) => events.push(block));
    const group = startGroup(
      [process.execPath, "test", ...flags.split(" "), ...names.map((name) => `./${name}`)],
      { cwd: project, env: { ...Bun.env, TEST_FILE_ENDS: "1" } },
    );
    for await (const line of readLines(group.output)) output.add(line);
    const whileRunning = [...events];
    output.end();
    expect(await group.exited).not.toBe(0);
    expect(events).toEqual(whileRunning);
    expect(events.map((block) => block.split(":")[0] ?? "").toSorted()).toEqual(names.toSorted());
    for (const block of events) {
      expect(block).toContain("(fail) fails");
      expect(block).not.toContain("(pass)");
      for (const name of names) if (!block.startsWith(name)) expect(block).not.toContain(name);
    }
  } finally {
    for (const name of names) rmSync(join(project, name), { force: true });
  }
});
