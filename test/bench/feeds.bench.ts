/**
 * `bun test/bench/feeds.bench.ts` measures one table made from lists of real size: the time to compile it from the
 * downloads, the delay of the thread that answers requests, the time of a lookup, and the memory. Exits 1 beyond a
 * budget.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Address, addressFromWords, parseAddress } from "#address";
import { createCompiler, type Feeds, openFeeds } from "#feeds";
import { FEEDS, writeFullSize } from "./feeds_full_size.ts";
import { createBudget, makeFolder, quantile } from "./harness.ts";

const BUDGET = { rebuildMs: 10_000, lookupNs: 300, residentMb: 200, delayP99Ms: 10 };
const ADDRESSES = 200_000;
const PASSES = 7;
const STEP_MS = 2;

const registry = new URL("./feeds_full_size.ts", import.meta.url).href;
const directory = process.argv[2] ?? makeFolder("feeds-bench");
const budget = createBudget();
const open = () => openFeeds({ directory, feeds: FEEDS, now: () => Date.now() });

function check(name: string, value: number, most: number, unit: string): void {
  console.log(`${name.padEnd(44)} ${value.toFixed(1).padStart(10)} ${unit}   (budget ${most})`);
  budget.check(`${name} (${unit})`, value, most);
}

/** How late the timers of this thread are while `work` runs elsewhere. */
async function measureDelays(work: Promise<unknown>): Promise<readonly number[]> {
  const delays: number[] = [];
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const startedAt = performance.now();
    await Bun.sleep(STEP_MS);
    delays.push(performance.now() - startedAt - STEP_MS);
  }
  return delays;
}

function timeNs(feeds: Feeds, addresses: readonly Address[]): { ns: number; hits: number } {
  const times: number[] = [];
  let hits = 0;
  for (let pass = 0; pass <= PASSES; pass++) {
    hits = 0;
    const startedAt = performance.now();
    for (const address of addresses) if (feeds.lists(address) !== undefined) hits++;
    times.push(((performance.now() - startedAt) * 1e6) / addresses.length);
  }
  return { ns: quantile(times.slice(1), 0.5), hits: hits / addresses.length };
}

if (process.argv[2] !== undefined) {
  // In its own process: opens the files on disk, compiles them again, and keeps the table.
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  const feeds = open();
  const openMs = performance.now() - startedAt;
  Bun.gc(true);
  const held = process.memoryUsage.rss() - before;
  const isCurrent = feeds.isCurrent();
  rmSync(join(directory, "tables.json"));
  const again = open();
  const compiler = createCompiler({ registry });
  await again.rebuild(compiler);
  compiler.close();
  await Bun.sleep(500);
  Bun.gc(true);
  const rebuilt = process.memoryUsage.rss();
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(JSON.stringify({ held, openMs, isCurrent: isCurrent && again.isCurrent(), rebuilt, peak }));
  process.exit(0);
}

const { rows, prefixes6 } = writeFullSize(directory);
console.log(`${rows} rows in ${FEEDS.length} feeds`);
const feeds = open();
const compiler = createCompiler({ registry });
const idle = await measureDelays(Bun.sleep(1_000));
const startedAt = performance.now();
const work = feeds.rebuild(compiler);
const delays = await measureDelays(work);
const rebuildMs = performance.now() - startedAt;
const { rows: ranges, bytes, readings } = await work;
for (const reading of readings)
  budget.require(reading.good ? reading.id : `${reading.id}: ${reading.problem}`, reading.good);
console.log(`${ranges} ranges, ${(bytes / 1e6).toFixed(1)} MB of tables`);
check("rebuild of everything", rebuildMs, BUDGET.rebuildMs, "ms");
console.log(
  `event-loop delay: idle p99 ${quantile(idle, 0.99).toFixed(2)} ms; during a rebuild p50 ${quantile(delays, 0.5).toFixed(2)}, max ${Math.max(...delays).toFixed(2)} ms`,
);
check("event-loop delay p99 during a rebuild", quantile(delays, 0.99), BUDGET.delayP99Ms, "ms");

const word = () => Math.floor(Math.random() * 2 ** 32);
const v4 = Array.from({ length: ADDRESSES }, () => addressFromWords(4, [word()]));
// Half of them inside a listed /64, half beside it.
const v6 = Array.from({ length: ADDRESSES }, (_, i) => {
  const address = parseAddress(`${prefixes6[i % prefixes6.length]}::${(i & 0xffff).toString(16)}`);
  if (address === undefined) throw new Error("Cannot parse a prefix of our own");
  const [top = 0, next = 0] = address.words;
  return i % 2 === 0 ? address : addressFromWords(6, [top, next ^ 0x8000, word(), word()]);
});
for (const [name, addresses] of [
  ["IPv4", v4],
  ["IPv6", v6],
] as const) {
  const { ns, hits } = timeNs(feeds, addresses);
  check(`lookup ${name} (${(100 * hits).toFixed(1)} % hits)`, ns, BUDGET.lookupNs, "ns");
}
compiler.close();
const child = Bun.spawnSync([process.execPath, import.meta.path, directory]);
const { held, openMs, isCurrent, rebuilt, peak } = JSON.parse(child.stdout.toString());
budget.require("the tables on disk are current", isCurrent === true);
console.log(`held by the tables, opened from disk: ${(held / 1e6).toFixed(0)} MB`);
check("whole process after a rebuild", rebuilt / 1e6, BUDGET.residentMb, "MB");
console.log(`at most while it compiled: ${(peak / 1e6).toFixed(0)} MB`);
console.log(
  `opened in ${openMs.toFixed(1)} ms; ${(statSync(join(directory, "lists.table")).size / 1e6).toFixed(1)} MB on disk`,
);
budget.end();
