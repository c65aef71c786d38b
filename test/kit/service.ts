import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanUpLater } from "./clean_up.ts";
import { type Ended, readToEnd } from "./read_to_end.ts";

const project = join(import.meta.dir, "../..");

/** A real limpid process on loopback. */
export type RunningService = Awaited<ReturnType<typeof startService>>;

/** Environment of the process in addition to PATH and HOME, and an existing data directory. */
export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDirectory?: string;
  /** Options of `serve`. */
  readonly args?: readonly string[];
  /** A program with arguments that starts the process by `exec`. */
  readonly startedBy?: readonly string[];
}

/**
 * Starts `limpid serve` on a free port with its own data directory.
 * @throws with its output when it ends before it listens.
 */
export async function startService(options: ServiceOptions = {}) {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), "limpid-data-"));
  const child = spawnLimpid(
    ["serve", ...(options.args ?? [])],
    { LIMPID_PORT: "0", LIMPID_FEEDS: "0", LIMPID_DATA_DIR: dataDirectory, ...options.env },
    options.startedBy,
  );
  let log = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) log += decoder.decode(chunk, { stream: true });
  })();

  const decoder = new TextDecoder();
  let greeting = "";
  let url: string | undefined;
  for await (const chunk of child.stdout) {
    greeting += decoder.decode(chunk, { stream: true });
    url = /answers at ([^\s,]+)/.exec(greeting)?.[1];
    if (url !== undefined) break;
  }
  if (url === undefined) {
    const code = await child.exited;
    await reading;
    if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true });
    throw new Error(`limpid ended with ${code} before it listened: ${log}`);
  }
  return {
    url,
    dataDirectory,
    process: child,
    /** What the process has written to stderr so far. */
    log: (): string => log,
    /** Stops it with SIGTERM and returns its exit code; the data directory stays. */
    async stop(signal: "SIGTERM" | "SIGHUP" | "SIGKILL" = "SIGTERM"): Promise<number> {
      child.kill(signal);
      const code = await child.exited;
      await reading;
      return code;
    },
    /** Kills it if it still runs, and removes its data directory unless the test gave one. */
    async close(): Promise<void> {
      if (child.exitCode === null) child.kill("SIGKILL");
      await child.exited;
      if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Starts a service that ends with the tests of the file, if it has not ended before. */
export async function startTestService(options: ServiceOptions = {}): Promise<RunningService> {
  const service = await startService(options);
  cleanUpLater(() => service.close());
  return service;
}

/** Runs a limpid command to its end; `input` is its standard input. */
export async function runLimpid(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
): Promise<Ended> {
  return readToEnd(spawnLimpid(args, env, [], new TextEncoder().encode(input)));
}

function spawnLimpid(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  startedBy: readonly string[] = [],
  stdin: "ignore" | Uint8Array = "ignore",
) {
  return Bun.spawn([...startedBy, process.execPath, join(project, "src/main.ts"), ...args], {
    cwd: project,
    env: { PATH: Bun.env.PATH ?? "", HOME: Bun.env.HOME ?? "", ...env },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
}
