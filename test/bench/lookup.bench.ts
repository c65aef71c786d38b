/**
 * Compares a lookup with a minimal server in one run: `bun test/bench/lookup.bench.ts`. Ends with 1 when a budget is
 * broken.
 */

import { cpus, loadavg } from "node:os";
import { type RunningService, startService, startUpstreams } from "#kit";
import { runLoad } from "./load.ts";
import { createDelays, measureBare, measureSurveys, p50, p95, tellSpread } from "./measure_surveys.ts";
import { readCpuMs } from "./read_cpu_ms.ts";

const SECONDS = 1.5;
const ROUNDS = 4;
const CONNECTIONS = 16;
const KNOWN = 1500;

/** Different answers requested in turn, in each format. */
const VARIETY = 100;

/**
 * The smallest share of the rate of a bare server with the same processor time, and the largest cost of a survey.
 * These are floors that a regression breaks even on a noisy machine. The aims are in docs/proofs/growth.md: 0.85 from the
 * cache, 0.25 from the store, 5000 pages a second, 10 ms and 5 ms a survey.
 */
const BUDGET = {
  cacheRatio: 0.45,
  storeRatio: 0.05,
  pagesPerSecond: 5000,
  surveyOverheadP95Ms: 250,
  surveyBeyondChainP50Ms: 100,
  wideBeyondChainP50Ms: 60,
  surveyCpuMs: 45,
  /** Measures the time of the queries alone. */
  surveyCpuTimes: 14,
};

const failures: string[] = [];
function check(name: string, holds: boolean): void {
  if (!holds) failures.push(name);
}

const delays = createDelays();
const upstreams = await startUpstreams({ delayMs: delays.next });
const env = { ...upstreams.env, LIMPID_PROXYCHECK_DAILY: "1000000" };
const known = Array.from(
  { length: KNOWN },
  (_, n) => `/api/lookup?ip=8.${10 + (n >> 8)}.${n & 255}.9&lang=en`,
);

/** Formats measured from the cache: JSON, text, page. Pages have their own aim. */
const faces: readonly (readonly [name: string, path: (n: number) => string, least?: number])[] = [
  ["cache, JSON", (n) => known[n] ?? "", BUDGET.cacheRatio],
  ["cache, text", (n) => `/en/ip/8.${10 + (n >> 8)}.${n & 255}.9.txt`, BUDGET.cacheRatio],
  ["cache, page", (n) => `/en/ip/8.${10 + (n >> 8)}.${n & 255}.9`],
];

interface Runner {
  readonly pid: number;
  readonly url: string;
  readonly paths: readonly string[];
}

interface Answer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function toRunner(service: RunningService, paths: readonly string[]): Runner {
  return { pid: service.process.pid, url: service.url, paths };
}

async function load(url: string, path: string): Promise<Answer> {
  const response = await fetch(url + path, { headers: { "accept-encoding": "identity" } });
  if (response.status !== 200) throw new Error(`Cannot load ${path}: ${response.status}`);
  const headers = [...response.headers].filter(([name]) => name !== "content-length" && name !== "date");
  return { body: await response.text(), headers: Object.fromEntries(headers) };
}

/** A minimal server: the same bytes and headers under `/0`, `/1` and so on. */
async function startBare(answers: readonly Answer[]) {
  const program = `const answers = await Bun.stdin.json();
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch(request) {
      const { body, headers } = answers[request.url.slice(request.url.lastIndexOf("/") + 1)];
      return new Response(body, { headers });
    } });
    console.log(server.url.origin);`;
  const child = Bun.spawn([process.execPath, "-e", program], {
    stdin: new Blob([JSON.stringify(answers)]),
    stdout: "pipe",
  });
  const chunk = await child.stdout.getReader().read();
  return { pid: child.pid, url: new TextDecoder().decode(chunk.value).trim(), stop: () => child.kill() };
}

/** Runs both in turn, the first round to warm up, and compares the processor time of an answer. */
async function race(name: string, bare: Runner, ours: Runner): Promise<number> {
  const sums = [bare, ours].map((runner) => ({
    runner,
    cpuMs: 0,
    answers: 0,
    best: 0,
    p99: Number.POSITIVE_INFINITY,
  }));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const sum of sums) {
      const { url, paths, pid } = sum.runner;
      const before = readCpuMs(pid);
      const result = await runLoad({ url, paths, connections: CONNECTIONS, seconds: SECONDS });
      check(`${name}: every answer is a 200`, Object.keys(result.statuses).join() === "200");
      if (round === 0) continue;
      sum.cpuMs += readCpuMs(pid) - before;
      sum.answers += result.perSecond * SECONDS;
      sum.best = Math.max(sum.best, result.perSecond);
      sum.p99 = Math.min(sum.p99, result.p99);
    }
  }
  const [least = 0, own = 0] = sums.map(({ cpuMs, answers }) => (cpuMs * 1000) / answers);
  const [bareBest = 0, ownBest = 0] = sums.map(({ best }) => best);
  const perCore = Math.round(1e6 / own);
  console.log(
    `${name.padEnd(14)} ${own.toFixed(1).padStart(6)} µs of processor each (bare ${least.toFixed(1)}): share ${(least / own).toFixed(2)}, ${perCore}/s a core; rate ${ownBest}/s against ${bareBest}/s: ${(ownBest / bareBest).toFixed(2)}; p99 ${sums[1]?.p99.toFixed(1)} ms`,
  );
  if (name.endsWith("page")) check("pages a second and core", perCore >= BUDGET.pagesPerSecond);
  return least / own;
}

async function survey(service: RunningService, paths: readonly string[]): Promise<void> {
  const queue = [...paths];
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
        const response = await fetch(service.url + path);
        const report = (await response.json()) as { source: string };
        if (response.status !== 200)
          throw new Error(`Cannot survey ${path}: ${response.status} ${JSON.stringify(report)}`);
      }
    }),
  );
}

console.log(
  `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, Bun ${Bun.version}, load ${loadavg()[0]?.toFixed(1)}\n`,
);
const first = await startService({ env });
/** Every child process, so that a failure ends it: one that lives on keeps stderr open, and its reader waits. */
const running: { close(): unknown }[] = [first];
try {
  await survey(first, known);
  // All hundred bodies, because one body would fit into the nearest cache of the processor.
  const asked = faces.map(([, path]) => Array.from({ length: VARIETY }, (_, n) => path(n)));
  const bare = await startBare(await Promise.all(asked.flat().map((path) => load(first.url, path))));
  running.push({ close: bare.stop });
  const barePaths = asked.map((paths, face) => paths.map((_, n) => `/${face * VARIETY + n}`));
  for (const [at, [name, , least]] of faces.entries()) {
    const ratio = await race(
      name,
      { pid: bare.pid, url: bare.url, paths: barePaths[at] ?? [] },
      toRunner(first, asked[at] ?? []),
    );
    if (least !== undefined) check(`${name}: share of the bare server`, ratio >= least);
  }
  await first.stop();

  const second = await startService({
    env: { ...env, LIMPID_CACHE_ENTRIES: "1" },
    dataDirectory: first.dataDirectory,
  });
  running.unshift(second);
  const before = upstreams.queryCount();
  const stored = await race(
    "store, JSON",
    { pid: bare.pid, url: bare.url, paths: barePaths[0] ?? [] },
    toRunner(second, known),
  );
  const questions = upstreams.queryCount() - before;
  check(`store hits ask nobody: ${questions} questions`, questions === 0);
  check("store tier: share of the bare server", stored >= BUDGET.storeRatio);

  const costs = await measureSurveys(second, upstreams, delays, 77);
  const { questions: asks, answers, cpuMs } = costs;
  const bareMs = await measureBare(upstreams, delays, asks);
  console.log(
    `fresh survey, ${answers[0]} to ${answers.at(-1)} answers after 5 to 200 ms, pool 24: wall minus slowest ${tellSpread(costs.beyondSlowest)}; minus the longest chain ${tellSpread(costs.beyondChain)}; nobody waited for ${tellSpread(costs.unpending)}; CPU ${cpuMs.toFixed(1)} ms (aim 5), ${bareMs.toFixed(1)} ms of it to ask ${asks.http} times over HTTP and ${asks.dns} over DNS`,
  );
  const wide = await startService({ env: { ...env, LIMPID_POOL: "64" } });
  running.unshift(wide);
  const wideCosts = await measureSurveys(wide, upstreams, delays, 78);
  console.log(
    `fresh survey, pool 64: wall minus slowest ${tellSpread(wideCosts.beyondSlowest)}; minus the longest chain ${tellSpread(wideCosts.beyondChain)} (aim 10)`,
  );
  check(
    "wall time of a fresh survey beyond its slowest answer",
    p95(costs.beyondSlowest) <= BUDGET.surveyOverheadP95Ms,
  );
  check(
    "wall time of a fresh survey beyond its longest chain",
    p50(costs.beyondChain) <= BUDGET.surveyBeyondChainP50Ms,
  );
  check(
    "wall time of a fresh survey beyond its longest chain, nobody waiting for a place",
    p50(wideCosts.beyondChain) <= BUDGET.wideBeyondChainP50Ms,
  );
  check("CPU of a fresh survey", cpuMs <= BUDGET.surveyCpuMs);
  check("CPU of a fresh survey beside a program that only asks", cpuMs <= bareMs * BUDGET.surveyCpuTimes);
} finally {
  for (const one of running) await one.close();
  await upstreams.close();
}
for (const failure of failures) console.log(`over budget: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
