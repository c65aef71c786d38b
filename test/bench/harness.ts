/** What the measurements share: budgets, times, and servers under load. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { readToEnd } from "#kit";
import { runLoad } from "./load.ts";

/** How often something was true. */
export interface Count {
  readonly hits: number;
  readonly of: number;
}

type Side = "most" | "least";

/** The budgets of one measurement. A value that is not a number breaks its budget. */
export interface Budget {
  check(name: string, value: number, limit: number, side?: Side): void;
  require(name: string, holds: boolean): void;
  /** Prints a share and checks it. Nothing of nothing is not judged. */
  judge(name: string, count: Count, limit: number, side: Side): void;
  /** Prints what is broken, and ends the program: with 1 when a budget is broken. */
  end(): never;
}

export function createBudget(): Budget {
  const broken = new Set<string>();
  const isWithin = (value: number, limit: number, side: Side) =>
    side === "most" ? value <= limit : value >= limit;
  return {
    check(name, value, limit, side = "most") {
      if (!isWithin(value, limit, side)) broken.add(`${name} is ${value.toFixed(2)}, at ${side} ${limit}`);
    },
    require(name, holds) {
      if (!holds) broken.add(name);
    },
    judge(name, { hits, of }, limit, side) {
      if (of === 0) return;
      const holds = isWithin(hits / of, limit, side);
      const share = `${((100 * hits) / of).toFixed(2)} % of ${of}, at ${side} ${(100 * limit).toFixed(2)} %`;
      console.log(`${holds ? "holds " : "BROKEN"} ${name}: ${share}`);
      if (!holds) broken.add(name);
    },
    end() {
      for (const name of broken) console.log(`over budget: ${name}`);
      process.exit(broken.size === 0 ? 0 : 1);
    },
  };
}

/** A temporary folder that is removed when the measurement ends. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `limpid-${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The machine, the runtime, and the load by others. */
export function describeMachine(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  return `${model}, ${cpus().length} cores, Bun ${Bun.version}, load ${loadavg()[0]?.toFixed(1)}`;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** Nanoseconds of one call, in the best of several rounds: other processes only add time. */
export function measureNs<Input>(
  inputs: readonly Input[],
  act: (input: Input) => number,
  { rounds, roundMs }: { readonly rounds: number; readonly roundMs: number },
): number {
  let best = Number.POSITIVE_INFINITY;
  let sink = 0;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = Bun.nanoseconds();
    let calls = 0;
    while (Bun.nanoseconds() - startedAt < roundMs * 1e6) {
      for (const input of inputs) sink += act(input);
      calls += inputs.length;
    }
    best = Math.min(best, (Bun.nanoseconds() - startedAt) / calls);
  }
  if (sink === 0) throw new Error("Cannot measure: nothing was done");
  return best;
}

/** User and system time of a process, milliseconds (proc(5), clock ticks of 10 ms). */
export function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Memory of a process that is in use, MB (proc(5)). */
export function readMemoryMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
}

/** Asks for one JSON answer. */
export async function ask(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (response.status !== 200)
    throw new Error(`Cannot ask ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Asks for every path once, some at a time. */
export async function askAll(url: string, paths: readonly string[], lanes = 16): Promise<void> {
  const queue = [...paths];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let path = queue.pop(); path !== undefined; path = queue.pop()) await ask(url + path);
    }),
  );
}

/** A program that serves. */
export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  readonly startMs: number;
  stop(): Promise<unknown>;
}

/** A start that takes longer has failed. */
const START_MS = 20_000;

/** Starts a program whose first line of output is its origin; `stdin` is given to it as JSON. */
export async function startServer(
  command: readonly string[],
  { cwd = import.meta.dir, stdin }: { readonly cwd?: string; readonly stdin?: unknown } = {},
): Promise<RunningServer> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd,
    stdin: new Blob([JSON.stringify(stdin ?? null)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const { value } = await child.stdout.getReader().read();
  clearTimeout(timer);
  const url = new TextDecoder().decode(value).trim().replace(/\/$/, "");
  async function stop(): Promise<void> {
    child.kill("SIGKILL");
    await child.exited;
  }
  if (!URL.canParse(url)) {
    await stop();
    throw new Error(`Cannot start ${command.join(" ")}: it said "${url}"`);
  }
  return { url, pid: child.pid, startMs: performance.now() - startedAt, stop };
}

/** Runs a program to its end. @throws with what it said unless it ends with 0. */
export async function runProgram(command: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...command], { cwd, stdout: "pipe", stderr: "pipe" });
  const { out, err, code } = await readToEnd(child);
  if (code !== 0) throw new Error(`Cannot run ${command.join(" ")}: ${out}${err}`);
}

/** A server under load. `paths` are asked anew each round, where no path may repeat. */
export interface Runner extends Pick<RunningServer, "url" | "pid"> {
  readonly name: string;
  readonly paths: () => readonly string[];
}

/** Processor time of an answer in µs, in the best round and over all; the best rate a second and p99 in ms. */
export interface Raced {
  readonly leastUs: number;
  readonly meanUs: number;
  readonly best: number;
  readonly p99: number;
}

/** Puts the same load on servers in turn, so that load by others meets all of them. The first round warms up. */
export async function race(
  runners: readonly Runner[],
  { rounds, seconds, connections }: Readonly<Record<"rounds" | "seconds" | "connections", number>>,
  budget: Budget,
): Promise<readonly Raced[]> {
  const seen = runners.map(() => [] as { cpuUs: number; answers: number; rate: number; p99: number }[]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { name, url, pid, paths }] of runners.entries()) {
      const asked = paths();
      const before = readCpuMs(pid);
      const { perSecond, p99, statuses } = await runLoad({ url, paths: asked, connections, seconds });
      const cpuUs = (readCpuMs(pid) - before) * 1000;
      budget.require(`${name}: every answer is a 200`, Object.keys(statuses).join() === "200");
      if (round > 0) seen[at]?.push({ cpuUs, answers: perSecond * seconds, rate: perSecond, p99 });
    }
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return seen.map((all) => ({
    leastUs: Math.min(...all.map(({ cpuUs, answers }) => cpuUs / answers)),
    meanUs: sum(all.map(({ cpuUs }) => cpuUs)) / sum(all.map(({ answers }) => answers)),
    best: Math.max(...all.map(({ rate }) => rate)),
    p99: Math.min(...all.map(({ p99 }) => p99)),
  }));
}
