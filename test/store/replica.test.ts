import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { type Sqld, startSqld } from "#kit";
import { type Mirror, openMirror, openStore, type Store, StoreError } from "#store";
import { migrations } from "./backend.ts";
import { makeReport } from "./make_report.ts";

const PERIOD_MS = 100;
const QUIET_MS = 300;
const DEADLINE_MS = 15_000;

const closers: (() => Promise<void> | void)[] = [];
let directory: string;
let sqld: Sqld;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "limpid-mirror-"));
  sqld = await startSqld();
  closers.push(
    () => rmSync(directory, { recursive: true, force: true }),
    () => sqld.close(),
  );
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openPrimary(): Promise<Store> {
  const store = await openStore({ url: sqld.url, migrations });
  closers.push(() => store.close());
  return store;
}

interface Watched extends Mirror {
  readonly events: string[];
  readonly changes: () => number;
}

async function open(rest: { primary?: string; periodMs?: number } = {}): Promise<Watched> {
  const events: string[] = [];
  let changes = 0;
  const mirror = await openMirror({
    directory,
    primary: sqld.url,
    periodMs: PERIOD_MS,
    now: () => Date.now(),
    random: () => 0.5,
    onRows: () => {
      changes += 1;
    },
    log: (_level, event, fields) => events.push(`${event} ${JSON.stringify(fields ?? {})}`),
    quietMs: QUIET_MS,
    ...rest,
  });
  closers.push(() => mirror.store.close());
  return { ...mirror, events, changes: () => changes };
}

/** Looks again until it is so; a mirror is never waited for otherwise. */
async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`);
    await Bun.sleep(10);
  }
}

async function has(mirror: Mirror, address: string): Promise<boolean> {
  return (await mirror.store.find(address)) !== undefined;
}

function replicaFile(): string {
  const copy = readdirSync(directory).find((name) => /^\d+$/.test(name)) ?? "";
  return join(directory, copy, "replica.db");
}

/** Number of the last frame of the primary's log: it moves with every write. */
async function lastFrame(): Promise<string> {
  const client = createClient({ url: sqld.url });
  const { rows } = await client.execute("SELECT count(*) AS n, sum(length(assessment)) AS bytes FROM reports");
  client.close();
  return JSON.stringify(rows[0]);
}

const ADDRESS = "203.0.113.7";
const SURVEY = JSON.stringify({ said: "x".repeat(9000) });

describe("openMirror", () => {
  test("reads what the primary holds, as it was stored", async () => {
    const primary = await openPrimary();
    await primary.save(makeReport(ADDRESS, 5), SURVEY);
    await primary.votes.cast({ address: ADDRESS, scenario: "ai", voter: "v", day: 1, rating: 4 }, 10);
    const before = await lastFrame();
    const mirror = await open();
    await until(() => has(mirror, ADDRESS), "the report");
    expect(await mirror.store.find(ADDRESS)).toEqual((await primary.find(ADDRESS)) ?? expect.unreachable());
    expect(await mirror.store.findSurvey(ADDRESS)).toBe(SURVEY);
    expect(await mirror.store.history(ADDRESS)).toEqual(await primary.history(ADDRESS));
    expect(await mirror.store.votes.read(ADDRESS)).toEqual([{ scenario: "ai", count: 1, sum: 4 }]);
    expect(await mirror.store.find("203.0.113.8")).toBeUndefined();
    await mirror.store.ping();
    expect(mirror.state()).toMatchObject({ state: "current", frame: expect.any(Number) });
    expect(await lastFrame()).toBe(before);
  });

  test("shows what is written later, and says so once", async () => {
    const primary = await openPrimary();
    const mirror = await open();
    await until(() => mirror.state().state === "current", "the first sync");
    const changes = mirror.changes();
    await primary.save(makeReport(ADDRESS, 5), SURVEY);
    await until(() => has(mirror, ADDRESS), "the report");
    await until(() => mirror.changes() > changes, "the news");
    await primary.save(makeReport(ADDRESS, 6, 50), SURVEY);
    await until(async () => (await mirror.store.find(ADDRESS))?.surveyedAt === 6, "the newer report");
  });

  test("is empty, and says that it has nothing, while the primary has never answered", async () => {
    await sqld.kill();
    const mirror = await open();
    expect(await mirror.store.find(ADDRESS)).toBeUndefined();
    expect(mirror.store.ping()).rejects.toThrow(StoreError);
    await until(() => mirror.state().error !== undefined, "the failure");
    expect(mirror.state()).toEqual({ state: "starting", error: expect.stringContaining("the primary") });
    await sqld.restart();
    const primary = await openPrimary();
    await primary.save(makeReport(ADDRESS, 5), SURVEY);
    await until(() => has(mirror, ADDRESS), "the report");
  });

  test.each(["stopped", "killed"] as const)("reads on at once while the primary is %s, and catches up", async (how) => {
    const primary = await openPrimary();
    await primary.save(makeReport(ADDRESS, 5), SURVEY);
    const mirror = await open();
    await until(() => has(mirror, ADDRESS), "the report");
    if (how === "stopped") sqld.pause();
    else await sqld.kill();
    let longest = 0;
    await until(async () => {
      const start = performance.now();
      expect(await has(mirror, ADDRESS)).toBe(true);
      longest = Math.max(longest, performance.now() - start);
      return mirror.state().state === "behind" && mirror.state().error !== undefined;
    }, "being behind");
    expect(longest).toBeLessThan(250);
    if (how === "stopped") sqld.resume();
    else await sqld.restart();
    await primary.save(makeReport("203.0.113.8", 5), SURVEY);
    await until(() => has(mirror, "203.0.113.8"), "the later report");
    await until(() => mirror.state().state === "current", "being current");
    expect(mirror.state().error).toBeUndefined();
  });

  test("starts from what it has while the primary is down, and knows how old that is", async () => {
    const primary = await openPrimary();
    await primary.save(makeReport(ADDRESS, 5), SURVEY);
    const first = await open();
    await until(() => has(first, ADDRESS), "the report");
    await first.store.close();
    await sqld.kill();
    const mirror = await open();
    expect(await has(mirror, ADDRESS)).toBe(true);
    const { lastSyncAt = 0, lagMs = -1 } = mirror.state();
    expect(Math.abs(Date.now() - lastSyncAt)).toBeLessThan(10_000);
    expect(lagMs).toBeGreaterThanOrEqual(0);
    await until(() => mirror.state().state === "behind", "being behind");
    await sqld.restart();
    await until(() => mirror.state().state === "current", "being current");
  });

  test("keeps nothing of another primary", async () => {
    const primary = await openPrimary();
    await primary.save(makeReport(ADDRESS, 5), SURVEY);
    const first = await open();
    await until(() => has(first, ADDRESS), "the report");
    await first.store.close();
    const mirror = await open({ primary: "http://127.0.0.1:1" });
    expect(await mirror.store.find(ADDRESS)).toBeUndefined();
  });

  test("begins anew when the primary's database has been replaced", async () => {
    const primary = await openPrimary();
    for (let n = 1; n < 9; n += 1) await primary.save(makeReport(`203.0.113.${n}`, 5), SURVEY);
    const mirror = await open();
    await until(() => has(mirror, "203.0.113.8"), "the report");
    await sqld.kill();
    rmSync(sqld.directory, { recursive: true });
    await sqld.restart();
    const fresh = await openPrimary();
    await fresh.save(makeReport("203.0.113.99", 5), SURVEY);
    await until(() => has(mirror, "203.0.113.99"), "the new database");
    expect(await has(mirror, "203.0.113.8")).toBe(false);
  });

  test("refuses a folder that another process serves from", async () => {
    await open();
    expect(open()).rejects.toThrow(/another process serves from it/);
  });
});

/** Everything that can happen to a file while nobody looks. */
const DAMAGE: Record<string, (path: string) => void> = {
  "its header flipped": (path) => flip(path, 0, 100),
  "its schema page flipped": (path) => flip(path, 100, 3000),
  "its middle flipped": (path) => flip(path, Math.floor(statSync(path).size / 2) & ~4095, 8192),
  "its end cut off": (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  "nothing left": (path) => truncateSync(path, 0),
  "no notes beside it": (path) => rmSync(`${path}-client_wal_index`),
  "false notes beside it": (path) => flip(`${path}-client_wal_index`, 0, 32),
  "its log flipped": (path) => existsSync(`${path}-wal`) && flip(`${path}-wal`, 0, 2000),
};

function flip(path: string, from: number, length: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(file);
}

describe("openMirror, on a damaged copy", () => {
  test.each(Object.keys(DAMAGE))("with %s, makes another and serves it", async (kind) => {
    const primary = await openPrimary();
    for (let n = 1; n < 60; n += 1) await primary.save(makeReport(`203.0.113.${n}`, 5), SURVEY);
    const first = await open();
    await until(() => has(first, "203.0.113.59"), "the reports");
    await first.store.close();
    DAMAGE[kind]?.(replicaFile());
    const mirror = await open();
    await until(async () => {
      for (let n = 1; n < 60; n += 1) {
        const found = await mirror.store.find(`203.0.113.${n}`).catch(() => "unreadable" as const);
        if (found === "unreadable" || found === undefined) return false;
        expect(found.assessment?.address).toBe(`203.0.113.${n}`);
      }
      return mirror.state().state === "current";
    }, `all reports, ${JSON.stringify(mirror.state())} ${mirror.events.join(" ")}`);
    await primary.save(makeReport("203.0.113.200", 5), SURVEY);
    await until(() => has(mirror, "203.0.113.200"), "a later report");
    expect(readdirSync(directory).filter((name) => /^\d+$/.test(name))).toHaveLength(1);
  });

  test("finds the damage when it is read, and serves the rest meanwhile", async () => {
    const primary = await openPrimary();
    for (let n = 1; n < 60; n += 1) await primary.save(makeReport(`203.0.113.${n}`, 5), SURVEY);
    const mirror = await open();
    await until(() => has(mirror, "203.0.113.59"), "the reports");
    // Behind the reader's back, as a failing disk would: an assessment that is no longer JSON.
    const spoiled = createClient({ url: sqld.url });
    await spoiled.execute("UPDATE reports SET assessment = '{' WHERE address = '203.0.113.5'");
    spoiled.close();
    await until(() => mirror.events.some((event) => event.startsWith("replica_rebuilding")) || mirror.store.find("203.0.113.5").then(() => false, () => false), "the rebuilding");
    await until(() => mirror.state().state === "current", "being current");
    expect(await has(mirror, "203.0.113.6")).toBe(true);
  });
});
