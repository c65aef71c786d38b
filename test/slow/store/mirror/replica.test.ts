import { beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { closeAfterEach, createTemporaryFolder, type Sqld, startSqld } from "#kit";
import { openMirror, openStore, type Store } from "#store";
import { type Relay, startRelay } from "../../../e2e/fleet/relay.ts";
import { makeReport } from "../../../store/make_report.ts";
import { migrations } from "../backend.ts";

const PERIOD_MS = 1000;
/** A process needs half a second to start on a busy machine. */
const DEADLINE_OF_SYNC_MS = 4000;
const DEADLINE_MS = 40_000;

const program = [process.execPath, join(import.meta.dir, "../../../../src/main.ts")];

const closeLater = closeAfterEach();
let directory: string;
let sqld: Sqld;

beforeEach(async () => {
  directory = createTemporaryFolder("limpid-mirror-");
  sqld = await startSqld();
  closeLater(() => sqld.close());
});

async function openPrimary(): Promise<Store> {
  const store = await openStore({ url: sqld.url, migrations });
  closeLater(() => store.close());
  return store;
}

interface Watched extends Awaited<ReturnType<typeof openMirror>> {
  readonly events: string[];
  readonly changes: () => number;
}

async function open(
  rest: {
    primary?: string;
    periodMs?: number;
    token?: string;
    deadlineMs?: number;
    rebuildPauseMs?: number;
  } = {},
): Promise<Watched> {
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
    program,
    deadlineMs: DEADLINE_OF_SYNC_MS,
    ...rest,
  });
  closeLater(() => mirror.store.close());
  return { ...mirror, events, changes: () => changes };
}

/** Looks again until it is so; a mirror is never waited for otherwise. */
async function until(isSo: () => boolean | Promise<boolean>, what: string | (() => string)): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not in time: ${typeof what === "string" ? what : what()}`);
    await Bun.sleep(10);
  }
}

async function has(mirror: Awaited<ReturnType<typeof openMirror>>, address: string): Promise<boolean> {
  return (await mirror.store.find(address)) !== undefined;
}

function replicaFile(): string {
  const copy = readdirSync(directory).find((name) => /^\d+$/.test(name)) ?? "";
  return join(directory, copy, "replica.db");
}

/** What the reports on the primary amount to. */
async function measureReports(): Promise<string> {
  const client = createClient({ url: sqld.url });
  const { rows } = await client.execute(
    "SELECT count(*) AS n, sum(length(assessment)) AS bytes FROM reports",
  );
  client.close();
  return JSON.stringify(rows[0]);
}

const ADDRESS = "203.0.113.7";
const SURVEY = JSON.stringify({ said: "x".repeat(9000) });

describe("openMirror", () => {
  test("reads what the primary holds, as it was stored", async () => {
    const primary = await openPrimary();
    await primary.save(makeReport(ADDRESS, 5), SURVEY);
    await primary.ratings.saveVote({ address: ADDRESS, scenario: "ai", voter: "v", day: 1, rating: 4 });
    const before = await measureReports();
    const mirror = await open();
    await until(() => has(mirror, ADDRESS), "the report");
    expect(await mirror.store.find(ADDRESS)).toEqual((await primary.find(ADDRESS)) ?? expect.unreachable());
    expect(await mirror.store.findSurvey(ADDRESS)).toBe(SURVEY);
    expect(await mirror.store.history(ADDRESS)).toEqual(await primary.history(ADDRESS));
    expect(await mirror.store.find("203.0.113.8")).toBeUndefined();
    expect(mirror.state()).toMatchObject({ state: "current", frame: expect.any(Number) });
    // It looks again and again, and the primary's log stays as it is.
    await until(() => mirror.state().state === "current", "being current");
    const { frame, lastSyncAt = 0 } = mirror.state();
    await until(() => (mirror.state().lastSyncAt ?? 0) > lastSyncAt + 3 * PERIOD_MS, "three more looks");
    expect(mirror.state().frame).toBe(frame ?? expect.unreachable());
    expect(await measureReports()).toBe(before);
  });

  test("follows a server that begins a new log at each restart, in the same copy", async () => {
    const primary = await openPrimary();
    const mirror = await open();
    for (let round = 1; round < 5; round += 1) {
      for (let n = 0; n < 10; n += 1) await primary.save(makeReport(`198.51.100.${n}`, round), SURVEY);
      await until(
        async () => (await mirror.store.find("198.51.100.9"))?.surveyedAt === round,
        "the reports of the round",
      );
      await sqld.restart();
      await primary.save(makeReport(`203.0.113.${round}`, 5), SURVEY);
      await until(() => has(mirror, `203.0.113.${round}`), "the report after the restart");
      for (let n = 0; n < 10; n += 1)
        expect((await mirror.store.find(`198.51.100.${n}`))?.surveyedAt).toBe(round);
    }
    expect(mirror.events.filter((event) => event.startsWith("replica_damaged"))).toEqual([]);
  }, 60_000);

  test("waits until the process of a killed mirror no longer writes to the copy", async () => {
    const primary = await openPrimary();
    await primary.save(makeReport(ADDRESS, 5), SURVEY);
    const mirror = await open({ deadlineMs: 10_000 });
    await until(() => has(mirror, ADDRESS), "the report");
    const other = createClient({ url: `file:${join(replicaFile(), "../writer.db")}`, timeout: 5000 });
    const writing = await other.transaction("write");
    await Bun.sleep(2 * PERIOD_MS);
    await primary.save(makeReport("203.0.113.8", 5), SURVEY);
    await Bun.sleep(2000);
    expect(await has(mirror, "203.0.113.8")).toBe(false);
    writing.close();
    await until(() => has(mirror, "203.0.113.8"), "the later report");
    expect(mirror.events.filter((event) => event.startsWith("replica_damaged"))).toEqual([]);
  }, 60_000);

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
    await expect(open()).rejects.toThrow(/another process uses it/);
  });
});

/** How a line to the primary goes bad. */
const MANNERS = {
  silent: (line: Relay) => line.swallow(),
  slow: (line: Relay) => line.delay(DEADLINE_OF_SYNC_MS / 20),
  reset: (line: Relay) => line.cut(),
} as const;

describe("openMirror, over a bad line", () => {
  test.each(["silent", "slow", "reset"] as const)(
    "reads on while it is %s, and catches up",
    async (manner) => {
      const primary = await openPrimary();
      await primary.save(makeReport(ADDRESS, 5), SURVEY);
      const line = await startRelay(sqld.url);
      closeLater(() => line.close());
      const mirror = await open({ primary: line.url });
      await until(() => has(mirror, ADDRESS), "the report");
      MANNERS[manner](line);
      await primary.save(makeReport("203.0.113.8", 5), SURVEY);
      let longest = 0;
      await until(async () => {
        const start = performance.now();
        expect(await has(mirror, ADDRESS)).toBe(true);
        longest = Math.max(longest, performance.now() - start);
        // What only drips is in step again and again.
        return manner === "slow" ? has(mirror, "203.0.113.8") : mirror.state().error !== undefined;
      }, "the trouble");
      expect(longest).toBeLessThan(250);
      await line.pass();
      await until(() => has(mirror, "203.0.113.8"), "the later report");
      await until(() => mirror.state().state === "current", "being current");
      expect(mirror.events.filter((event) => event.startsWith("replica_damaged"))).toEqual([]);
    },
  );

  test("sends the token to the primary, and nothing to whoever else asks at the door", async () => {
    const asked: string[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        asked.push(
          `${request.method} ${new URL(request.url).pathname} ${request.headers.get("x-authorization") ?? request.headers.get("authorization")}`,
        );
        return new Response(null, { status: 401 });
      },
    });
    closeLater(() => server.stop(true));
    const mirror = await open({ primary: `http://127.0.0.1:${server.port}`, token: "the-token" });
    await until(() => mirror.state().error !== undefined, "the refusal");
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set(["POST /v2/pipeline Bearer the-token"]));
    expect(mirror.state()).toEqual({ state: "starting", error: expect.stringContaining("401") });
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
  "its log cut off": (path) => existsSync(`${path}-wal`) && truncateSync(`${path}-wal`, 20_000),
  "the end of its log flipped": (path) =>
    existsSync(`${path}-wal`) && flip(`${path}-wal`, (statSync(`${path}-wal`).size * 3) / 4, 5000),
  "its log flipped": (path) => existsSync(`${path}-wal`) && flip(`${path}-wal`, 0, 2000),
};

function flip(path: string, from: number, length: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(file);
}

/** Rows enough that part of them has moved from the log into the file. */
const ROWS = 120;

/** A mirror in a process of its own, ended when it has everything: what it leaves is on the disk and nowhere else. */
async function leaveCopy(how: "closed" | "killed" | number): Promise<void> {
  const text = `
    import { openMirror } from "#store";
    const mirror = await openMirror({
      directory: ${JSON.stringify(directory)}, primary: ${JSON.stringify(sqld.url)}, periodMs: 50,
      now: () => Date.now(), random: () => 0.5, onRows() {}, log() {},
      program: ${JSON.stringify(program)},
    });
    while ((await mirror.store.find("203.0.113.${ROWS - 1}")) === undefined) await Bun.sleep(10);
    if (${how === "closed"}) await mirror.store.close();
    process.kill(process.pid, "SIGKILL");`;
  const child = Bun.spawn([process.execPath, "-e", text], {
    cwd: join(import.meta.dir, "../../../.."),
    stderr: "inherit",
  });
  if (typeof how === "number") {
    await Bun.sleep(how);
    child.kill("SIGKILL");
  }
  await child.exited;
}

describe("openMirror, on a damaged copy", () => {
  test.each([
    ...Object.keys(DAMAGE).map((kind) => [kind, "killed"] as const),
    ["its middle flipped", "closed"] as const,
    ["its log flipped", "closed"] as const,
  ])(
    "with %s after it was %s, makes another and serves it",
    async (kind, how) => {
      const primary = await openPrimary();
      for (let n = 1; n < ROWS; n += 1) {
        await primary.save(makeReport(`203.0.113.${n}`, 5), randomBytes(20_000).toString("base64"));
      }
      await leaveCopy(how);
      DAMAGE[kind]?.(replicaFile());
      const mirror = await open();
      await until(
        async () => {
          for (let n = 1; n < ROWS; n += 1) {
            const found = await mirror.store.find(`203.0.113.${n}`).catch(() => "unreadable" as const);
            if (found === "unreadable" || found === undefined) return false;
            expect(found.assessment?.address).toBe(`203.0.113.${n}`);
            const survey = await mirror.store.findSurvey(`203.0.113.${n}`).catch(() => undefined);
            if (survey !== (await primary.findSurvey(`203.0.113.${n}`))) return false;
          }
          return mirror.state().state === "current";
        },
        () => `all reports, ${JSON.stringify(mirror.state())} ${mirror.events.join(" ")}`,
      );
      await primary.save(makeReport("203.0.113.200", 5), SURVEY);
      await until(() => has(mirror, "203.0.113.200"), "a later report");
      expect(readdirSync(directory).filter((name) => /^\d+$/.test(name))).toHaveLength(1);
    },
    30_000,
  );
});
