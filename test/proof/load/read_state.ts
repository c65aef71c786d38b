import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Figures of the system about a process. */
export interface ProcessFigures {
  readonly rssKb: number;
  readonly files: number;
  readonly sockets: number;
  readonly threads: number;
  /** User and system time. */
  readonly cpuMs: number;
}

/** Reads the figures of a process (proc(5); clock ticks of 10 ms). */
export function readState(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const files = readdirSync(`/proc/${pid}/fd`);
  return {
    rssKb: read("VmRSS"),
    files: files.length,
    sockets: files.filter((file) => isSocket(`/proc/${pid}/fd/${file}`)).length,
    threads: read("Threads"),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
  };
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("socket:");
  } catch {
    // Closed since it was listed.
    return false;
  }
}
