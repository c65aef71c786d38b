/**
 * Measures the cost of a refused request after a million clients have asked, and the cost of the verification for this
 * server and for the visitor. Usage: bun test/bench/limits.bench.ts. Exits 1 when a refusal takes more than 20 µs, a
 * verification more than 5 ms, or the windows more than 64 MB of heap. The window of lookups keeps 131 072 clients: a
 * client gets more than its limit only when that many others are admitted within its minute, 2184 new clients a second.
 */

import { heapStats } from "bun:jsc";
import { join } from "node:path";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import {
  type Client,
  createAdmissions,
  createClientNames,
  createLookupWindow,
  createRateWindow,
} from "#limits";
import { openStore } from "#store";
import { ALTCHA_COST, createAltchaVerification, createPasses } from "#verification";
import { createBudget, makeFolder, median } from "./harness.ts";

const CLIENTS = 1_000_000;
const REFUSAL_BUDGET_US = 20;
const CHECK_BUDGET_MS = 5;
const BYTES_BUDGET = 64e6;
/** How much longer a take may last with a limit of a million than with one of 30, whose takes are nearly all refused. */
const RATIO_BUDGET = 5;
const START = Date.UTC(2026, 0, 15, 12);

const folder = makeFolder("bench");
const store = await openStore({
  url: `file:${join(folder, "limpid.db")}`,
  migrations: join(import.meta.dir, "../../drizzle"),
});
const lookups = createLookupWindow(30);
const secret = "a secret of the bench";
const limits = {
  openPerDay: 5,
  openPerMinute: 1000,
  openDailyTotal: 500,
  newPerMinute: 10,
  refreshPerMinute: 5,
};
let time = START;
const admissions = createAdmissions({
  repository: store.admissions,
  names: createClientNames(secret),
  limits,
  now: () => time,
  onOutage: (error) => {
    throw error;
  },
});

function keyOf(client: number): string {
  return `10.${client >>> 16}.${(client >>> 8) & 255}.${client & 255}`;
}

const budget = createBudget();

/** Median of rounds, in microseconds a call. */
async function measure(
  name: string,
  budgetUs: number,
  calls: number,
  act: (call: number) => unknown,
): Promise<void> {
  const rounds: number[] = [];
  for (let round = 0; round < 7; round++) {
    const begun = Bun.nanoseconds();
    for (let call = 0; call < calls; call++) {
      const result = act(call);
      if (result instanceof Promise) await result;
    }
    rounds.push((Bun.nanoseconds() - begun) / calls / 1000);
  }
  console.log(`${name}: ${median(rounds).toFixed(2)} µs (budget ${budgetUs})`);
  budget.check(`${name} (µs)`, median(rounds), budgetUs);
}

/** Bytes of live objects. */
function readHeap(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

const before = readHeap();
for (let client = 0; client < CLIENTS; client++) {
  lookups.take(keyOf(client), time);
}
const bytes = readHeap() - before;
const kept = `${lookups.size} clients kept by the window of lookups`;
console.log(`windows after a million clients: ${(bytes / 1e6).toFixed(1)} MB of heap, ${kept}`);
budget.check("bytes of the windows", bytes, BYTES_BUDGET);
const spread = 1000;
for (let client = 0; client < spread; client++) {
  for (let take = 0; take < 30; take++) lookups.take(keyOf(client * 97), time);
}

await measure("31st lookup, refused", REFUSAL_BUDGET_US, 100_000, (call) =>
  lookups.take(keyOf((call % spread) * 97), time),
);

// A take of a client that has asked for two minutes without a pause, by the limit.
const takeUs = (limit: number) => {
  const window = createRateWindow({ limit, windowMs: 60_000, maxKeys: 10 });
  const rounds: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const begunAt = Bun.nanoseconds();
    for (let call = 0; call < 40_000; call += 1) window.take("192.0.2.1", START + round * 13_000 + call / 3);
    rounds.push((Bun.nanoseconds() - begunAt) / 40e6);
  }
  return median(rounds);
};
const [lowUs, highUs] = [takeUs(30), takeUs(1_000_000)];
const ratio = highUs / lowUs;
console.log(
  `a take with a limit of 30: ${lowUs.toFixed(2)} µs, of 1 000 000: ${highUs.toFixed(2)} µs, ratio ${ratio.toFixed(1)} (budget ${RATIO_BUDGET})`,
);
budget.check("a take with a high limit, by one with a low one", ratio, RATIO_BUDGET);

// 100 clients use up their day, and together the day of the site.
const clientsOf = (network: string): readonly Client[] =>
  Array.from({ length: 100 }, (_, i) => ({ key: `${network}.${i}`, exempt: false }));
const [spent, others, busy] = [clientsOf("192.0.2"), clientsOf("198.51.100"), clientsOf("203.0.113")];
for (const client of spent) {
  for (let ask = 0; ask < 5; ask++) await admissions.request({ client, kind: "new-ip" });
}
for (const client of others) await admissions.remaining(client);
for (const [place, client] of busy.entries()) {
  for (let ask = 0; ask < 10; ask++)
    await admissions.request({ client, kind: "new-ip", passId: `p${place}` });
}

async function refused(clients: readonly Client[], call: number, reason: string): Promise<void> {
  const client = clients[call % clients.length] ?? spent[0];
  if (client === undefined) return;
  const leave = await admissions.request({ client, kind: "new-ip" });
  if (leave.admitted || leave.refusal.reason !== reason) throw new Error(`Cannot measure "${reason}"`);
}

for (const [name, clients, reason] of [
  ["6th of the day", spent, "client_day"],
  ["501st of everybody's day", others, "total_day"],
  ["11th first lookup of the minute", busy, "new_per_minute"],
] as const)
  await measure(`${name}, refused`, REFUSAL_BUDGET_US, 20_000, (call) => refused(clients, call, reason));
const known = spent[0] ?? { key: "192.0.2.0", exempt: false };
await measure("what a client has left, from memory", REFUSAL_BUDGET_US, 100_000, () =>
  admissions.remaining(known),
);

const heapBefore = readHeap();
for (let client = 0; client < 100_000; client++) {
  await admissions.remaining({ key: keyOf(client), exempt: false });
  if (client % 1000 > 0) continue;
  time += 1;
  // The driver lets go of its statements only between turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
const heapMb = (readHeap() - heapBefore) / 1e6;
console.log(`what 100 000 clients have left, remembered: ${heapMb.toFixed(1)} MB of heap`);

const passes = createPasses({
  secret,
  now: () => time,
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
});
const cookie = `limpid_pass=${passes.issue().cookie}`;
await measure("a pass, read", REFUSAL_BUDGET_US, 20_000, () => passes.read(cookie));

const verification = createAltchaVerification({ secret, challenges: store.challenges, now: () => time });
const matter = { address: "192.0.2.1", action: "lookup" } as const;
await measure("a challenge, made", CHECK_BUDGET_MS * 1000, 50, () => verification.createChallenge(matter));
const challenge: Challenge = JSON.parse(JSON.stringify(await verification.createChallenge(matter)));
const begun = performance.now();
const solution = await solveChallenge({ challenge, deriveKey });
const solvedMs = performance.now() - begun;
const tries = (solution?.counter ?? 0) + 1;
const payload = Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
await measure("a solution, judged", CHECK_BUDGET_MS * 1000, 200, () => verification.verify(matter, payload));
const perTryMs = solvedMs / tries;
console.log(
  `a challenge, solved here on one thread: ${perTryMs.toFixed(2)} ms a try, ${(ALTCHA_COST.leastTries * perTryMs).toFixed(0)} to ${(ALTCHA_COST.mostTries * perTryMs).toFixed(0)} ms`,
);

await store.close();
budget.end();
