import { join } from "node:path";
import { project } from "./folders.ts";

/** A process that writes, and what it has acknowledged. */
export interface Writer {
  /** Resolves when it has the database open. */
  readonly opened: Promise<void>;
  /** By lane, the number of the last deed acknowledged so far. */
  readonly acknowledged: ReadonlyMap<number, number>;
  /** How many deeds it has acknowledged in all. */
  count(): number;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Kills it at once; everything it acknowledged has been read then. */
  kill(): Promise<void>;
  /** Its exit code, once it has ended by itself. */
  ended(): Promise<number>;
}

/** Starts {@link ./writer.ts} on a database. */
export function spawnWriter(
  path: string,
  next: readonly (number | "")[],
  options: { readonly deeds?: number; readonly env?: Readonly<Record<string, string>> } = {},
): Writer {
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
    opened,
    acknowledged,
    count: () => count,
    signal: (signal) => child.kill(signal),
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
      await reading;
    },
    async ended() {
      await reading;
      return await child.exited;
    },
  };
}
