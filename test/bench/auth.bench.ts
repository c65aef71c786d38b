/**
 * Measures `/auth` of a real service with the database in a file: `bun test/bench/auth.bench.ts`. Ends with 1 when a
 * budget is broken. Each tier has one connection, as one worker of a web server asks, and then sixteen.
 */
import { startService, startUpstreams } from "#kit";
import { askAll, createBudget, describeMachine, median, quantile } from "./harness.ts";

/** The promise of `/auth`, in milliseconds at the 99th percentile. */
const BUDGET_P99_MS = 5;

/** The best of these rounds counts: other processes on the machine only add time. */
const ROUNDS = 3;
const REQUESTS = 1000;
const VISITORS = 1000;
const QUERY = "min=50&deny=tor,proxy,vpn&allow=hosting,crawler";

const budget = createBudget();

function visitor(network: number, n: number): string {
  return `${network}.${(n >> 8) & 255}.${n & 255}.9`;
}

interface Tier {
  readonly name: string;
  /** The value of X-IP-Source. */
  readonly source: string;
  readonly network: number;
  /** Requests that fill the memory before the measurement. */
  readonly warm: number;
}

async function authorize(
  url: string,
  address: string,
): Promise<readonly [ms: number, source: string | null]> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/auth?${QUERY}`, { headers: { "x-forwarded-for": address } });
  const ms = performance.now() - startedAt;
  if (response.status !== 204 && response.status !== 403)
    throw new Error(`Cannot measure: /auth answered ${response.status}`);
  return [ms, response.headers.get("x-ip-source")];
}

async function measure(url: string, tier: Tier, connections: number, first: number) {
  const { name, source, network, warm } = tier;
  for (let n = 0; n < warm; n += 1) await authorize(url, visitor(network, first + (n % VISITORS)));
  const sources: Record<string, number> = {};
  const rounds: { readonly at50: number; readonly at99: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: number[] = [];
    let at = 0;
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (at < REQUESTS) {
          const n = warm > 0 ? at % VISITORS : round * REQUESTS + at;
          at += 1;
          const [ms, from] = await authorize(url, visitor(network, first + n));
          times.push(ms);
          sources[from ?? "none"] = (sources[from ?? "none"] ?? 0) + 1;
        }
      }),
    );
    rounds.push({ at50: median(times), at99: quantile(times, 0.99) });
  }
  const at50 = Math.min(...rounds.map((round) => round.at50));
  const at99 = Math.min(...rounds.map((round) => round.at99));
  console.log(
    `${name.padEnd(12)} ${String(connections).padStart(2)} connections: p50 ${at50.toFixed(2)} ms, p99 ${at99.toFixed(2)} ms (rounds ${rounds.map((round) => round.at99.toFixed(2)).join(", ")}); sources ${JSON.stringify(sources)}`,
  );
  budget.check(`${name}: answers from ${source}`, sources[source] ?? 0, REQUESTS * ROUNDS, "least");
  // With several connections a request also waits for the others, so only one connection has a budget.
  if (connections === 1) budget.check(`${name}: p99 (ms)`, at99, BUDGET_P99_MS);
}

console.log(describeMachine());
const upstreams = await startUpstreams();
const env = {
  ...upstreams.env,
  LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
  LIMPID_PROXYCHECK_DAILY: "1000000",
  // One entry of memory, so that the database answers all but a repeated request.
  LIMPID_CACHE_ENTRIES: "1",
};
// The first service stores the reports that the others read.
const filled = await startService({ env: { ...env, LIMPID_LIVE: "0" } });
try {
  const paths = Array.from({ length: VISITORS }, (_, n) => `/api/lookup?ip=${visitor(45, n)}`);
  await askAll(filled.url, paths, 8);
  await filled.stop();
  const offline = { ...env, LIMPID_LIVE: "0" };
  for (const [source, entries] of [
    ["database", "1"],
    ["memory", "20000"],
  ] as const) {
    const { dataDirectory } = filled;
    const service = await startService({ env: { ...offline, LIMPID_CACHE_ENTRIES: entries }, dataDirectory });
    for (const connections of [1, 16])
      await measure(service.url, { name: source, source, network: 45, warm: VISITORS }, connections, 0);
    await service.close();
  }
  // Live sources are on and nobody may start a survey, so only the tables know a visitor.
  const tables = await startService({ env: { ...env, LIMPID_EXEMPT_CLIENTS: "", LIMPID_OPEN_PER_DAY: "0" } });
  for (const [turn, connections] of [1, 16].entries())
    await measure(
      tables.url,
      { name: "tables alone", source: "tables", network: 46, warm: 0 },
      connections,
      turn * REQUESTS * ROUNDS,
    );
  await tables.close();
} finally {
  await filled.close();
  await upstreams.close();
}
budget.end();
