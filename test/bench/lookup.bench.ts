/**
 * What a lookup costs, beside the least a server can do, in one run: `bun test/bench/lookup.bench.ts`.
 * Ends with 1 when a budget is broken.
 */

import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { type RunningService, startService, startWorld } from "#kit";
import { type LoadResult, runLoad } from "./load.ts";

const SECONDS = 4;
const CONNECTIONS = 16;
const KNOWN = 1500;
const SURVEYS = 40;

/**
 * Least share of the bare server's requests a second, and most a survey may cost. Floors that a regression breaks on a
 * noisy machine, not aims.
 */
const BUDGET = { cacheRatio: 0.3, storeRatio: 0.03, surveyOverheadP95Ms: 60, surveyCpuMs: 40 };

const failures: string[] = [];
function check(name: string, holds: boolean): void {
  if (!holds) failures.push(name);
}

function show(name: string, result: LoadResult): void {
  console.log(
    `${name.padEnd(28)} ${String(result.perSecond).padStart(7)}/s   p50 ${result.p50.toFixed(2)} ms   p99 ${result.p99.toFixed(2)} ms   ${JSON.stringify(result.statuses)}`,
  );
}

/** User and system time of a process, milliseconds (proc(5), clock ticks of 10 ms). */
function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** When the slowest upstream answer of the survey under way left, and how many there were. */
let slowestMs = 0;
let answers = 0;
let spread = false;
const world = await startWorld({
  delayMs() {
    const ms = spread ? 5 + Math.random() * 195 : 0;
    slowestMs = Math.max(slowestMs, ms);
    answers += 1;
    return ms;
  },
});
const env = { ...world.env, LIMPID_PROXYCHECK_DAILY: "1000000" };
const known = Array.from(
  { length: KNOWN },
  (_, n) => `/api/lookup?ip=8.${10 + (n >> 8)}.${n & 255}.9&lang=en`,
);

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

console.log(`${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, Bun ${Bun.version}\n`);
const first = await startService({ env });
try {
  await survey(first, known);
  const path = known[0] ?? "";
  const response = await fetch(first.url + path);
  const body = await response.text();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== "content-length"));
  const bare = Bun.spawn(
    [
      process.execPath,
      "-e",
      `const { body, headers } = JSON.parse(process.argv[1]); const s = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(body, { headers }) }); console.log(s.url.origin)`,
      JSON.stringify({ body, headers }),
    ],
    { stdout: "pipe" },
  );
  const chunk = await bare.stdout.getReader().read();
  const bareUrl = new TextDecoder().decode(chunk.value).trim();
  console.log(`body ${body.length} bytes, ${CONNECTIONS} connections, ${SECONDS} s each`);
  const load = { connections: CONNECTIONS, seconds: SECONDS };
  await runLoad({ url: bareUrl, paths: [path], ...load, seconds: 1 });
  const least = await runLoad({ url: bareUrl, paths: [path], ...load });
  show("bare Bun.serve, same bytes", least);
  await runLoad({ url: first.url, paths: known.slice(0, 100), ...load, seconds: 1 });
  const cached = await runLoad({ url: first.url, paths: known.slice(0, 100), ...load });
  show("cache tier", cached);
  check("every cache hit is a 200", Object.keys(cached.statuses).join() === "200");
  await first.stop();

  const second = await startService({
    env: { ...env, LIMPID_CACHE_ENTRIES: "1" },
    dataDirectory: first.dataDirectory,
  });
  const before = world.questions();
  const stored = await runLoad({ url: second.url, paths: known, ...load });
  show("store tier", stored);
  check("every store hit is a 200", Object.keys(stored.statuses).join() === "200");
  const asked = world.questions() - before;
  check(`store hits ask nobody: ${asked} questions`, asked === 0);
  bare.kill();
  console.log(
    `share of the bare server       cache ${(cached.perSecond / least.perSecond).toFixed(2)}   store ${(stored.perSecond / least.perSecond).toFixed(2)}\n`,
  );
  check("cache tier against the bare server", cached.perSecond / least.perSecond >= BUDGET.cacheRatio);
  check("store tier against the bare server", stored.perSecond / least.perSecond >= BUDGET.storeRatio);

  spread = true;
  const overheads: number[] = [];
  const counts: number[] = [];
  const cpuBefore = readCpuMs(second.process.pid);
  for (let n = 0; n < SURVEYS; n += 1) {
    slowestMs = 0;
    answers = 0;
    const startedAt = performance.now();
    const fresh = (await (await fetch(`${second.url}/api/lookup?ip=8.77.${n}.9`)).json()) as {
      source: string;
    };
    overheads.push(performance.now() - startedAt - slowestMs);
    counts.push(answers);
    check("a fresh survey says fresh", fresh.source === "fresh");
  }
  const cpuMs = (readCpuMs(second.process.pid) - cpuBefore) / SURVEYS;
  overheads.sort((a, b) => a - b);
  const p95 = overheads[Math.floor(SURVEYS * 0.95)] ?? Number.NaN;
  console.log(
    `fresh survey, ${Math.min(...counts)} to ${Math.max(...counts)} answers after 5 to 200 ms, pool 24: wall minus slowest p50 ${overheads[SURVEYS >> 1]?.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; CPU ${cpuMs.toFixed(1)} ms`,
  );
  check("wall time of a fresh survey beyond its slowest answer", p95 <= BUDGET.surveyOverheadP95Ms);
  check("CPU of a fresh survey", cpuMs <= BUDGET.surveyCpuMs);
  await second.close();
} finally {
  await first.close();
  await world.close();
}
for (const failure of failures) console.log(`over budget: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
