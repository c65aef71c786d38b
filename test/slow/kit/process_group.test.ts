import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "#kit";
import { readLines } from "../../kit/file_output.ts";
import { startGroup } from "../../kit/process_group.ts";

/** A shell that starts two other processes, writes their ids, and waits. */
const FAMILY = ["sh", "-c", "sleep 300 & echo $!; (sleep 300 & echo $!; wait) & wait"];

/** A process that lives, also when its parent is gone; one that only waits to be collected is dead. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function untilDead(pids: readonly number[]): Promise<void> {
  const end = performance.now() + 10_000;
  while (pids.some(isAlive)) {
    if (performance.now() > end) throw new Error(`still running: ${pids.filter(isAlive)}`);
    await Bun.sleep(20);
  }
}

async function readPids(output: ReadableStream<Uint8Array>): Promise<readonly number[]> {
  const pids: number[] = [];
  for await (const line of readLines(output)) if (pids.push(Number(line)) === 2) break;
  expect(pids.every(isAlive)).toBe(true);
  return pids;
}

describe("a process group", () => {
  test("gives the output of both kinds and the exit code of its program", async () => {
    const group = startGroup(["sh", "-c", "echo one; echo two >&2; cat; exit 3"], { cwd: import.meta.dir });
    expect(await new Response(group.output).text()).toBe("one\ntwo\n");
    expect(await group.exited).toBe(3);
  });

  test("ends as a whole when it is killed", async () => {
    const group = startGroup(FAMILY, { cwd: import.meta.dir });
    const pids = await readPids(group.output);
    group.kill();
    await group.exited;
    await untilDead(pids);
  });

  test("ends as a whole when its program ends", async () => {
    const group = startGroup(["sh", "-c", "sleep 300 >/dev/null & echo $!"], { cwd: import.meta.dir });
    const pid = Number(await new Response(group.output).text());
    await group.exited;
    await untilDead([pid]);
  });

  test.each(["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"] as const)(
    "ends as a whole when the process that started it ends by %s",
    async (signal) => {
      const folder = createTemporaryFolder("limpid-group-");
      const starter = join(folder, "starter.ts");
      const kit = join(import.meta.dir, "../../kit/process_group.ts");
      writeFileSync(
        starter,
        `import { startGroup } from ${JSON.stringify(kit)};
const group = startGroup(${JSON.stringify(FAMILY)}, { cwd: "/" });
for await (const chunk of group.output) await Bun.write(Bun.stdout, chunk);
`,
      );
      const child = Bun.spawn([process.execPath, starter], { stdout: "pipe" });
      const pids = await readPids(child.stdout);
      child.kill(signal);
      await child.exited;
      await untilDead(pids);
    },
  );
});
