import { readdirSync, readFileSync } from "node:fs";

/**
 * Reads the state of this process: bytes, seconds, numbers of file descriptors; the files are described in proc(5).
 * What cannot be read is absent: everything but the time needs a free file descriptor.
 */
export function readProcess() {
  const cpu = process.cpuUsage();
  return {
    cpuSeconds: (cpu.user + cpu.system) / 1_000_000,
    ...attempt(() => {
      const { rss, heapUsed, heapTotal } = process.memoryUsage();
      return { residentBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal };
    }),
    ...attempt(() => ({ openFiles: readdirSync("/proc/self/fd").length })),
    ...attempt(() => {
      const limits = readFileSync("/proc/self/limits", "utf8");
      const limit = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1];
      if (limit === undefined) return undefined;
      return { maxFiles: limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit) };
    }),
  };
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Short enough to notice a pause that a request would notice, long enough to cost nothing. */
const LOOP_PERIOD_MS = 250;

/**
 * Runs a timer every 250 ms and measures how late it fires. `clock` returns milliseconds of any epoch. `every` starts a
 * repeating timer that does not keep the process alive, and returns a function that ends it.
 */
export function watchLoop(options: {
  readonly clock: () => number;
  readonly every: (ms: number, then: () => void) => () => void;
  readonly onDelay: (seconds: number) => void;
}) {
  const { clock } = options;
  let longest = 0;
  let dueAt = clock() + LOOP_PERIOD_MS;
  const stop = options.every(LOOP_PERIOD_MS, () => {
    const seconds = Math.max(0, clock() - dueAt) / 1000;
    dueAt = clock() + LOOP_PERIOD_MS;
    longest = Math.max(longest, seconds);
    options.onDelay(seconds);
  });
  return {
    /** Returns the longest delay since the last call, in seconds. */
    takeLongest(): number {
      const taken = longest;
      longest = 0;
      return taken;
    },
    stop,
  };
}
