import { readdirSync, readFileSync } from "node:fs";

/** What the system says of this process. Bytes, seconds, numbers of file descriptors. */
export interface ProcessState {
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  readonly cpuSeconds: number;
  /** Absent where there is no /proc. */
  readonly openFiles?: number;
  readonly maxFiles?: number;
}

/** Reads this process's state; the files are those of proc(5). */
export function readProcess(): ProcessState {
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const openFiles = countFiles();
  const maxFiles = readLimit();
  return {
    residentBytes: memory.rss,
    heapUsedBytes: memory.heapUsed,
    heapTotalBytes: memory.heapTotal,
    cpuSeconds: (cpu.user + cpu.system) / 1_000_000,
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(maxFiles === undefined ? {} : { maxFiles }),
  };
}

function countFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}

function readLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    if (limit === undefined) return undefined;
    return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return undefined;
  }
}
