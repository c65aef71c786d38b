/**
 * Measures what grows with the number of reports: `bun test/bench/growth.bench.ts [reports…]`, by default 1000 and
 * 100000. A million takes about two gigabytes and a few minutes. Ends with 1 when a budget is broken.
 */

import { Database } from "bun:sqlite";
import { rmSync, statSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { runLimpid, startService, startUpstreams } from "#kit";
import { ask, askAll, createBudget, makeFolder, readCpuMs, readMemoryMb } from "./harness.ts";
import { runLoad } from "./load.ts";

/** Surveys made by the service itself; every report of the file is one of them, moved to its own address. */
const SAMPLES = 100;
const SECONDS = 3;
const ROUNDS = 3;
const HEADER_BYTES = 17;
const FORMAT = 3;

/**
 * Aims and budgets are equal, except for time, which a busy machine changes: its aim is 1.3. The first read of a row
 * also reads two pages from the disk, which does not happen with a thousand rows.
 */
const BUDGET = { bytesPerReport: 3000, againAgainstThousand: 1.6, firstAgainstThousand: 2.4 };

const budget = createBudget();
const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(1000, 100_000);

const folder = makeFolder("growth");

interface Row {
  readonly address: string;
  readonly surveyed_at: number;
  readonly scoring_version: number;
  readonly live_heard: number;
  readonly assessment: Uint8Array;
  readonly survey: Uint8Array;
}

/** An order that is neither that of arrival nor that of the index. */
function addressOf(n: number): string {
  const word = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  return `8.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

/** Moves a document to another address: its checksum contains the address (`src/store/reports/documents.ts`). */
function moveDocument(address: string, bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  copy.writeBigUInt64LE(Bun.hash.xxHash64(copy.subarray(9), Bun.hash.xxHash64(`${FORMAT} ${address}`)), 1);
  return copy;
}

async function makeSamples(): Promise<string> {
  const upstreams = await startUpstreams({});
  const directory = join(folder, "samples");
  const service = await startService({
    env: { ...upstreams.env, LIMPID_PROXYCHECK_DAILY: "1000000" },
    dataDirectory: directory,
  });
  try {
    const paths = Array.from({ length: SAMPLES }, (_, n) => `/api/lookup?ip=9.9.${n}.10`);
    await askAll(service.url, paths, 10);
    if ((await service.stop()) !== 0) throw new Error(service.log());
  } finally {
    await service.close();
    await upstreams.close();
  }
  return join(directory, "limpid.db");
}

/** Fills a copy of the database of samples up to `count` reports. */
async function fill(samples: string, directory: string, count: number): Promise<readonly string[]> {
  await Bun.write(join(directory, "limpid.db"), Bun.file(samples));
  const database = new Database(join(directory, "limpid.db"));
  database.run("PRAGMA journal_mode=WAL");
  database.run("PRAGMA synchronous=OFF");
  const rows = database.query("SELECT * FROM reports").all() as Row[];
  if (rows.some(({ assessment }) => assessment[0] !== FORMAT || assessment.length <= HEADER_BYTES))
    throw new Error("Cannot fill: the samples have another format");
  const report = database.prepare("INSERT OR IGNORE INTO reports VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  const conclusion = database.prepare(
    "INSERT OR IGNORE INTO history (address, surveyed_at, purity, band, scoring_version) VALUES (?1, ?2, 97, 'pristine', ?3)",
  );
  const addresses: string[] = [];
  for (let from = 0; from < count; from += 20_000) {
    database.run("BEGIN");
    for (let n = from; n < Math.min(count, from + 20_000); n += 1) {
      const row = rows[n % rows.length];
      if (row === undefined) break;
      const address = addressOf(n);
      const { surveyed_at: at, scoring_version: scoring } = row;
      report.run(
        address,
        at,
        scoring,
        row.live_heard,
        moveDocument(address, row.assessment),
        moveDocument(address, row.survey),
      );
      conclusion.run(address, at, scoring);
      addresses.push(address);
    }
    database.run("COMMIT");
  }
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return addresses;
}

/** Drops a file from the page cache of the system, so that the next read comes from the disk. */
async function makeCold(path: string): Promise<void> {
  await Bun.spawn(["dd", `of=${path}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"], {
    stderr: "ignore",
  }).exited;
}

interface Measured {
  readonly count: number;
  readonly cpuMicros: number;
  /** The same rows again: from the page cache of the system, but too many for the cache of the database. */
  readonly againMicros: number;
}

const samples = await makeSamples();
const measured: Measured[] = [];
for (const count of sizes) {
  const directory = join(folder, String(count));
  const filledAt = performance.now();
  const addresses = await fill(samples, directory, count);
  const filledMs = performance.now() - filledAt;
  const path = join(directory, "limpid.db");
  const bytes = statSync(path).size;
  await makeCold(path);
  const startedAt = performance.now();
  const service = await startService({
    env: {
      LIMPID_LIVE: "0",
      LIMPID_EXEMPT_CLIENTS: "127.0.0.1",
      LIMPID_CACHE_ENTRIES: "1",
      LIMPID_LOG: "warn",
    },
    dataDirectory: directory,
  });
  try {
    const startMs = performance.now() - startedAt;
    const idleMb = readMemoryMb(service.process.pid);
    const picked = Array.from(
      { length: Math.min(count, 60_000) },
      (_, n) => `/api/lookup?ip=${addresses[(Math.imul(n, 7919) % count) >>> 0] ?? addresses[n]}`,
    );
    const first = (await ask(service.url + picked[0])) as { source: string };
    budget.require(`${count}: the source is ${first.source}`, first.source === "store");
    const common = { url: service.url, connections: 16, seconds: SECONDS };
    const slice = Math.floor(picked.length / (ROUNDS + 1));
    const cold = await runLoad({ ...common, paths: picked.slice(0, slice) });
    const load = async () => {
      let asked = 0;
      let [p50, p99] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const cpuBefore = readCpuMs(service.process.pid);
      for (let round = 1; round <= ROUNDS; round += 1) {
        const found = await runLoad({ ...common, paths: picked.slice(slice * round, slice * (round + 1)) });
        asked += found.perSecond * SECONDS;
        p50 = Math.min(p50, found.p50);
        p99 = Math.min(p99, found.p99);
        const statuses = Object.keys(found.statuses).join();
        budget.require(`${count}: ${statuses}`, statuses === "200");
      }
      const cpuMicros = ((readCpuMs(service.process.pid) - cpuBefore) * 1000) / asked;
      return { asked, p50, p99, cpuMicros };
    };
    const { asked, p50, p99, cpuMicros } = await load();
    const again = await load();
    const busyMb = readMemoryMb(service.process.pid);
    const backupAt = performance.now();
    const backup = await runLimpid(["db", "backup", join(folder, "copy.db")], {
      LIMPID_DATA_DIR: directory,
    });
    const backupMs = performance.now() - backupAt;
    budget.require(`${count}: no backup: ${backup.err}`, backup.code === 0);
    rmSync(join(folder, "copy.db"), { force: true });
    measured.push({ count, cpuMicros, againMicros: again.cpuMicros });
    console.log(
      `${count} reports (filled in ${(filledMs / 1000).toFixed(1)} s): ${(bytes / 1e6).toFixed(1)} MB, ${Math.round(bytes / count)} bytes each; start ${Math.round(startMs)} ms; ` +
        `from a cold disk p50 ${cold.p50.toFixed(2)} p99 ${cold.p99.toFixed(1)} ms; rows read for the first time p50 ${p50.toFixed(2)} p99 ${p99.toFixed(1)} ms, ${cpuMicros.toFixed(0)} µs of processor each, again ${again.cpuMicros.toFixed(0)}; ` +
        `memory ${idleMb} MB idle, ${busyMb} MB after ${Math.round(asked + again.asked)} hits; backup ${(backupMs / 1000).toFixed(1)} s; load ${loadavg()[0]?.toFixed(1)}`,
    );
    if (count >= 1000) budget.check(`${count}: bytes a report`, bytes / count, BUDGET.bytesPerReport);
  } finally {
    await service.close();
  }
}
const [least] = measured;
for (const { count, cpuMicros, againMicros } of measured) {
  if (least === undefined || count === least.count) continue;
  const first = cpuMicros / least.cpuMicros;
  const again = againMicros / least.againMicros;
  console.log(
    `processor time at ${count} against ${least.count} reports: ${first.toFixed(2)}, again ${again.toFixed(2)} (aim 1.3)`,
  );
  budget.check(`${count}: time against ${least.count}`, first, BUDGET.firstAgainstThousand);
  budget.check(`${count}: time against ${least.count}, again`, again, BUDGET.againAgainstThousand);
}
budget.end();
