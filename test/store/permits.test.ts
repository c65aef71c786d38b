import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import * as fc from "fast-check";
import { type PermitBook, type PermitRequest, type Store, StoreError } from "#store";
import { BACKENDS, type Backend, startBackend } from "./backend.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const DAY = Math.floor(NOON / 86_400_000);
const MINUTE = 60_000;

let ids = 0;

/** An unverified visitor's permit as the gate asks for it. */
function ask(now: number, client = "a", rest: Partial<PermitRequest> = {}): PermitRequest {
  ids += 1;
  return {
    id: `permit-${ids}`,
    now,
    day: Math.floor(now / 86_400_000),
    windows: [
      { names: [`new:${client}`, `new:${client}-yesterday`], limit: 10, windowMs: MINUTE },
      { names: ["open"], limit: 15, windowMs: MINUTE },
    ],
    counts: [
      { name: `client:${client}`, limit: 5 },
      { name: "total", limit: 500 },
    ],
    ...rest,
  };
}

/** Only the site's minute. */
function askOpen(now: number, rest: Partial<PermitRequest> = {}): PermitRequest {
  return ask(now, "a", { windows: [{ names: ["open"], limit: 15, windowMs: MINUTE }], counts: [], ...rest });
}

async function takeMany(permits: PermitBook, requests: readonly PermitRequest[]): Promise<number> {
  const results = await Promise.all(requests.map((request) => permits.take(request)));
  return results.filter(({ granted }) => granted).length;
}

describe.each(BACKENDS)("Store.permits on %s", (kind) => {
  let backend: Backend;
  let store: Store;
  let permits: PermitBook;

  beforeEach(async () => {
    backend = await startBackend(kind);
    store = await backend.open();
    permits = store.permits;
  });
  afterEach(() => backend.close());

  test("take() charges every window and count once, and tells how they stand", async () => {
    expect(await permits.take(ask(NOON))).toEqual({
      granted: true,
      used: new Map([
        ["client:a", 1],
        ["total", 1],
      ]),
      windows: new Map([
        ["new:a", { entries: 1, nextFreeMs: MINUTE }],
        ["open", { entries: 1, nextFreeMs: MINUTE }],
      ]),
    });
    expect(await permits.take(ask(NOON + 7, "b"))).toEqual({
      granted: true,
      used: new Map([
        ["client:b", 1],
        ["total", 2],
      ]),
      windows: new Map([
        ["new:b", { entries: 1, nextFreeMs: MINUTE }],
        ["open", { entries: 2, nextFreeMs: MINUTE - 7 }],
      ]),
    });
    expect(await permits.read(DAY, ["client:a", "total", "client:nobody", "__proto__"])).toEqual(
      new Map([
        ["client:a", 1],
        ["total", 2],
      ]),
    );
  });

  test("take() admits the 15th of a minute, refuses the 16th, and says to the millisecond when there is room", async () => {
    for (let n = 0; n < 15; n += 1) expect((await permits.take(askOpen(NOON + n * 10))).granted).toBe(true);
    const refused = await permits.take(askOpen(NOON + 30_000));
    expect(refused.granted).toBe(false);
    expect(refused.windows.get("open")).toEqual({ entries: 15, nextFreeMs: 30_000 });

    expect((await permits.take(askOpen(NOON + MINUTE - 1))).granted).toBe(false);
    const returned = await permits.take(askOpen(NOON + MINUTE));
    expect(returned.granted).toBe(true);
    expect(returned.windows.get("open")).toEqual({ entries: 15, nextFreeMs: 10 });
    expect((await permits.take(askOpen(NOON + MINUTE + 9))).granted).toBe(false);
    expect((await permits.take(askOpen(NOON + MINUTE + 10))).granted).toBe(true);
  });

  test("take() waits for the entry whose leaving makes room when there are more than the limit", async () => {
    const window = (limit: number) => [{ names: ["x"] as const, limit, windowMs: MINUTE }];
    for (const n of [0, 1, 2, 3, 4])
      await permits.take(ask(NOON + n, "x", { windows: window(5), counts: [] }));
    const refused = await permits.take(ask(NOON + 10, "x", { windows: window(2), counts: [] }));
    expect(refused).toMatchObject({ granted: false });
    expect(refused.windows.get("x")).toEqual({ entries: 5, nextFreeMs: MINUTE - 10 + 3 });
    const closed = await permits.take(ask(NOON + 10, "x", { windows: window(0), counts: [] }));
    expect(closed.granted).toBe(false);
  });

  test("take() counts what stands under a window's other names, and enters under the first", async () => {
    const names = (first: string, second: string) => [
      { names: [first, second] as const, limit: 2, windowMs: MINUTE },
    ];
    const midnight = (DAY + 1) * 86_400_000;
    const before = ask(midnight - 1, "c", { windows: names("new:today", "new:before"), counts: [] });
    expect((await permits.take(before)).granted).toBe(true);
    const after = () => ask(midnight, "c", { windows: names("new:tomorrow", "new:today"), counts: [] });
    expect((await permits.take(after())).windows.get("new:tomorrow")).toEqual({
      entries: 2,
      nextFreeMs: MINUTE - 1,
    });
    expect((await permits.take(after())).granted).toBe(false);
  });

  test("take() grants the 5th of a client's day, refuses the 6th, leaves others alone, and begins anew next day", async () => {
    const at = (n: number) => NOON + n * MINUTE;
    for (let n = 0; n < 5; n += 1) expect((await permits.take(ask(at(n)))).granted).toBe(true);
    const sixth = await permits.take(ask(at(5)));
    expect(sixth).toMatchObject({ granted: false });
    expect(sixth.used).toEqual(
      new Map([
        ["client:a", 5],
        ["total", 5],
      ]),
    );
    expect((await permits.take(ask(at(6), "b"))).granted).toBe(true);
    const midnight = (DAY + 1) * 86_400_000;
    expect((await permits.take(ask(midnight - 1))).granted).toBe(false);
    expect((await permits.take(ask(midnight))).used.get("client:a")).toBe(1);
    expect((await permits.read(DAY, ["client:a"])).get("client:a")).toBe(5);
  });

  test("take() stops at the day's total, whoever asks", async () => {
    const total = (client: string) =>
      ask(NOON, client, {
        windows: [],
        counts: [
          { name: `client:${client}`, limit: 5 },
          { name: "total", limit: 3 },
        ],
      });
    for (const client of ["a", "b", "c"]) expect((await permits.take(total(client))).granted).toBe(true);
    expect(await permits.take(total("d"))).toMatchObject({ granted: false });
    expect(await permits.read(DAY, ["client:d", "total"])).toEqual(new Map([["total", 3]]));
  });

  test.each([
    ["the window of the client", { windows: [{ names: ["w"] as const, limit: 0, windowMs: MINUTE }] }],
    ["a count", { counts: [{ name: "w", limit: 0 }] }],
  ])("take() charges nothing when %s has no room", async (_, closed) => {
    const open = ask(NOON);
    const refused = ask(NOON, "a", {
      windows: [...open.windows, ...("windows" in closed ? closed.windows : [])],
      counts: [...open.counts, ...("counts" in closed ? closed.counts : [])],
    });
    expect((await permits.take(refused)).granted).toBe(false);
    expect(await permits.read(DAY, ["client:a", "total", "w"])).toEqual(new Map());
    expect((await permits.take(open)).windows.get("open")?.entries).toBe(1);
    await permits.giveBack(refused.id);
    expect((await permits.read(DAY, ["total"])).get("total")).toBe(1);
  });

  test("take() of one permit twice charges it once", async () => {
    const request = ask(NOON);
    expect((await permits.take(request)).granted).toBe(true);
    expect(await permits.take(request)).toMatchObject({ granted: true });
    expect((await permits.read(DAY, ["total"])).get("total")).toBe(1);
    expect((await permits.take(askOpen(NOON))).windows.get("open")?.entries).toBe(2);
  });

  test("giveBack() frees the minute and the day, twice is once, and nobody else's", async () => {
    const requests = Array.from({ length: 5 }, () => ask(NOON));
    await takeMany(permits, requests);
    expect((await permits.take(ask(NOON))).granted).toBe(false);
    const [first] = requests;
    if (first === undefined) return expect.unreachable("five were asked");
    await permits.giveBack(first.id);
    await permits.giveBack(first.id);
    await permits.giveBack("nobody's");
    expect((await permits.read(DAY, ["client:a", "total"])).get("client:a")).toBe(4);
    expect((await permits.take(ask(NOON))).windows.get("open")?.entries).toBe(5);
    expect((await permits.take(ask(NOON))).granted).toBe(false);
  });

  test("giveBack() after midnight gives to the day that was charged", async () => {
    const midnight = (DAY + 1) * 86_400_000;
    const request = ask(midnight - 1);
    await permits.take(request);
    await permits.take(ask(midnight + 1));
    await permits.giveBack(request.id);
    expect((await permits.read(DAY, ["total"])).get("total")).toBe(0);
    expect((await permits.read(DAY + 1, ["total"])).get("total")).toBe(1);
  });

  test("take() is not held up by entries of a clock that has been set back", async () => {
    const ahead = NOON + 5 * MINUTE;
    expect(
      await takeMany(
        permits,
        Array.from({ length: 15 }, () => askOpen(ahead)),
      ),
    ).toBe(15);
    expect((await permits.take(askOpen(ahead))).granted).toBe(false);
    // Within a window's length ahead they count: that may be another process's clock.
    expect((await permits.take(askOpen(ahead - MINUTE))).granted).toBe(false);
    expect((await permits.take(askOpen(ahead - MINUTE - 1))).granted).toBe(true);
    expect((await permits.take(askOpen(NOON))).granted).toBe(true);
  });

  test("take() forgets entries after ten minutes, permits after a day and counts after a week", async () => {
    const first = ask(NOON);
    await permits.take(first);
    const client = createClient({ url: backend.url });
    const count = async (table: string) =>
      Number((await client.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n);
    await permits.take(askOpen(NOON + 10 * MINUTE));
    expect(await count("permit_entries")).toBe(3);
    await permits.take(askOpen(NOON + 11 * MINUTE));
    expect(await count("permit_entries")).toBe(2);
    expect(await count("permits")).toBe(3);
    await permits.take(askOpen(NOON + 86_400_001));
    expect(await count("permits")).toBe(3);
    await permits.take(askOpen(NOON + 7 * 86_400_000));
    expect(await count("permit_counts")).toBe(2);
    await permits.take(askOpen(NOON + 8 * 86_400_000 + 1));
    expect([await count("permit_counts"), await count("permits"), await count("permit_entries")]).toEqual([
      0, 1, 1,
    ]);
    // Ahead of time as much as behind it.
    await permits.take(askOpen(NOON));
    expect(await count("permit_entries")).toBe(1);
    client.close();
  });

  test("take() takes names and ids for text and nothing else", async () => {
    for (const name of [`'); DROP TABLE permits; --`, "__proto__", '"\\\n汉', "$.names"]) {
      const request = ask(NOON, name, {
        id: name,
        windows: [{ names: [name], limit: 1, windowMs: MINUTE }],
        counts: [{ name, limit: 1 }],
      });
      const result = await permits.take(request);
      expect(result.granted).toBe(true);
      expect(result.used).toEqual(new Map([[name, 1]]));
      expect(result.windows.get(name)?.entries).toBe(1);
      await permits.giveBack(name);
      expect((await permits.read(DAY, [name])).get(name)).toBe(0);
    }
  });

  test("take() admits the limit exactly of 100 at once through two stores", async () => {
    const other = await backend.open();
    const burst = () => Array.from({ length: 50 }, (_, n) => ask(NOON, `c${n}`));
    const granted = await Promise.all([takeMany(permits, burst()), takeMany(other.permits, burst())]);
    expect((granted[0] ?? 0) + (granted[1] ?? 0)).toBe(15);
    expect((await permits.read(DAY, ["total"])).get("total")).toBe(15);

    const same = () => Array.from({ length: 50 }, () => ask(NOON + MINUTE, "one"));
    const ofOne = await Promise.all([takeMany(permits, same()), takeMany(other.permits, same())]);
    expect((ofOne[0] ?? 0) + (ofOne[1] ?? 0)).toBe(5);
  });

  test("take() is exact among processes", async () => {
    const script = `
      const results = await Promise.all(Array.from({ length: 50 }, (_, n) => store.permits.take({
        id: process.pid + "-" + n, now: ${NOON}, day: ${DAY},
        windows: [{ names: ["open"], limit: 15, windowMs: 60000 }], counts: [{ name: "total", limit: 500 }],
      })));
      print(results.filter((result) => result.granted).length);`;
    const runs = await Promise.all([backend.run(script), backend.run(script), backend.run(script)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(runs.reduce((sum, { lines }) => sum + Number(lines[0]), 0)).toBe(15);
    expect((await permits.read(DAY, ["total"])).get("total")).toBe(15);
  });

  test("what was granted is there after kill -9 between grants, and after the server's own", async () => {
    const script = `
      for (let n = 0; ; n += 1) {
        await store.permits.take({
          id: "victim-" + n, now: ${NOON} + n, day: ${DAY},
          windows: [{ names: ["open"], limit: 100000, windowMs: 60000 }], counts: [{ name: "total", limit: 100000 }],
        });
        print(n);
      }`;
    const { code, lines } = await backend.run(script, 20);
    expect(code).toBe(137);
    expect(lines.length).toBeGreaterThanOrEqual(20);
    await backend.sqld?.restart();
    const used = (await permits.read(DAY, ["total"])).get("total") ?? 0;
    // What was granted but could not be told any more: one at most.
    expect(used).toBeGreaterThanOrEqual(lines.length);
    expect(used).toBeLessThanOrEqual(lines.length + 1);
    expect((await permits.take(askOpen(NOON + used))).windows.get("open")?.entries).toBe(used);
    await permits.giveBack("victim-3");
    expect((await permits.read(DAY, ["total"])).get("total")).toBe(used - 1);
  });

  test("fails as a StoreError that names the database", async () => {
    const client = createClient({ url: backend.url });
    for (const table of ["permit_entries", "permit_counts", "permits"])
      await client.execute(`DROP TABLE ${table}`);
    client.close();
    const works = [permits.take(ask(NOON)), permits.giveBack("x"), permits.read(DAY, ["x"])];
    for (const failure of await Promise.all(works.map((work) => work.catch((error: unknown) => error)))) {
      expect(failure).toBeInstanceOf(StoreError);
      expect(String(failure)).toContain(
        backend.sqld === undefined ? backend.url.slice(5) : backend.url.slice(7),
      );
    }
  });

  test("agrees with windows and counts kept by hand, whatever the order of things", async () => {
    let run = 0;
    const step = fc.record({
      afterMs: fc.oneof(
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: -300, max: 0 }),
        fc.constant(-5000),
      ),
      windows: fc.subarray(["a", "a-before", "b", "c"]),
      yesterday: fc.boolean(),
      counts: fc.subarray(["x", "y"]),
      windowLimit: fc.integer({ min: 0, max: 3 }),
      countLimit: fc.integer({ min: 0, max: 4 }),
      nextDay: fc.boolean(),
      giveBack: fc.option(fc.nat(), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        run += 1;
        const own = (name: string) => `${run}:${name}`;
        const model = createModel();
        let now = NOON;
        let day = DAY;
        const asked: string[] = [];
        for (const {
          afterMs,
          windows,
          yesterday,
          counts,
          windowLimit,
          countLimit,
          nextDay,
          giveBack,
        } of steps) {
          now += afterMs;
          if (nextDay) day += 1;
          const request: PermitRequest = {
            id: own(`id-${asked.length}`),
            now,
            day,
            windows: windows.map((name) => ({
              names: yesterday ? [own(name), own(`${name}-before`)] : [own(name)],
              limit: windowLimit,
              windowMs: 1000,
            })),
            counts: counts.map((name) => ({ name: own(name), limit: countLimit })),
          };
          asked.push(request.id);
          expect(await permits.take(request)).toEqual(model.take(request));
          if (giveBack !== undefined) {
            const id = asked[giveBack % asked.length] ?? expect.unreachable("something was asked");
            await permits.giveBack(id);
            model.giveBack(id);
            const names = ["x", "y"].map(own);
            const used = await permits.read(day, names);
            for (const name of names) expect(used.get(name) ?? 0).toBe(model.used(day, name));
          }
        }
      }),
      { numRuns: kind === "file" ? 100 : 30 },
    );
  });
});

describe("Store.permits", () => {
  test("never admits more than the limit in any span of the window's length", async () => {
    const backend = await startBackend("file");
    const { permits } = await backend.open();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 10, maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (gaps, limit) => {
          run += 1;
          const windows = [{ names: [`w${run}`] as const, limit, windowMs: 1000 }];
          let now = NOON + run * 1_000_000;
          const admitted: number[] = [];
          for (const gap of gaps) {
            now += gap;
            const before = admitted.filter((at) => at > now - 1000).length;
            const result = await permits.take(ask(now, "x", { windows, counts: [] }));
            expect(result.granted).toBe(before < limit);
            if (result.granted) admitted.push(now);
            const oldest =
              admitted.filter((at) => at > now - 1000).at(-limit) ?? admitted.find((at) => at > now - 1000);
            expect(result.windows.get(`w${run}`)?.nextFreeMs).toBe(
              oldest === undefined ? 0 : oldest + 1000 - now,
            );
          }
          for (const start of admitted) {
            expect(admitted.filter((at) => at >= start && at < start + 1000).length).toBeLessThanOrEqual(
              limit,
            );
          }
        },
      ),
      { numRuns: 40 },
    );
    await backend.close();
  });

  test("writes nothing when it refuses", async () => {
    const backend = await startBackend("file");
    const { permits } = await backend.open();
    await permits.take(ask(NOON));
    const client = createClient({ url: backend.url });
    const version = async () => (await client.execute("PRAGMA data_version")).rows[0]?.data_version;
    const before = await version();
    const closed = ask(NOON, "a", { counts: [{ name: "none", limit: 0 }] });
    expect((await permits.take(closed)).granted).toBe(false);
    expect(await version()).toBe(before);
    expect((await permits.take(ask(NOON))).granted).toBe(true);
    expect(await version()).not.toBe(before);
    client.close();
    await backend.close();
  });

  test("counts again after a lock of another process is gone", async () => {
    const backend = await startBackend("file");
    const { permits } = await backend.open();
    const client = createClient({ url: backend.url });
    const locked = await client.transaction("write");
    for (const work of [() => permits.take(ask(NOON)), () => permits.giveBack("x")]) {
      expect(String(await work().catch((error: unknown) => error))).toContain("database is locked");
    }
    await locked.rollback();
    client.close();
    expect((await permits.take(ask(NOON))).used.get("total")).toBe(1);
    await backend.close();
  });
});

/** The same, in memory and as plainly as can be. */
function createModel() {
  const permits = new Map<string, PermitRequest>();
  const counts = new Map<string, number>();
  const key = (day: number, name: string) => `${day} ${name}`;
  const used = (day: number, name: string) => counts.get(key(day, name)) ?? 0;
  const moments = ({ names, windowMs }: PermitRequest["windows"][number], now: number) =>
    [...permits.values()]
      .flatMap((permit) => permit.windows.map((entered) => ({ name: entered.names[0], at: permit.now })))
      .filter(({ name, at }) => names.includes(name) && at > now - windowMs && at <= now + windowMs)
      .map(({ at }) => at)
      .sort((a, b) => a - b);
  const add = (request: PermitRequest, by: number) => {
    for (const { name } of request.counts) counts.set(key(request.day, name), used(request.day, name) + by);
  };
  return {
    used,
    take(request: PermitRequest) {
      const { now, day, windows } = request;
      const granted =
        windows.every((window) => moments(window, now).length < window.limit) &&
        request.counts.every(({ name, limit }) => used(day, name) < limit);
      if (granted) {
        permits.set(request.id, request);
        add(request, 1);
      }
      return {
        granted,
        used: new Map(request.counts.map(({ name }) => [name, used(day, name)])),
        windows: new Map(
          windows.map((window) => {
            const all = moments(window, now);
            const over = Math.max(0, all.length - Math.max(1, window.limit));
            const next = all[over];
            return [
              window.names[0],
              { entries: all.length, nextFreeMs: next === undefined ? 0 : next + window.windowMs - now },
            ];
          }),
        ),
      };
    },
    giveBack(id: string) {
      const request = permits.get(id);
      if (request === undefined) return;
      permits.delete(id);
      add(request, -1);
    },
  };
}
