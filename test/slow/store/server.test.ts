import { beforeEach, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { chargeOfDay, closeAfterEach, createTemporaryFolder, readUsed } from "#kit";
import { openStore, type Store, StoreError } from "#store";
import { makeReport } from "../../store/make_report.ts";
import { BACKENDS, type Backend, migrations, startBackend } from "./backend.ts";

const ADDRESS = "203.0.113.7";
const DEADLINE_MS = 500;
/** Beyond its deadline an answer may be late by what a busy machine needs to notice. */
const SOON_MS = DEADLINE_MS + 1700;

const closeLater = closeAfterEach();

async function start(kind: (typeof BACKENDS)[number]): Promise<Backend> {
  const backend = await startBackend(kind);
  closeLater(() => backend.close());
  return backend;
}

async function open(url: string, rest: { deadlineMs?: number; migrations?: string } = {}): Promise<Store> {
  const store = await openStore({ url, migrations, deadlineMs: DEADLINE_MS, ...rest });
  closeLater(() => store.close());
  return store;
}

const NOW = 1_790_000_000_000;
const CHARGES = [chargeOfDay("total", NOW, 9)];

/** Everything a store can be asked, each under its name. */
function everything(store: Store): Record<string, () => Promise<unknown>> {
  const report = makeReport(ADDRESS, 9);
  return {
    find: () => store.find(ADDRESS),
    findSurvey: () => store.findSurvey(ADDRESS),
    save: () => store.save(report, "{}"),
    rescore: () => store.rescore(report),
    history: () => store.history(ADDRESS),
    settle: () => store.budgets.settle(1, [{ id: "a", limit: 1, wanted: 1, correction: 0 }]),
    budgets: () => store.budgets.read(1),
    take: () => store.admissions.admit(NOW, CHARGES),
    giveBack: () => store.admissions.refund(CHARGES),
    permits: () => store.admissions.read(NOW, CHARGES),
    use: () => store.challenges.use("c", 2, 1),
    cast: () => store.ratings.saveVote({ address: ADDRESS, scenario: "ai", voter: "v", day: 1, rating: 5 }),
    votes: () => store.ratings.read(ADDRESS),
    ping: () => store.ping(),
  };
}

/** Asks again until it is served: a busy machine may need longer than the deadline to wake a server. */
async function untilServed<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (turn === 20) throw error;
      await Bun.sleep(20);
    }
  }
}

async function failureOf(work: Promise<unknown>) {
  const startedAt = performance.now();
  const error = await work.then(
    () => expect.unreachable("it must fail"),
    (reason: unknown) => reason,
  );
  return { error, ms: performance.now() - startedAt };
}

/** A copy of the migrations with one more, as the next version of the program would bring it. */
function makeNext(sql: string): string {
  const folder = createTemporaryFolder("limpid-next-");
  cpSync(migrations, folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8")) as { entries: { when: number }[] };
  const when = (journal.entries.at(-1)?.when ?? 0) + 1;
  const entry = { idx: 99, version: "6", when, tag: "0099_next", breakpoints: true };
  writeFileSync(path, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  writeFileSync(join(folder, "0099_next.sql"), sql);
  return folder;
}

describe.each(BACKENDS)("openStore() on %s", (kind) => {
  test("lets processes start on it at once while it is empty, and applies each migration once", async () => {
    const backend = await start(kind);
    const runs = await Promise.all(Array.from({ length: 4 }, () => backend.run("await store.ping();")));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);

    const next = makeNext("INSERT INTO challenges (id, expires_at) VALUES (lower(hex(randomblob(8))), 1)");
    await Promise.all(Array.from({ length: 6 }, () => open(backend.url, { migrations: next })));
    const client = createClient({ url: backend.url });
    const count = async (table: string) =>
      Number((await client.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n);
    expect(await count("challenges")).toBe(1);
    expect(await count("__drizzle_migrations")).toBe(
      JSON.parse(readFileSync(join(next, "meta/_journal.json"), "utf8")).entries.length,
    );
    client.close();
  });

  test("leaves nothing of a migration that fails half way, and says why", async () => {
    const backend = await start(kind);
    await (await open(backend.url)).ratings.saveVote({
      address: ADDRESS,
      scenario: "ai",
      voter: "v",
      day: 1,
      rating: 5,
    });
    const broken = makeNext("DELETE FROM ratings;--> statement-breakpoint\nINSERT INTO nowhere VALUES (1)");
    const { error } = await failureOf(openStore({ url: backend.url, migrations: broken }));
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain("nowhere");
    const client = createClient({ url: backend.url });
    expect((await client.execute("SELECT rating FROM ratings")).rows.length).toBe(1);
    client.close();
  });
});

describe("openStore() on a libSQL server", () => {
  let backend: Backend;
  let sqld: NonNullable<Backend["sqld"]>;

  beforeEach(async () => {
    backend = await start("sqld");
    sqld = backend.sqld ?? expect.unreachable("it is a server");
  });

  test("takes http:// and libsql:// for the same server", async () => {
    const first = await open(sqld.url);
    const second = await open(`${sqld.url.replace("http://", "libsql://")}?tls=0`);
    await first.save(makeReport(ADDRESS, 9), "{}");
    expect((await second.find(ADDRESS))?.surveyedAt).toBe(9);
  });

  test("rejects everything within the deadline while the server stands still, and serves again when it goes on", async () => {
    const store = await open(sqld.url);
    sqld.pause();
    const names = Object.entries(everything(store));
    const failures = await Promise.all(
      names.map(async ([name, work]) => ({ name, ...(await failureOf(work())) })),
    );
    for (const { name, error, ms } of failures) {
      expect(error, name).toBeInstanceOf(StoreError);
      expect(String(error), name).toContain(
        `"${new URL(sqld.url).host}": no answer within ${DEADLINE_MS} ms`,
      );
      expect(ms, name).toBeLessThan(SOON_MS);
    }
    sqld.resume();
    for (const [, work] of names) await untilServed(work);
  });

  test("hangs nobody of a thousand who ask a server that stands still, and sends none of those who gave up waiting", async () => {
    const store = await open(sqld.url);
    sqld.pause();
    const asked = Array.from({ length: 1000 }, (_, n) =>
      store.admissions.admit(NOW + n, [chargeOfDay("total", NOW, 5000)]),
    );
    const startedAt = performance.now();
    const settled = await Promise.allSettled(asked);
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS + 1000);
    expect(settled.every(({ status }) => status === "rejected")).toBe(true);
    sqld.resume();
    // At most those that were on the wire when the server stopped are counted, never those behind them.
    const { isAdmitted, uses } = await untilServed(() => store.admissions.admit(NOW, CHARGES));
    expect(isAdmitted || (uses[0]?.used ?? 0) >= 9).toBe(true);
    expect(await readUsed(store, NOW)).toBeLessThanOrEqual(65);
  });

  test("lets nobody wait the whole deadline again for a server that has just missed it, until it answers", async () => {
    const store = await open(sqld.url, { deadlineMs: 800 });
    sqld.pause();
    const first = await failureOf(store.ping());
    expect(String(first.error)).toContain("no answer within 800 ms");
    const second = await failureOf(store.find(ADDRESS));
    expect(String(second.error)).toContain("no answer within 500 ms");
    sqld.resume();
    await untilServed(() => store.ping());
    sqld.pause();
    expect(String((await failureOf(store.ping())).error)).toContain("no answer within 800 ms");
  });

  test("rejects at once while the server is gone, and serves again after its restart without being opened anew", async () => {
    const store = await open(sqld.url);
    await store.save(makeReport(ADDRESS, 9), "{}");
    for (let turn = 0; turn < 3; turn += 1) {
      await sqld.kill();
      const works = [store.find(ADDRESS), store.admissions.admit(NOW + turn, CHARGES), store.ping()];
      for (const { error, ms } of await Promise.all(works.map(failureOf))) {
        expect(error).toBeInstanceOf(StoreError);
        expect(ms).toBeLessThan(SOON_MS);
      }
      await sqld.restart();
      expect((await untilServed(() => store.admissions.admit(NOW + turn, CHARGES))).isAdmitted).toBe(true);
      expect((await untilServed(() => store.find(ADDRESS)))?.surveyedAt).toBe(9);
    }
  });

  test.each(["gone", "standing still"])(
    "refuses to open within the deadline while the server is %s",
    async (state) => {
      if (state === "gone") await sqld.kill();
      else sqld.pause();
      const { error, ms } = await failureOf(
        openStore({ url: sqld.url, migrations, deadlineMs: DEADLINE_MS }),
      );
      expect(error).toBeInstanceOf(StoreError);
      expect(String(error)).toContain(`Cannot open database "${new URL(sqld.url).host}"`);
      expect(ms).toBeLessThan(SOON_MS);
    },
  );

  test("opens while another starter holds the lock a while", async () => {
    const client = createClient({ url: sqld.url });
    const other = await client.transaction("write");
    await other.execute("CREATE TABLE elsewhere (x)");
    const opening = open(sqld.url);
    await Bun.sleep(100);
    await other.commit();
    client.close();
    await (await opening).ping();
  });
});

describe("openStore() on a server of something else", () => {
  test.each([
    ["says nothing", () => new Promise<Response>(() => {})],
    ["stops in the middle", () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))],
    ["serves a page", () => new Response("<h1>It works</h1>", { headers: { "content-type": "text/html" } })],
    ["serves other JSON", () => Response.json({ results: "none" })],
    ["fails", () => new Response("no", { status: 500 })],
    ["sends elsewhere", () => Response.redirect("http://127.0.0.1:9/", 307)],
  ])("refuses one that %s", async (_, answer) => {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
    closeLater(() => server.stop(true));
    const { error, ms } = await failureOf(
      openStore({ url: `http://127.0.0.1:${server.port}`, migrations, deadlineMs: DEADLINE_MS }),
    );
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toContain(`Cannot open database "127.0.0.1:${server.port}"`);
    expect(ms).toBeLessThan(SOON_MS);
  });
});
