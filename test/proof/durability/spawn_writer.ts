import { readFileSync } from "node:fs";
import { join } from "node:path";
import { project } from "./folders.ts";

/** A process that writes, and what it has acknowledged. */
export type Writer = ReturnType<typeof spawnWriter>;

/** Starts {@link ./writer.ts} on a database. */
export function spawnWriter(
  path: string,
  next: readonly (number | "")[],
  options: { readonly deeds?: number; readonly env?: Readonly<Record<string, string>> } = {},
) {
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "writer.ts"),
      path,
      next.join(","),
      ...(options.deeds === undefined ? [] : [String(options.deeds)]),
    ],
    { cwd: project, stdout: "pipe", stderr: "inherit", env: { ...Bun.env, ...options.env } },
  );
  const acknowledged = new Map<number, number>();
  let count = 0;
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  opened.catch(() => undefined);
  const reading = (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "open") resolve();
        else {
          const [lane, n] = line.split(" ").map(Number);
          if (lane !== undefined && n !== undefined) acknowledged.set(lane, n);
          count += 1;
        }
      }
    }
    reject(new Error("the writer ended before it had the database open"));
  })();
  return {
    /** Resolves when it has the database open. */
    opened,
    /** By lane, the number of the last deed acknowledged so far. */
    acknowledged,
    /** How many deeds it has acknowledged in all. */
    count: (): number => count,
    /** Stops it with SIGSTOP; then all its acknowledgements have been read. */
    async pause(): Promise<void> {
      child.kill("SIGSTOP");
      // The third field is the state (proc_pid_stat(5)); a call into the kernel that was under way ends first.
      while (!/^\d+ \(.*\) T/.test(readFileSync(`/proc/${child.pid}/stat`, "utf8"))) await Bun.sleep(1);
      // Lines in the pipe were acknowledged too.
      for (let quiet = 0, before = count; quiet < 3; before = count) {
        await Bun.sleep(2);
        quiet = count === before ? quiet + 1 : 0;
      }
    },
    resume: (): void => child.kill("SIGCONT"),
    /** Kills it; then all its acknowledgements have been read. */
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
      await reading;
    },
    /** Its exit code, after it has ended by itself. */
    async ended(): Promise<number> {
      await reading;
      return await child.exited;
    },
  };
}
