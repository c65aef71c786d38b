import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import * as fc from "fast-check";
import { type AdmissionCharge, type AdmissionRepository, type Store, StoreError } from "#store";
import { BACKENDS, type Backend, startBackend } from "../backend.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const DAY = Math.floor(NOON / 86_400_000);
const MINUTE = 60_000;

let ids = 0;

/** The admission that the limits request for an unverified visitor. */
function ask(now: number, client = "a", rest: Partial<AdmissionCharge> = {}): AdmissionCharge {
  ids += 1;
  return {
    id: `admission-${ids}`,
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
function askOpen(now: number, rest: Partial<AdmissionCharge> = {}): AdmissionCharge {
  return ask(now, "a", { windows: [{ names: ["open"], limit: 15, windowMs: MINUTE }], counts: [], ...rest });
}

async function takeMany(
  admissions: AdmissionRepository,
  requests: readonly AdmissionCharge[],
): Promise<number> {
  const results = await Promise.all(requests.map((request) => admissions.admit(request)));
  return results.filter(({ isAdmitted }) => isAdmitted).length;
}

describe.each(BACKENDS)("Store.admissions on %s", (kind) => {
  let backend: Backend;
  let store: Store;
  let admissions: AdmissionRepository;

  beforeEach(async () => {
    backend = await startBackend(kind);
    store = await backend.open();
    admissions = store.admissions;
  });
  afterEach(() => backend.close());

  test("admit() charges every window and count once, and tells how they stand", async () => {
    expect(await admissions.admit(ask(NOON))).toEqual({
      isAdmitted: true,
      used: new Map([
        ["client:a", 1],
        ["total", 1],
      ]),
      windows: new Map([
        ["new:a", { entries: 1, nextFreeMs: MINUTE }],
        ["open", { entries: 1, nextFreeMs: MINUTE }],
      ]),
    });
    expect(await admissions.admit(ask(NOON + 7, "b"))).toEqual({
      isAdmitted: true,
      used: new Map([
        ["client:b", 1],
        ["total", 2],
      ]),
      windows: new Map([
        ["new:b", { entries: 1, nextFreeMs: MINUTE }],
        ["open", { entries: 2, nextFreeMs: MINUTE - 7 }],
      ]),
    });
    expect(await admissions.read(DAY, ["client:a", "total", "client:nobody", "__proto__"])).toEqual(
      new Map([
        ["client:a", 1],
        ["total", 2],
      ]),
    );
  });

  test("admit() admits the 15th of a minute, refuses the 16th, and says to the millisecond when there is room", async () => {
    for (let n = 0; n < 15; n += 1)
      expect((await admissions.admit(askOpen(NOON + n * 10))).isAdmitted).toBe(true);
    const refused = await admissions.admit(askOpen(NOON + 30_000));
    expect(refused.isAdmitted).toBe(false);
    expect(refused.windows.get("open")).toEqual({ entries: 15, nextFreeMs: 30_000 });

    expect((await admissions.admit(askOpen(NOON + MINUTE - 1))).isAdmitted).toBe(false);
    const returned = await admissions.admit(askOpen(NOON + MINUTE));
    expect(returned.isAdmitted).toBe(true);
    expect(returned.windows.get("open")).toEqual({ entries: 15, nextFreeMs: 10 });
    expect((await admissions.admit(askOpen(NOON + MINUTE + 9))).isAdmitted).toBe(false);
    expect((await admissions.admit(askOpen(NOON + MINUTE + 10))).isAdmitted).toBe(true);
  });

  test("admit() waits for the entry whose leaving makes room when there are more than the limit", async () => {
    const window = (limit: number) => [{ names: ["x"] as const, limit, windowMs: MINUTE }];
    for (const n of [0, 1, 2, 3, 4])
      await admissions.admit(ask(NOON + n, "x", { windows: window(5), counts: [] }));
    const refused = await admissions.admit(ask(NOON + 10, "x", { windows: window(2), counts: [] }));
    expect(refused).toMatchObject({ isAdmitted: false });
    expect(refused.windows.get("x")).toEqual({ entries: 5, nextFreeMs: MINUTE - 10 + 3 });
    const closed = await admissions.admit(ask(NOON + 10, "x", { windows: window(0), counts: [] }));
    expect(closed.isAdmitted).toBe(false);
  });

  test("admit() counts what stands under a window's other names, and enters under the first", async () => {
    const names = (first: string, second: string) => [
      { names: [first, second] as const, limit: 2, windowMs: MINUTE },
    ];
    const midnight = (DAY + 1) * 86_400_000;
    const before = ask(midnight - 1, "c", { windows: names("new:today", "new:before"), counts: [] });
    expect((await admissions.admit(before)).isAdmitted).toBe(true);
    const after = () => ask(midnight, "c", { windows: names("new:tomorrow", "new:today"), counts: [] });
    expect((await admissions.admit(after())).windows.get("new:tomorrow")).toEqual({
      entries: 2,
      nextFreeMs: MINUTE - 1,
    });
    expect((await admissions.admit(after())).isAdmitted).toBe(false);
  });

  test("admit() grants the 5th of a client's day, refuses the 6th, leaves others alone, and begins anew next day", async () => {
    const at = (n: number) => NOON + n * MINUTE;
    for (let n = 0; n < 5; n += 1) expect((await admissions.admit(ask(at(n)))).isAdmitted).toBe(true);
    const sixth = await admissions.admit(ask(at(5)));
    expect(sixth).toMatchObject({ isAdmitted: false });
    expect(sixth.used).toEqual(
      new Map([
        ["client:a", 5],
        ["total", 5],
      ]),
    );
    expect((await admissions.admit(ask(at(6), "b"))).isAdmitted).toBe(true);
    const midnight = (DAY + 1) * 86_400_000;
    expect((await admissions.admit(ask(midnight - 1))).isAdmitted).toBe(false);
    expect((await admissions.admit(ask(midnight))).used.get("client:a")).toBe(1);
    expect((await admissions.read(DAY, ["client:a"])).get("client:a")).toBe(5);
  });

  test("admit() stops at the day's total, whoever asks", async () => {
    const total = (client: string) =>
      ask(NOON, client, {
        windows: [],
        counts: [
          { name: `client:${client}`, limit: 5 },
          { name: "total", limit: 3 },
        ],
      });
    for (const client of ["a", "b", "c"])
      expect((await admissions.admit(total(client))).isAdmitted).toBe(true);
    expect(await admissions.admit(total("d"))).toMatchObject({ isAdmitted: false });
    expect(await admissions.read(DAY, ["client:d", "total"])).toEqual(new Map([["total", 3]]));
  });

  test.each([
    ["the window of the client", { windows: [{ names: ["w"] as const, limit: 0, windowMs: MINUTE }] }],
    ["a count", { counts: [{ name: "w", limit: 0 }] }],
  ])("admit() charges nothing when %s has no room", async (_, closed) => {
    const open = ask(NOON);
    const refused = ask(NOON, "a", {
      windows: [...open.windows, ...("windows" in closed ? closed.windows : [])],
      counts: [...open.counts, ...("counts" in closed ? closed.counts : [])],
    });
    expect((await admissions.admit(refused)).isAdmitted).toBe(false);
    expect(await admissions.read(DAY, ["client:a", "total", "w"])).toEqual(new Map());
    expect((await admissions.admit(open)).windows.get("open")?.entries).toBe(1);
    await admissions.refund(refused.id);
    expect((await admissions.read(DAY, ["total"])).get("total")).toBe(1);
  });

  test("admit() with one id twice charges it once", async () => {
    const request = ask(NOON);
    expect((await admissions.admit(request)).isAdmitted).toBe(true);
    expect(await admissions.admit(request)).toMatchObject({ isAdmitted: true });
    expect((await admissions.read(DAY, ["total"])).get("total")).toBe(1);
    expect((await admissions.admit(askOpen(NOON))).windows.get("open")?.entries).toBe(2);
  });

  test("refund() frees the minute and the day, twice is once, and nobody else's", async () => {
    const requests = Array.from({ length: 5 }, () => ask(NOON));
    await takeMany(admissions, requests);
    expect((await admissions.admit(ask(NOON))).isAdmitted).toBe(false);
    const [first] = requests;
    if (first === undefined) return expect.unreachable("five were asked");
    await admissions.refund(first.id);
    await admissions.refund(first.id);
    await admissions.refund("nobody's");
    expect((await admissions.read(DAY, ["client:a", "total"])).get("client:a")).toBe(4);
    expect((await admissions.admit(ask(NOON))).windows.get("open")?.entries).toBe(5);
    expect((await admissions.admit(ask(NOON))).isAdmitted).toBe(false);
  });

  test("refund() after midnight gives to the day that was charged", async () => {
    const midnight = (DAY + 1) * 86_400_000;
    const request = ask(midnight - 1);
    await admissions.admit(request);
    await admissions.admit(ask(midnight + 1));
    await admissions.refund(request.id);
    expect((await admissions.read(DAY, ["total"])).get("total")).toBe(0);
    expect((await admissions.read(DAY + 1, ["total"])).get("total")).toBe(1);
  });

  test("admit() is not held up by entries of a clock that has been set back", async () => {
    const ahead = NOON + 5 * MINUTE;
    expect(
      await takeMany(
        admissions,
        Array.from({ length: 15 }, () => askOpen(ahead)),
      ),
    ).toBe(15);
    expect((await admissions.admit(askOpen(ahead))).isAdmitted).toBe(false);
    // Within a window's length ahead they count: that may be another process's clock.
    expect((await admissions.admit(askOpen(ahead - MINUTE))).isAdmitted).toBe(false);
    expect((await admissions.admit(askOpen(ahead - MINUTE - 1))).isAdmitted).toBe(true);
    expect((await admissions.admit(askOpen(NOON))).isAdmitted).toBe(true);
  });

  test("admit() forgets entries after ten minutes, admissions after a day and counts after a week", async () => {
    const first = ask(NOON);
    await admissions.admit(first);
    const client = createClient({ url: backend.url });
    const count = async (table: string) =>
      Number((await client.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n);
    await admissions.admit(askOpen(NOON + 10 * MINUTE));
    expect(await count("permit_entries")).toBe(3);
    await admissions.admit(askOpen(NOON + 11 * MINUTE));
    expect(await count("permit_entries")).toBe(2);
    expect(await count("permits")).toBe(3);
    await admissions.admit(askOpen(NOON + 86_400_001));
    expect(await count("permits")).toBe(3);
    await admissions.admit(askOpen(NOON + 7 * 86_400_000));
    expect(await count("permit_counts")).toBe(2);
    await admissions.admit(askOpen(NOON + 8 * 86_400_000 + 1));
    expect([await count("permit_counts"), await count("permits"), await count("permit_entries")]).toEqual([
      0, 1, 1,
    ]);
    // Ahead of time as much as behind it.
    await admissions.admit(askOpen(NOON));
    expect(await count("permit_entries")).toBe(1);
    client.close();
  });

  test("admit() takes names and ids for text and nothing else", async () => {
    for (const name of [`'); DROP TABLE admissions; --`, "__proto__", '"\\\n汉', "$.names"]) {
      const request = ask(NOON, name, {
        id: name,
        windows: [{ names: [name], limit: 1, windowMs: MINUTE }],
        counts: [{ name, limit: 1 }],
      });
      const result = await admissions.admit(request);
      expect(result.isAdmitted).toBe(true);
      expect(result.used).toEqual(new Map([[name, 1]]));
      expect(result.windows.get(name)?.entries).toBe(1);
      await admissions.refund(name);
      expect((await admissions.read(DAY, [name])).get(name)).toBe(0);
    }
  });

  test("admit() admits the limit exactly of 100 at once through two stores", async () => {
    const other = await backend.open();
    const burst = () => Array.from({ length: 50 }, (_, n) => ask(NOON, `c${n}`));
    const isAdmitted = await Promise.all([
      takeMany(admissions, burst()),
      takeMany(other.admissions, burst()),
    ]);
    expect((isAdmitted[0] ?? 0) + (isAdmitted[1] ?? 0)).toBe(15);
    expect((await admissions.read(DAY, ["total"])).get("total")).toBe(15);

    const same = () => Array.from({ length: 50 }, () => ask(NOON + MINUTE, "one"));
    const ofOne = await Promise.all([takeMany(admissions, same()), takeMany(other.admissions, same())]);
    expect((ofOne[0] ?? 0) + (ofOne[1] ?? 0)).toBe(5);
  });

  test("admit() is exact among processes", async () => {
    const script = `
      const results = await Promise.all(Array.from({ length: 50 }, (_, n) => store.admissions.admit({
        id: process.pid + "-" + n, now: ${NOON}, day: ${DAY},
        windows: [{ names: ["open"], limit: 15, windowMs: 60000 }], counts: [{ name: "total", limit: 500 }],
      })));
      print(results.filter((result) => result.isAdmitted).length);`;
    const runs = await Promise.all([backend.run(script), backend.run(script), backend.run(script)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(runs.reduce((sum, { lines }) => sum + Number(lines[0]), 0)).toBe(15);
    expect((await admissions.read(DAY, ["total"])).get("total")).toBe(15);
  });

  test("what was isAdmitted is there after kill -9 between grants, and after the server's own", async () => {
    const script = `
      for (let n = 0; ; n += 1) {
        await store.admissions.admit({
          id: "victim-" + n, now: ${NOON} + n, day: ${DAY},
          windows: [{ names: ["open"], limit: 100000, windowMs: 60000 }], counts: [{ name: "total", limit: 100000 }],
        });
        print(n);
      }`;
    const { code, lines } = await backend.run(script, 20);
    expect(code).toBe(137);
    expect(lines.length).toBeGreaterThanOrEqual(20);
    await backend.sqld?.restart();
    const used = (await admissions.read(DAY, ["total"])).get("total") ?? 0;
    // What was isAdmitted but could not be told any more: one at most.
    expect(used).toBeGreaterThanOrEqual(lines.length);
    expect(used).toBeLessThanOrEqual(lines.length + 1);
    expect((await admissions.admit(askOpen(NOON + used))).windows.get("open")?.entries).toBe(used);
    await admissions.refund("victim-3");
    expect((await admissions.read(DAY, ["total"])).get("total")).toBe(used - 1);
  });

  test("fails as a StoreError that names the database", async () => {
    const client = createClient({ url: backend.url });
    for (const table of ["permit_entries", "permit_counts", "permits"])
      await client.execute(`DROP TABLE ${table}`);
    client.close();
    const works = [admissions.admit(ask(NOON)), admissions.refund("x"), admissions.read(DAY, ["x"])];
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
          const request: AdmissionCharge = {
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
          expect(await admissions.admit(request)).toEqual(model.take(request));
          if (giveBack !== undefined) {
            const id = asked[giveBack % asked.length] ?? expect.unreachable("something was asked");
            await admissions.refund(id);
            model.giveBack(id);
            const names = ["x", "y"].map(own);
            const used = await admissions.read(day, names);
            for (const name of names) expect(used.get(name) ?? 0).toBe(model.used(day, name));
          }
        }
      }),
      { numRuns: kind === "file" ? 100 : 30 },
    );
  });
});

describe("Store.admissions", () => {
  test("never admits more than the limit in any span of the window's length", async () => {
    const backend = await startBackend("file");
    const { admissions } = await backend.open();
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
            const result = await admissions.admit(ask(now, "x", { windows, counts: [] }));
            expect(result.isAdmitted).toBe(before < limit);
            if (result.isAdmitted) admitted.push(now);
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
    const { admissions } = await backend.open();
    await admissions.admit(ask(NOON));
    const client = createClient({ url: backend.url });
    const version = async () => (await client.execute("PRAGMA data_version")).rows[0]?.data_version;
    const before = await version();
    const closed = ask(NOON, "a", { counts: [{ name: "none", limit: 0 }] });
    expect((await admissions.admit(closed)).isAdmitted).toBe(false);
    expect(await version()).toBe(before);
    expect((await admissions.admit(ask(NOON))).isAdmitted).toBe(true);
    expect(await version()).not.toBe(before);
    client.close();
    await backend.close();
  });

  test("counts again after a lock of another process is gone", async () => {
    const backend = await startBackend("file");
    const { admissions } = await backend.open();
    const client = createClient({ url: backend.url });
    const locked = await client.transaction("write");
    for (const work of [() => admissions.admit(ask(NOON)), () => admissions.refund("x")]) {
      expect(String(await work().catch((error: unknown) => error))).toContain("database is locked");
    }
    await locked.rollback();
    client.close();
    expect((await admissions.admit(ask(NOON))).used.get("total")).toBe(1);
    await backend.close();
  });
});

/** The same, in memory and as plainly as can be. */
function createModel() {
  const admissions = new Map<string, AdmissionCharge>();
  const counts = new Map<string, number>();
  const key = (day: number, name: string) => `${day} ${name}`;
  const used = (day: number, name: string) => counts.get(key(day, name)) ?? 0;
  const moments = ({ names, windowMs }: AdmissionCharge["windows"][number], now: number) =>
    [...admissions.values()]
      .flatMap(({ now: at, windows }) => windows.map(({ names }) => ({ name: names[0], at })))
      .filter(({ name, at }) => names.includes(name) && at > now - windowMs && at <= now + windowMs)
      .map(({ at }) => at)
      .sort((a, b) => a - b);
  const add = (request: AdmissionCharge, by: number) => {
    for (const { name } of request.counts) counts.set(key(request.day, name), used(request.day, name) + by);
  };
  return {
    used,
    take(request: AdmissionCharge) {
      const { now, day, windows } = request;
      const isAdmitted =
        windows.every((window) => moments(window, now).length < window.limit) &&
        request.counts.every(({ name, limit }) => used(day, name) < limit);
      if (isAdmitted) {
        admissions.set(request.id, request);
        add(request, 1);
      }
      return {
        isAdmitted,
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
      const request = admissions.get(id);
      if (request === undefined) return;
      admissions.delete(id);
      add(request, -1);
    },
  };
}
