import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { createTemporaryFolder } from "#kit";
import { type FoundReport, openStore, type Store, type StoredReport, StoreError } from "#store";
import { makeOlderMigrations } from "../proof/durability/old_databases.ts";
import { makeReport } from "./make_report.ts";

const migrations = join(import.meta.dir, "../../drizzle");
const stores: Store[] = [];

const makeFolder = () => createTemporaryFolder("limpid-store-");

async function open(path: string): Promise<Store> {
  const store = await openStore({ url: `file:${path}`, migrations });
  stores.push(store);
  return store;
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

/** A found report without votes. */
function asFound(report: StoredReport): FoundReport {
  return { ...report, votes: [] };
}

/** What every conclusion of `makeReport` has. */
const BACKED = { confidence: "high", coverage: 0.58 };

/** A database with the first migrations only. With two, its history has one conclusion per survey. */
async function makeDatabaseOfBefore(path: string, version = 2): Promise<void> {
  const before = makeOlderMigrations(makeFolder(), version);
  await (await openStore({ url: `file:${path}`, migrations: before })).close();
}

describe("openStore()", () => {
  test("returns a report, its survey and its history as they were saved", async () => {
    const store = await open(join(makeFolder(), "a.db"));
    const report = makeReport("203.0.113.7", 1_790_000_000_000);
    const survey = JSON.stringify({ runs: ["一", "x".repeat(5000)] });
    await store.save(report, survey);
    expect(await store.find("203.0.113.7")).toMatchObject(asFound(report));
    expect(await store.findSurvey("203.0.113.7")).toBe(survey);
    expect(await store.history("203.0.113.7")).toEqual([
      { surveyedAt: 1_790_000_000_000, purity: 97, band: "pristine", scoringVersion: 1, ...BACKED },
    ]);
    expect(await store.find("203.0.113.8")).toBeUndefined();
    expect(await store.findSurvey("203.0.113.8")).toBeUndefined();
    expect(await store.history("203.0.113.8")).toEqual([]);
  });

  test("has an index that finds old reports without reading a document", async () => {
    const path = join(makeFolder(), "a.db");
    await open(path);
    const client = createClient({ url: `file:${path}` });
    const { rows } = await client.execute(
      "EXPLAIN QUERY PLAN SELECT address FROM reports WHERE surveyed_at < 5 ORDER BY surveyed_at, address LIMIT 2",
    );
    client.close();
    expect(rows.map(({ detail }) => detail)).toEqual([
      "SEARCH reports USING COVERING INDEX reports_newest (surveyed_at<?)",
    ]);
  });

  test("refuses a database that a newer version changed, and leaves it as it is", async () => {
    const path = join(makeFolder(), "a.db");
    await (await open(path)).save(makeReport("203.0.113.7", 1), "{}");
    for (const store of stores.splice(0)) await store.close();
    const client = createClient({ url: `file:${path}` });
    await client.execute("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)");
    client.close();
    await expect(openStore({ url: `file:${path}`, migrations })).rejects.toThrow(
      new StoreError(`Cannot open database "${path}": it was changed by a newer version of limpid`),
    );
  });

  test("replaces a report of the same address and no other", async () => {
    const store = await open(join(makeFolder(), "a.db"));
    const other = makeReport("2001:db8::1", 5, 11);
    await store.save(makeReport("203.0.113.7", 1), "{}");
    await store.save(other, "{}");
    const newer = makeReport("203.0.113.7", 2, 40);
    await store.save(newer, '{"n":2}');
    expect(await store.find("203.0.113.7")).toMatchObject(asFound(newer));
    expect(await store.findSurvey("203.0.113.7")).toBe('{"n":2}');
    expect(await store.find("2001:db8::1")).toMatchObject(asFound(other));
  });

  test("rescores a survey in place, its conclusions side by side in the history", async () => {
    const store = await open(join(makeFolder(), "a.db"));
    const old = makeReport("203.0.113.7", 9, 97);
    await store.save(makeReport("203.0.113.7", 8, 50), "{}");
    await store.save(old, '{"n":1}');
    const anew = { ...old, assessment: { ...old.assessment, scoringVersion: 2, purity: 90 } };
    await store.rescore(anew);
    await store.rescore(anew);
    expect(await store.find("203.0.113.7")).toMatchObject(asFound(anew));
    expect(await store.findSurvey("203.0.113.7")).toBe('{"n":1}');
    expect(await store.history("203.0.113.7")).toEqual([
      { surveyedAt: 9, purity: 90, band: "pristine", scoringVersion: 2, ...BACKED },
      { surveyedAt: 9, purity: 97, band: "pristine", scoringVersion: 1, ...BACKED },
      { surveyedAt: 8, purity: 50, band: "pristine", scoringVersion: 1, ...BACKED },
    ]);
  });

  test("does not rescore a newer survey, an assessment of a newer version or an unknown address", async () => {
    const store = await open(join(makeFolder(), "a.db"));
    const kept = makeReport("203.0.113.7", 9);
    const newest = { ...kept, assessment: { ...kept.assessment, scoringVersion: 3 } };
    await store.save(newest, "{}");
    await store.rescore({ ...kept, assessment: { ...kept.assessment, scoringVersion: 2 } });
    expect(await store.find("203.0.113.7")).toMatchObject(asFound(newest));
    await store.rescore({ ...newest, surveyedAt: 8 });
    expect(await store.find("203.0.113.7")).toMatchObject(asFound(newest));
    await store.rescore(makeReport("203.0.113.8", 9));
    expect(await store.find("203.0.113.8")).toBeUndefined();
  });

  test("keeps the newest 50 conclusions when surveys have several each, and those of other addresses", async () => {
    const store = await open(join(makeFolder(), "a.db"));
    await store.save(makeReport("203.0.113.8", 1), "{}");
    for (let day = 1; day <= 26; day += 1) {
      const report = makeReport("203.0.113.7", day);
      await store.save(report, "{}");
      await store.rescore({ ...report, assessment: { ...report.assessment, scoringVersion: 2 } });
    }
    const history = await store.history("203.0.113.7");
    expect(history).toHaveLength(50);
    expect(history.slice(0, 3)).toMatchObject([
      { surveyedAt: 26, scoringVersion: 2 },
      { surveyedAt: 26, scoringVersion: 1 },
      { surveyedAt: 25, scoringVersion: 2 },
    ]);
    expect(history.at(-1)).toMatchObject({ surveyedAt: 2, scoringVersion: 1 });
    expect(await store.history("203.0.113.8")).toHaveLength(1);
  });

  test("migrates a database of an older version with its history, without reports of an old format", async () => {
    const path = join(makeFolder(), "a.db");
    await makeDatabaseOfBefore(path);
    const report = makeReport("203.0.113.7", 9);
    const client = createClient({ url: `file:${path}` });
    await client.execute({
      sql: "INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?)",
      args: ["203.0.113.7", 9, 1, 3, JSON.stringify(report.assessment), Bun.zstdCompressSync("{}")],
    });
    await client.execute("INSERT INTO history VALUES ('203.0.113.7', 9, 97, 'pristine', 1)");
    client.close();

    const store = await open(path);
    expect((await store.find("203.0.113.7"))?.assessment).toBeUndefined();
    expect(await store.findSurvey("203.0.113.7")).toBeUndefined();
    await store.rescore({ ...report, assessment: { ...report.assessment, scoringVersion: 2 } });
    expect((await store.history("203.0.113.7")).map((entry) => entry.scoringVersion)).toEqual([2, 1]);
  });

  test("keeps the conclusions of the version before, which have no confidence and no coverage", async () => {
    const path = join(makeFolder(), "a.db");
    await makeDatabaseOfBefore(path, 8);
    const client = createClient({ url: `file:${path}` });
    await client.execute("INSERT INTO history VALUES ('203.0.113.7', 8, 50, 'neutral', 1)");
    client.close();
    const store = await open(path);
    const before = { surveyedAt: 8, purity: 50, band: "neutral", scoringVersion: 1 };
    const unknown = { confidence: null, coverage: null };
    expect(await store.history("203.0.113.7")).toEqual([{ ...before, ...unknown }]);
    await store.save(makeReport("203.0.113.7", 9), "{}");
    expect(await store.history("203.0.113.7")).toEqual([
      { surveyedAt: 9, purity: 97, band: "pristine", scoringVersion: 1, ...BACKED },
      { ...before, ...unknown },
    ]);
  });

  test.each<[string, (database: Buffer) => Buffer]>([
    ["text", () => Buffer.from("this is not a database, it is a letter".repeat(10))],
    ["a short file", () => Buffer.from("SQLite format 3\0")],
    ["a truncated database", (database) => database.subarray(0, 4096)],
    ["a damaged schema page", (database) => database.fill(0xa5, 100, 2100)],
  ])("refuses %s by name and leaves the file untouched", async (_, damage) => {
    const path = join(makeFolder(), "broken.db");
    const store = await openStore({ url: `file:${path}`, migrations });
    await store.save(makeReport("203.0.113.7", 9), "{}");
    await store.close();
    const damaged = damage(readFileSync(path));
    writeFileSync(path, damaged);
    const failure = await openStore({ url: `file:${path}`, migrations }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreError);
    expect((failure as StoreError).message).toContain(path);
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  test("finds a report with an old assessment format without the assessment, but with its survey", async () => {
    const path = join(makeFolder(), "a.db");
    const store = await open(path);
    const other = makeReport("203.0.113.8", 9);
    await store.save(makeReport("203.0.113.7", 9), "{}");
    await store.save(other, "{}");
    const client = createClient({ url: `file:${path}` });
    for (const damaged of ["'{}'", "'{'", `'{"__proto__":{}}'`]) {
      await client.execute(`UPDATE reports SET assessment = ${damaged} WHERE address = '203.0.113.7'`);
      expect(await store.find("203.0.113.7")).toEqual({
        address: "203.0.113.7",
        surveyedAt: 9,
        liveAnswers: 3,
        votes: [],
      });
    }
    client.close();
    expect(await store.findSurvey("203.0.113.7")).toBe("{}");
    expect(await store.find("203.0.113.8")).toMatchObject(asFound(other));
  });

  test("returns from findSync() what find() returns, or undefined", async () => {
    const path = join(makeFolder(), "a.db");
    const store = await open(path);
    const report = makeReport("203.0.113.7", 9);
    expect(store.findSync?.("203.0.113.7")).toBeUndefined();
    await store.save(report, "{}");
    expect(store.findSync?.("203.0.113.7")).toMatchObject(asFound(report));
    expect(store.findSync?.("203.0.113.8")).toBeUndefined();
    for (const voter of ["a", "b"])
      await store.ratings.saveVote({ address: "203.0.113.7", scenario: "ai", voter, day: 1, rating: 5 });
    const voted = { ...report, votes: [{ scenario: "ai", count: 2, sum: 10 }] };
    expect(store.findSync?.("203.0.113.7")).toMatchObject(voted);
    expect(await store.find("203.0.113.7")).toMatchObject(voted);

    const client = createClient({ url: `file:${path}` });
    await client.execute("UPDATE reports SET surveyed_at = 10");
    const { assessment: _, ...bare } = voted;
    expect(store.findSync?.("203.0.113.7")).toEqual({ ...bare, surveyedAt: 10 });
    // No JavaScript number represents it exactly, so it must not be read as a number.
    await client.execute("UPDATE reports SET surveyed_at = 9223372036854775807");
    expect(store.findSync?.("203.0.113.7")).toBeUndefined();
    expect(await store.find("203.0.113.7").catch((error: unknown) => error)).toBeInstanceOf(StoreError);
    client.close();
    await store.close();
    expect(store.findSync?.("203.0.113.7")).toBeUndefined();
  });

  test("continues with its file when the file is moved before the first read, and creates no other", async () => {
    const path = join(makeFolder(), "a.db");
    const store = await open(path);
    const report = makeReport("203.0.113.7", 9);
    await store.save(report, "{}");
    renameSync(path, `${path}.aside`);
    expect(store.findSync?.("203.0.113.7")).toBeUndefined();
    expect(await store.find("203.0.113.7")).toMatchObject(asFound(report));
    expect(existsSync(path)).toBe(false);
    renameSync(`${path}.aside`, path);
  });
});
