/**
 * Measures a lookup that the database file answers, alone in this process, compared with writing its JSON, which every
 * answer needs: `bun test/bench/store.bench.ts`. Ends with 1 when a budget is broken.
 */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Address, parseAddress } from "#address";
import { startService, startUpstreams } from "#kit";
import { ADMIT_ALL } from "#limits";
import { localize } from "#locale";
import { createLookup } from "#lookup";
import type { Report } from "#report";
import { openStore } from "#store";
import { askAll, createBudget, describeMachine, makeFolder } from "./harness.ts";

const REPORTS = 200;
const HITS = 4000;
const ROUNDS = 7;

/** The most that each step and those before it may take, relative to writing the JSON of the report, and the aims. */
const BUDGET = { find: 3, lookup: 3.5, speak: 5 };
const AIM = { find: 1, lookup: 1.2, speak: 2 };

const budget = createBudget();
const folder = makeFolder("store-bench");

/** Reports of real surveys against local upstreams, made by the service itself. */
async function survey(): Promise<readonly Address[]> {
  const upstreams = await startUpstreams({});
  const service = await startService({
    env: { ...upstreams.env, LIMPID_PROXYCHECK_DAILY: "1000000" },
    dataDirectory: folder,
  });
  try {
    const names = Array.from({ length: REPORTS }, (_, n) => `8.${n}.10.9`);
    const paths = names.map((name) => `/api/lookup?ip=${name}`);
    await askAll(service.url, paths, 10);
    if ((await service.stop()) !== 0) throw new Error(service.log());
    return names.map((name) => parseAddress(name)).filter((address) => address !== undefined);
  } finally {
    await service.close();
    await upstreams.close();
  }
}

/** Least processor time of a step in microseconds, its threads included. */
async function measure(step: (n: number) => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let n = 0; n < HITS; n += 1) await step(n);
    const { user, system } = process.cpuUsage(before);
    if (round > 1) best = Math.min(best, (user + system) / HITS);
  }
  return best;
}

console.log(describeMachine());
const addresses = await survey();
const path = join(folder, "limpid.db");
const stored = new Database(path, { readonly: true });
const bytes = stored.query("SELECT avg(length(assessment)) AS bytes FROM reports").get() as {
  bytes: number;
};
stored.close();

const store = await openStore({ url: `file:${path}`, migrations: join(import.meta.dir, "../../drizzle") });
const never = () => Promise.reject(new Error("a hit asks nobody"));
const { lookup } = createLookup({
  store,
  survey: never,
  surveySpecial: never,
  admissions: ADMIT_ALL,
  now: Date.now,
  live: true,
  staleMs: 86_400_000,
  cacheEntries: 1,
  cacheBytes: 16_000_000,
  cacheMs: 600_000,
  maxSurveys: 1,
  maxWaiting: 1,
  maxWaitMs: 1000,
  log: (level, event, fields) => budget.require(`${level} ${event} ${JSON.stringify(fields)}`, false),
});
const { signal } = new AbortController();
const client = { key: "192.0.2.1", exempt: false };
const at = (n: number): Address => addresses[n % addresses.length] ?? failEmpty();

async function answer(n: number) {
  const result = await lookup({ address: at(n), refresh: false, client }, signal);
  if (result.kind !== "answer" || result.answer.tier !== "store") throw new Error(`No hit: ${result.kind}`);
  return result.answer;
}

async function say(n: number): Promise<Report> {
  const { assessment, tier, stale, votes } = await answer(n);
  return localize(assessment, {
    language: "en",
    tier,
    stale,
    votes,
    reportUrl: "https://limpid.example/ip/",
  });
}

const reports = await Promise.all(addresses.map((_, n) => say(n)));
let written = 0;
const floor = await measure((n) => {
  written += JSON.stringify(reports[n % reports.length]).length;
});
const steps = [
  ["find", (n: number) => store.find(at(n).text)],
  ["lookup", answer],
  ["speak", say],
] as const;
console.log(
  `${addresses.length} reports of ${Math.round(bytes.bytes)} bytes, ${Math.round(written / (HITS * ROUNDS))} as JSON; writing that takes ${floor.toFixed(1)} µs of processor`,
);
for (const [name, step] of steps) {
  const micros = await measure(step);
  const ratio = micros / floor;
  console.log(
    `${name.padEnd(8)} ${micros.toFixed(1).padStart(6)} µs, ${ratio.toFixed(2)} of it (at most ${BUDGET[name]}, aim ${AIM[name]})`,
  );
  budget.check(`${name}, by writing the JSON`, ratio, BUDGET[name]);
}
await store.close();

function failEmpty(): never {
  throw new Error("Cannot look anything up: nothing was surveyed");
}

budget.end();
