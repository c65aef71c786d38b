/**
 * Compares a lookup with a minimal server in one run: `bun test/bench/lookup.bench.ts`. Ends with 1 when a budget is
 * broken.
 */

import { type RunningService, startService, startUpstreams } from "#kit";
import { askAll, createBudget, describeMachine, type RunningServer, race, startServer } from "./harness.ts";
import { createDelays, measureBare, measureSurveys, p50, p95, tellSpread } from "./measure_surveys.ts";

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
  // 0.045 on two cores of an EPYC with a load of 16, before the cache took the size of a report from the store.
  storeRatio: 0.04,
  pagesPerSecond: 5000,
  surveyOverheadP95Ms: 250,
  surveyBeyondChainP50Ms: 100,
  wideBeyondChainP50Ms: 60,
  surveyCpuMs: 45,
  /** Measures the time of the queries alone. */
  surveyCpuTimes: 14,
};

const budget = createBudget();
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

interface Answer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function load(url: string, path: string): Promise<Answer> {
  const response = await fetch(url + path, { headers: { "accept-encoding": "identity" } });
  if (response.status !== 200) throw new Error(`Cannot load ${path}: ${response.status}`);
  const headers = [...response.headers].filter(([name]) => name !== "content-length" && name !== "date");
  return { body: await response.text(), headers: Object.fromEntries(headers) };
}

/** A minimal server: the same bytes and headers under `/0`, `/1` and so on. */
const BARE = `const answers = await Bun.stdin.json();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch(request) {
    const { body, headers } = answers[request.url.slice(request.url.lastIndexOf("/") + 1)];
    return new Response(body, { headers });
  } });
  console.log(server.url.origin);`;

/** Compares the processor time of an answer with that of the bare server. */
async function compare(
  name: string,
  bare: { readonly server: RunningServer; readonly paths: readonly string[] },
  ours: { readonly service: RunningService; readonly paths: readonly string[] },
): Promise<number> {
  const runners = [
    { name: `${name}, bare`, ...bare.server, paths: () => bare.paths },
    { name, url: ours.service.url, pid: ours.service.process.pid, paths: () => ours.paths },
  ];
  const effort = { rounds: ROUNDS, seconds: SECONDS, connections: CONNECTIONS };
  const [least, own] = await race(runners, effort, budget);
  if (least === undefined || own === undefined) throw new Error(`Cannot compare: ${name} has no result`);
  const perCore = Math.round(1e6 / own.meanUs);
  const share = least.meanUs / own.meanUs;
  console.log(
    `${name.padEnd(14)} ${own.meanUs.toFixed(1).padStart(6)} µs of processor each (bare ${least.meanUs.toFixed(1)}): share ${share.toFixed(2)}, ${perCore}/s a core; rate ${own.best}/s against ${least.best}/s: ${(own.best / least.best).toFixed(2)}; p99 ${own.p99.toFixed(1)} ms`,
  );
  if (name.endsWith("page")) budget.check("pages a second and core", perCore, BUDGET.pagesPerSecond, "least");
  return share;
}

console.log(`${describeMachine()}\n`);
const first = await startService({ env });
/** Every child process, so that a failure ends it: one that lives on keeps stderr open, and its reader waits. */
const running: { close(): unknown }[] = [first];
try {
  await askAll(first.url, known);
  // All hundred bodies, because one body would fit into the nearest cache of the processor.
  const asked = faces.map(([, path]) => Array.from({ length: VARIETY }, (_, n) => path(n)));
  const answers = await Promise.all(asked.flat().map((path) => load(first.url, path)));
  const bare = await startServer([process.execPath, "-e", BARE], { stdin: answers });
  running.push({ close: bare.stop });
  const barePaths = asked.map((paths, face) => paths.map((_, n) => `/${face * VARIETY + n}`));
  for (const [at, [name, , least]] of faces.entries()) {
    const ratio = await compare(
      name,
      { server: bare, paths: barePaths[at] ?? [] },
      { service: first, paths: asked[at] ?? [] },
    );
    if (least !== undefined) budget.check(`${name}: share of the bare server`, ratio, least, "least");
  }
  await first.stop();

  const second = await startService({
    env: { ...env, LIMPID_CACHE_ENTRIES: "1" },
    dataDirectory: first.dataDirectory,
  });
  running.unshift(second);
  const before = upstreams.queryCount();
  const stored = await compare(
    "store, JSON",
    { server: bare, paths: barePaths[0] ?? [] },
    { service: second, paths: known },
  );
  const questions = upstreams.queryCount() - before;
  budget.check("questions of store hits", questions, 0);
  budget.check("store tier: share of the bare server", stored, BUDGET.storeRatio, "least");

  const costs = await measureSurveys(second, upstreams, delays, 77);
  const { questions: asks, answers: heard, cpuMs } = costs;
  const bareMs = await measureBare(upstreams, delays, asks);
  console.log(
    `fresh survey, ${heard[0]} to ${heard.at(-1)} answers after 5 to 200 ms, pool 24: wall minus slowest ${tellSpread(costs.beyondSlowest)}; minus the longest chain ${tellSpread(costs.beyondChain)}; nobody waited for ${tellSpread(costs.unpending)}; CPU ${cpuMs.toFixed(1)} ms (aim 5), ${bareMs.toFixed(1)} ms of it to ask ${asks.http} times over HTTP and ${asks.dns} over DNS`,
  );
  const wide = await startService({ env: { ...env, LIMPID_POOL: "64" } });
  running.unshift(wide);
  const wideCosts = await measureSurveys(wide, upstreams, delays, 78);
  console.log(
    `fresh survey, pool 64: wall minus slowest ${tellSpread(wideCosts.beyondSlowest)}; minus the longest chain ${tellSpread(wideCosts.beyondChain)} (aim 10)`,
  );
  budget.check("survey beyond its slowest answer", p95(costs.beyondSlowest), BUDGET.surveyOverheadP95Ms);
  budget.check("survey beyond its longest chain", p50(costs.beyondChain), BUDGET.surveyBeyondChainP50Ms);
  budget.check("the same with places for all", p50(wideCosts.beyondChain), BUDGET.wideBeyondChainP50Ms);
  budget.check("CPU of a fresh survey", cpuMs, BUDGET.surveyCpuMs);
  budget.check("CPU of a fresh survey by asking alone", cpuMs / bareMs, BUDGET.surveyCpuTimes);
} finally {
  for (const one of running) await one.close();
  await upstreams.close();
}
budget.end();
