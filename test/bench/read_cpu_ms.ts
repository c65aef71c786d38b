import { readFileSync } from "node:fs";

/** User and system time of a process, milliseconds (proc(5), clock ticks of 10 ms). */
export function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
