import { readdirSync, readFileSync } from "node:fs";

/** The state of this process: bytes, seconds, numbers of file descriptors. */
export interface ProcessState {
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  readonly cpuSeconds: number;
  /** Absent where there is no /proc. */
  readonly openFiles?: number;
  readonly maxFiles?: number;
}

/** Reads the state of this process; the files are described in proc(5). */
export function readProcess(): ProcessState {
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const openFiles = countOpenFiles();
  const maxFiles = readFileLimit();
  return {
    residentBytes: memory.rss,
    heapUsedBytes: memory.heapUsed,
    heapTotalBytes: memory.heapTotal,
    cpuSeconds: (cpu.user + cpu.system) / 1_000_000,
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(maxFiles === undefined ? {} : { maxFiles }),
  };
}

function countOpenFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}

function readFileLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    if (limit === undefined) return undefined;
    return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return undefined;
  }
}

/** Measures the delay of the event loop. */
export interface LoopWatch {
  /** Returns the longest delay since the last call, in seconds. */
  takeLongest(): number;
  stop(): void;
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
}): LoopWatch {
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
    takeLongest() {
      const taken = longest;
      longest = 0;
      return taken;
    },
    stop,
  };
}
