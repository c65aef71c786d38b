/**
 * Measures a survey: its wall time compared with the time of its upstreams, and its processor time compared with a
 * program that only sends the same queries. Part of `lookup.bench.ts`.
 */
import { join } from "node:path";
import type { RunningService, TestUpstreams } from "#kit";
import { median, quantile, readCpuMs } from "./harness.ts";

/** How long the upstreams of the survey under way took. Milliseconds. */
export interface Delays {
  /** How long the next answer waits; 0 until surveys are measured. */
  next(): number;
  /** Starts the next survey; answers are delayed from now on. */
  begin(): void;
  read(): {
    /** The slowest answer. */
    readonly slowestMs: number;
    /** The longest chain: the slowest query of the first round plus the slowest of the second. */
    readonly chainMs: number;
    /** How much of the time at least one query was under way. */
    readonly pendingMs: number;
    readonly answers: number;
  };
}

const LEAST_MS = 5;
const MOST_MS = 200;

/** Creates the {@link Delays}, each 5 to 200 ms. */
export function createDelays(): Delays {
  const none = { answers: 0, slowestMs: 0, earlierMs: 0, slowestOfRoundMs: 0, pendingMs: 0, lastLeavesAt: 0 };
  let seen: typeof none | undefined;
  return {
    next() {
      if (seen === undefined) return 0;
      const ms = LEAST_MS + Math.random() * (MOST_MS - LEAST_MS);
      const now = performance.now();
      seen.answers += 1;
      seen.slowestMs = Math.max(seen.slowestMs, ms);
      if (now >= seen.lastLeavesAt) {
        seen.earlierMs += seen.slowestOfRoundMs;
        seen.slowestOfRoundMs = 0;
      }
      seen.slowestOfRoundMs = Math.max(seen.slowestOfRoundMs, ms);
      seen.pendingMs += Math.max(0, now + ms - Math.max(now, seen.lastLeavesAt));
      seen.lastLeavesAt = Math.max(seen.lastLeavesAt, now + ms);
      return ms;
    },
    begin() {
      seen = { ...none };
    },
    read() {
      const { slowestMs, earlierMs, slowestOfRoundMs, pendingMs, answers } = seen ?? none;
      return { slowestMs, chainMs: earlierMs + slowestOfRoundMs, pendingMs, answers };
    },
  };
}

/** The cost of surveys, one after another. Milliseconds, sorted. */
export interface SurveyCosts {
  readonly questions: { readonly http: number; readonly dns: number };
  readonly answers: readonly number[];
  /** Wall time beyond the slowest answer, beyond the longest chain, and without a query under way. */
  readonly beyondSlowest: readonly number[];
  readonly beyondChain: readonly number[];
  readonly unpending: readonly number[];
  /** Processor time of one survey. */
  readonly cpuMs: number;
}

const SURVEYS = 40;
/** Not measured: in these the lists are tested and code is compiled. */
const WARMING = 10;

/** Surveys 40 addresses of `8.block.0.0/16` with a service, after ten that are not measured. */
export async function measureSurveys(
  service: RunningService,
  upstreams: TestUpstreams,
  delays: Delays,
  block: number,
): Promise<SurveyCosts> {
  const ask = async (n: number) => {
    const response = await fetch(`${service.url}/api/lookup?ip=8.${block}.${n}.9`);
    const { source } = (await response.json()) as { source?: string };
    if (source !== "fresh") throw new Error(`Cannot survey: ${response.status}, ${source}`);
  };
  delays.begin();
  for (let n = 0; n < WARMING; n += 1) await ask(SURVEYS + n);
  upstreams.forget();
  const cpuBefore = readCpuMs(service.process.pid);
  const rows: (ReturnType<Delays["read"]> & { wallMs: number })[] = [];
  for (let n = 0; n < SURVEYS; n += 1) {
    delays.begin();
    const startedAt = performance.now();
    await ask(n);
    const wallMs = performance.now() - startedAt;
    rows.push({ wallMs, ...delays.read() });
  }
  const cpuMs = (readCpuMs(service.process.pid) - cpuBefore) / SURVEYS;
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
  return {
    questions: {
      http: Math.round(upstreams.gateway.calls.length / SURVEYS),
      dns: Math.round(upstreams.dns.calls.length / SURVEYS),
    },
    answers: sorted(rows.map(({ answers }) => answers)),
    beyondSlowest: sorted(rows.map(({ wallMs, slowestMs }) => wallMs - slowestMs)),
    beyondChain: sorted(rows.map(({ wallMs, chainMs }) => wallMs - chainMs)),
    unpending: sorted(rows.map(({ wallMs, pendingMs }) => wallMs - pendingMs)),
    cpuMs,
  };
}

/** Processor time of a program that only sends the queries of a survey to the same upstreams. */
export async function measureBare(
  upstreams: TestUpstreams,
  delays: Delays,
  { http, dns }: SurveyCosts["questions"],
): Promise<number> {
  const wanted = {
    url: upstreams.gateway.url,
    server: upstreams.dns.address,
    http,
    dns,
    surveys: SURVEYS,
  };
  delays.begin();
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "ask_alone.mjs"), JSON.stringify(wanted)],
    { stdout: "pipe" },
  );
  const cpuMs = Number(await new Response(child.stdout).text());
  if ((await child.exited) !== 0) throw new Error("Cannot ask the upstreams alone");
  return cpuMs;
}

/** The median: stable when other programs delay single surveys. */
export const p50 = median;
export const p95 = (values: readonly number[]) => quantile(values, 0.95);

/** Median and 95th percentile. */
export function tellSpread(sorted: readonly number[]): string {
  return `p50 ${p50(sorted).toFixed(1)} ms, p95 ${p95(sorted).toFixed(1)} ms`;
}
