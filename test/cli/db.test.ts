import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pruneDaily, readDbArguments, runDbCommand } from "#cli";
import { readConfig } from "#config";
import { createClock, runLimpid, startService } from "#kit";
import { openStore, type Store } from "#store";
import { makeReport } from "../store/make_report.ts";

const migrations = join(import.meta.dir, "../../drizzle");
const NOW = 1_790_000_000_000;
const DAY = 86_400_000;
const ADDRESSES = ["9.9.5.1", "9.9.5.2", "2620:fe::9"];

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "limpid-db-cli-"));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(folder: string): Promise<Store> {
  const store = await openStore({ url: `file:${join(folder, "limpid.db")}`, migrations });
  closers.push(() => store.close());
  return store;
}

async function fill(folder: string): Promise<void> {
  const store = await open(folder);
  for (const [n, address] of ADDRESSES.entries()) {
    await store.save(makeReport(address, NOW - n * DAY), '{"runs":[]}');
  }
  await store.ratings.saveVote({ address: "9.9.5.2", scenario: "ai", voter: "v", day: 1, rating: 4 }, 10);
}

/** The command in this process. */
async function run(folder: string, args: readonly string[], { retentionMs }: { retentionMs?: number } = {}) {
  const parts: string[] = [];
  const lines: string[] = [];
  const code = await runDbCommand(
    { database: { url: `file:${join(folder, "limpid.db")}` }, retentionMs },
    readDbArguments(args),
    {
      migrations,
      now: () => NOW,
      write: (text) => void parts.push(text),
      progress: (line) => void lines.push(line),
    },
  );
  return { code, text: parts.join(""), lines };
}

describe("readDbArguments()", () => {
  test("reads what there is", () => {
    expect(readDbArguments(["backup", "a.db"])).toEqual({ action: "backup", file: "a.db", force: false });
    expect(readDbArguments(["backup", "--force", "a.db"])).toMatchObject({ force: true });
    expect(readDbArguments(["restore", "a.db"])).toEqual({ action: "restore", file: "a.db" });
    expect(readDbArguments(["check"])).toEqual({ action: "check", json: false });
    expect(readDbArguments(["stats", "--json"])).toEqual({ action: "stats", json: true });
    expect(readDbArguments(["prune"])).toEqual({ action: "prune" });
    expect(readDbArguments(["prune", "--older-than", "30"])).toEqual({ action: "prune", olderThanDays: 30 });
  });

  test.each([
    [[]],
    [["drop"]],
    [["constructor"]],
    [["backup"]],
    [["backup", "a", "b"]],
    [["restore", "a", "--force"]],
    [["check", "a"]],
    [["prune", "--json"]],
    [["prune", "--older-than", "0"]],
    [["prune", "--older-than", "1e3"]],
    [["prune", "--older-than", "36501"]],
    [["stats", "--all"]],
  ])("refuses %j", (args) => {
    expect(() => readDbArguments(args)).toThrow(/^Cannot run "limpid db": /);
  });
});

describe("runDbCommand()", () => {
  test("saves, says so, and shows how far it has come", async () => {
    const folder = makeFolder();
    await fill(folder);
    const file = join(folder, "b.db");
    const { code, text, lines } = await run(folder, ["backup", file]);
    expect(code).toBe(0);
    expect(text).toMatch(/^saved 3 reports as .*b\.db: [\d.]+ kB in 0\.0 s\n$/);
    expect(lines).toContain("copying the database …");
    expect(lines).toContain("reading reports: 100 % of 3");
    expect(lines.at(-1)).toBe("");
  });

  test("checks: 0 when it is sound, 1 when not, with what is wrong and nothing that commands a terminal", async () => {
    const folder = makeFolder();
    await fill(folder);
    expect(await run(folder, ["check"])).toMatchObject({
      code: 0,
      text: "structure   ok\nreports     3\nhistory     3\nproblems    0\n",
    });
    const other = makeFolder();
    await (await open(other)).save(makeReport("9.9.5.1", NOW), "{}");
    const address = "\u001b[2J";
    await (await open(other)).save({ ...makeReport("9.9.5.2", NOW), address }, "{}");
    const found = await run(other, ["check"]);
    expect(found.text).toContain('problem: report "?[2J": its address is not in canonical form\n');
    expect(found.code).toBe(1);
    const damaged = makeFolder();
    writeFileSync(join(damaged, "limpid.db"), "x".repeat(9000));
    const json = JSON.parse((await run(damaged, ["check", "--json"])).text);
    expect(json).toMatchObject({ isSound: false, structure: "damaged" });
  });

  test("prunes by the days given, else by the retention, else not at all; votes stay", async () => {
    const folder = makeFolder();
    await fill(folder);
    expect(run(folder, ["prune"])).rejects.toThrow("prune wants --older-than DAYS");
    const first = await run(folder, ["prune", "--older-than", "1"], { retentionMs: 9 * DAY });
    expect(first).toMatchObject({ code: 0, text: "deleted 1 reports and 1 conclusions in 0.0 s\n" });
    const second = await run(folder, ["prune"], { retentionMs: DAY - 1 });
    expect(second.text).toStartWith("deleted 1 reports");
    const store = await open(folder);
    expect(await store.find("9.9.5.1")).toBeDefined();
    expect(await store.find("9.9.5.2")).toBeUndefined();
    expect(await store.ratings.read("9.9.5.2")).toEqual([{ scenario: "ai", count: 1, sum: 4 }]);
  });

  test("shows figures as a table or as JSON, without an address", async () => {
    const folder = makeFolder();
    await fill(folder);
    const { text } = await run(folder, ["stats"]);
    const lines = text.split("\n");
    expect(lines).toContain("reports         3");
    expect(lines).toContain("by band         pristine 3");
    expect(lines).toContain("by scoring      version 1 3");
    expect(lines).toContain("newest survey   2026-09-21 14:13 UTC, 0 h ago");
    expect(lines).toContain("oldest survey   2026-09-19 14:13 UTC, 2 d ago");
    const json = JSON.parse((await run(folder, ["stats", "--json"])).text);
    expect(json).toMatchObject({ tables: { reports: 3 }, reports: { byBand: { pristine: 3 } } });
    expect(text + JSON.stringify(json)).not.toContain("9.9.5");
  });
});

describe("limpid db", () => {
  test("saves while a server runs, refuses to restore under it, and after it gives the same answers again", async () => {
    const folder = makeFolder();
    const env = { LIMPID_DATA_DIR: folder, LIMPID_LIVE: "0" };
    await (await startService({ env, dataDirectory: folder })).stop();
    // Of a process of its own: what this one has opened it holds on to.
    const script = `
      import { openStore } from "#store";
      import { makeReport } from "./test/store/make_report.ts";
      const store = await openStore({ url: "file:${join(folder, "limpid.db")}", migrations: "drizzle" });
      for (const address of ${JSON.stringify(ADDRESSES)}) await store.save(makeReport(address, Date.now()), '{"runs":[]}');
      await store.close();`;
    Bun.spawnSync([process.execPath, "-e", script], { cwd: join(import.meta.dir, "../..") });
    const read = async (url: string) =>
      Promise.all(ADDRESSES.map(async (ip) => (await fetch(`${url}/api/lookup?ip=${ip}&lang=en`)).text()));
    const file = join(folder, "backup.db");

    const service = await startService({ env, dataDirectory: folder });
    closers.push(() => service.close());
    const before = (await read(service.url)).map((text) => text.replaceAll(service.url, ""));
    expect(before.join("")).toContain("9.9.5.2");
    expect(await runLimpid(["db", "backup", file], env)).toMatchObject({ code: 0, err: "" });
    expect(await runLimpid(["db", "backup", file], env)).toMatchObject({
      code: 73,
      err: `Cannot write "${file}": it exists\n`,
    });
    expect(await runLimpid(["db", "check"], env)).toMatchObject({ code: 0 });
    expect(await runLimpid(["db", "stats"], env)).toMatchObject({ code: 0 });
    const refused = await runLimpid(["db", "restore", file], env);
    expect(refused).toMatchObject({ code: 75, out: "" });
    expect(refused.err).toContain("another process uses it");
    expect(await runLimpid(["db", "prune", "--older-than", "1"], env)).toMatchObject({ code: 0 });
    expect(await service.stop()).toBe(0);

    rmSync(join(folder, "limpid.db"));
    const restored = await runLimpid(["db", "restore", file], env);
    expect(restored).toMatchObject({ code: 0, err: "" });
    const again = await startService({ env, dataDirectory: folder });
    closers.push(() => again.close());
    expect((await read(again.url)).map((text) => text.replaceAll(again.url, ""))).toEqual(before);
  });

  test("has a code for what is missing, damaged, or cannot be", async () => {
    const folder = makeFolder();
    const env = { LIMPID_DATA_DIR: join(folder, "data") };
    expect(await runLimpid(["db", "check"], env)).toMatchObject({ code: 66 });
    expect(await runLimpid(["db", "stats"], env)).toMatchObject({ code: 66 });
    expect(await runLimpid(["db", "backup", join(folder, "b.db")], env)).toMatchObject({ code: 66 });
    expect(existsSync(join(folder, "data"))).toBe(false);
    expect(await runLimpid(["db", "restore", join(folder, "b.db")], env)).toMatchObject({ code: 66 });
    writeFileSync(join(folder, "b.db"), "x".repeat(9000));
    expect(await runLimpid(["db", "restore", join(folder, "b.db")], env)).toMatchObject({ code: 65 });
    expect(readdirSync(join(folder, "data"))).toEqual([]);
    expect(await runLimpid(["db"], env)).toMatchObject({ code: 64 });
    const remote = { ...env, LIMPID_DATABASE_URL: "http://127.0.0.1:9" };
    expect(await runLimpid(["db", "restore", join(folder, "b.db")], remote)).toMatchObject({ code: 64 });
    expect(await runLimpid(["db", "stats"], remote)).toMatchObject({ code: 70 });
  });
});

describe("pruneDaily()", () => {
  /** Timers that are fired by hand. */
  function start(folder: string, retentionMs: number) {
    const clock = createClock(NOW);
    const timers: { callback: () => void; delayMs: number; isCancelled: boolean }[] = [];
    const lines: string[] = [];
    const schedule = pruneDaily(
      { url: `file:${join(folder, "limpid.db")}` },
      {
        retentionMs,
        now: clock.now,
        random: () => 0.5,
        log: (level, event, fields) => void lines.push(`${level} ${event} ${JSON.stringify(fields)}`),
        setTimer(callback, delayMs) {
          const timer = { callback, delayMs, isCancelled: false };
          timers.push(timer);
          return () => {
            timer.isCancelled = true;
          };
        },
      },
    );
    /** Fires the newest timer and gives when the next one would. */
    async function fire(): Promise<number | undefined> {
      const count = timers.length;
      timers.at(-1)?.callback();
      for (let turn = 0; turn < 1000 && timers.length === count; turn += 1) await Bun.sleep(5);
      return timers[count]?.delayMs;
    }
    return { schedule, timers, lines, fire };
  }

  test("deletes what is older than the retention soon after the start, and once a day from then on", async () => {
    const folder = makeFolder();
    await fill(folder);
    const { schedule, timers, lines, fire } = start(folder, 1.5 * DAY);
    closers.push(() => schedule.stop());
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([360_000]);
    expect(await fire()).toBe(DAY);
    expect(lines).toEqual(['info pruned {"reports":1,"history":1,"ms":0}']);
    const store = await open(folder);
    expect(await store.find("9.9.5.2")).toBeDefined();
    expect(await store.find("2620:fe::9")).toBeUndefined();
    expect(await fire()).toBe(DAY);
    expect(lines[1]).toBe('debug pruned {"reports":0,"history":0,"ms":0}');
  });

  test("tries again in an hour when the database does not answer", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "limpid.db"), "x".repeat(9000));
    const before = statSync(join(folder, "limpid.db")).size;
    const { schedule, lines, fire } = start(folder, DAY);
    closers.push(() => schedule.stop());
    expect(await fire()).toBe(3_600_000);
    expect(lines[0]).toStartWith('warn prune_failed {"message":"Cannot prune database');
    expect(readFileSync(join(folder, "limpid.db"))).toHaveLength(before);
  });

  test("is what LIMPID_RETENTION_DAYS turns on in a server, which stops at once", async () => {
    const context = { sources: [], readSecret: () => "" };
    expect(readConfig({}, context).retentionMs).toBeUndefined();
    expect(readConfig({ LIMPID_RETENTION_DAYS: "30" }, context).retentionMs).toBe(30 * DAY);
    for (const days of ["0", "36501", "1.5", "-1"]) {
      expect(() => readConfig({ LIMPID_RETENTION_DAYS: days }, context)).toThrow(
        "LIMPID_RETENTION_DAYS: must be a whole number from 1 to 36500",
      );
    }
    const service = await startService({ env: { LIMPID_LIVE: "0", LIMPID_RETENTION_DAYS: "30" } });
    closers.push(() => service.close());
    expect(await service.stop()).toBe(0);
    expect(service.log()).not.toContain("prune_failed");
  });

  test("begins no other when it is stopped, and ends the one under way", async () => {
    const folder = makeFolder();
    await fill(folder);
    const { schedule, timers } = start(folder, DAY);
    timers[0]?.callback();
    await schedule.stop();
    expect(timers).toHaveLength(1);
    expect(timers[0]?.isCancelled).toBe(true);
  });
});
