import { setPriority } from "node:os";

/** A program with all processes that it starts. */
export interface ProcessGroup {
  /** What its processes write to stdout and stderr, in their order. */
  readonly output: ReadableStream<Uint8Array>;
  readonly exited: Promise<number>;
  /** Kills all processes of the group at once. */
  kill(): void;
}

// The leader waits for nobody: `exec` makes it the program itself. The watcher reads a pipe that only our process
// holds open. When our process ends, even by SIGKILL, the pipe closes and the watcher kills the group.
const WATCHED =
  'exec 3<&0 </dev/null; (read -r _ <&3; kill -9 -$$) >/dev/null 2>&1 & exec 3<&-; exec "$@" 2>&1';

/**
 * Starts a program as the leader of a process group. No process of the group outlives the program or our process, except
 * those that leave the group themselves. `niceness` is that of the operating system, 19 is the lowest priority.
 */
export function startGroup(
  command: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly niceness?: number;
  },
): ProcessGroup {
  const { cwd, env = Bun.env, niceness } = options;
  const child = Bun.spawn(["sh", "-c", WATCHED, "sh", ...command], {
    cwd,
    env,
    detached: true,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  if (niceness !== undefined) setPriority(child.pid, niceness);
  const kill = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has no process any more.
    }
  };
  return { output: child.stdout, exited: child.exited.finally(kill), kill };
}
