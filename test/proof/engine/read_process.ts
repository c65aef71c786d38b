import { readFileSync, statSync } from "node:fs";

/** USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** The size of a file, 0 when there is none. */
export function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** User and system time of all threads (proc(5), fields 14 and 15). */
export function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory. */
export function readMemoryBytes(pid: number): number {
  const kibibytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kibibytes ?? 0) * 1024;
}
