import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock, type Sqld, startSqld } from "#kit";
import { createNearStore, type NearStore, openMirror, openNearStore, openStore, type Store } from "#store";
import { makeReport } from "./make_report.ts";

const migrations = join(import.meta.dir, "../../drizzle");
const IP = "198.51.100.7";
const DAY = 20_000;

let folder: string;
let sqld: Sqld;
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "limpid-near-"));
  sqld = await startSqld();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await sqld.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openPrimary(): Promise<Store> {
  return openStore({ url: sqld.url, migrations });
}

const copyOf = (periodMs: number) => ({
  directory: join(folder, "replica"),
  primary: sqld.url,
  periodMs,
  now: Date.now,
  random: () => 0.5,
  log: () => {},
});

async function openNear(periodMs: number): Promise<NearStore> {
  const near = await openNearStore(await openPrimary(), copyOf(periodMs));
  open.push(near.store);
  return near;
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !(await isSo()); turn += 1) await Bun.sleep(10);
  expect(await isSo()).toBe(true);
}

describe("openNearStore()", () => {
  test("shows what others wrote as soon as the copy has it", async () => {
    const other = await openPrimary();
    open.push(other);
    const near = await openNear(50);
    await other.save(makeReport(IP, 1000), "{}");
    await until(async () => (await near.shelf.find(IP))?.surveyedAt === 1000);
    expect(await near.shelf.findSurvey(IP)).toBe("{}");
    expect(near.shelf.isCurrent()).toBe(true);
    await until(async () => (await near.store.history(IP)).length === 1);
  });

  test("shows what it has saved itself at once, while the copy still holds what was before", async () => {
    const first = await openPrimary();
    await first.save(makeReport(IP, 1000, 90), "{}");
    await first.close();
    const near = await openNear(3_600_000);
    await until(() => near.shelf.isCurrent());
    expect(await near.shelf.find(IP)).toMatchObject({ surveyedAt: 1000, assessment: { purity: 90 } });
    await near.store.save(makeReport(IP, 2000, 40), "{}");
    expect(await near.shelf.find(IP)).toMatchObject({
      surveyedAt: 2000,
      assessment: { purity: 40 },
      votes: [],
    });
    expect(await near.store.history(IP)).toHaveLength(2);
    await near.store.save(makeReport("198.51.100.8", 3000), "{}");
    expect(await near.shelf.find("198.51.100.8")).toMatchObject({ surveyedAt: 3000 });
    await sqld.kill();
    expect(await near.shelf.find("198.51.100.8")).toMatchObject({ surveyedAt: 3000 });
    expect(await near.store.history(IP)).toHaveLength(1);
  });

  test("leaves an address to the store after a vote, until the copy has that", async () => {
    const near = await openNear(3_600_000);
    await until(() => near.shelf.isCurrent());
    await near.store.save(makeReport(IP, 1000), "{}");
    const vote = { address: IP, scenario: "ai", voter: "v", day: DAY, rating: 5 };
    await near.store.votes.cast(vote);
    expect(await near.shelf.find(IP)).toBeUndefined();
    expect((await near.store.find(IP))?.votes).toEqual([{ scenario: "ai", count: 1, sum: 5 }]);
  });

  test("has the copy's word again when that has been in step twice, for the first time may have begun before", async () => {
    const primary = await openPrimary();
    const mirror = await openMirror({ ...copyOf(3_600_000), onRows: () => {} });
    const clock = createClock();
    let lastSyncAt = clock.now();
    const near = createNearStore(
      primary,
      { ...mirror, state: () => ({ state: "current", lastSyncAt, lagMs: 0 }) },
      clock.now,
    );
    open.push(near.store);
    await until(async () => mirror.state().state === "current");
    await near.store.save(makeReport(IP, 1000), "{}");
    for (const isHeldBack of [true, true, false]) {
      expect((await near.shelf.find(IP)) !== undefined).toBe(isHeldBack);
      clock.advance(1000);
      lastSyncAt = clock.now();
    }
  });

  test("reads lists from the copy while the server is away, and from the server while there is no copy", async () => {
    const near = await openNear(3_600_000);
    await near.store.save(makeReport(IP, 1000), "{}");
    expect(await near.store.newest(5)).toEqual([{ address: IP, surveyedAt: 1000 }]);
    await near.store.close();
    open.splice(0);
    const again = await openNear(50);
    await until(async () => (await again.shelf.find(IP)) !== undefined);
    await sqld.kill();
    expect(await again.store.newest(5)).toEqual([{ address: IP, surveyedAt: 1000 }]);
    expect(await again.store.history(IP)).toHaveLength(1);
    expect(again.store.find(IP)).rejects.toThrow("Cannot read a report");
    expect((await again.shelf.find(IP))?.surveyedAt).toBe(1000);
  });
});
