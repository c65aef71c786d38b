import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress, parsePrefix } from "#address";
import { readUsed } from "#kit";
import { type AdmissionRequest, readClient } from "#limits";
import { createModel } from "../../limits/model.ts";
import {
  askAll,
  clientOf,
  first,
  openTestDatabase,
  refresh,
  repeat,
  say,
  stateOf,
  type TestDatabase,
  until,
} from "../../limits/test_admissions.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const NOON = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase();
});

afterEach(() => database.close());

describe("Admissions.request() of a visitor without a pass", () => {
  test("grants the 5th of a day and not the 6th, whoever else asks", async () => {
    const admissions = database.openAdmissions();
    expect(await askAll(admissions, [...repeat(6, () => first(A)), first(B)])).toEqual([
      "granted 4",
      "granted 3",
      "granted 2",
      "granted 1",
      "granted 0",
      "client_day 0",
      "granted 4",
    ]);
    const admission = await admissions.request(first(A));
    expect(admission).toEqual({
      admitted: false,
      refusal: { code: "verification_required", reason: "client_day", limit: 5 },
      remaining: 0,
      limits: [
        { policy: "new-ip", quota: 10, windowSeconds: 60, remaining: 5, resetSeconds: 60 },
        { policy: "open-day", quota: 5, windowSeconds: 86_400, remaining: 0, resetSeconds: 43_200 },
      ],
    });
  });

  test("tells all that a granted ask was charged for", async () => {
    const admissions = database.openAdmissions();
    await admissions.request(first(B));
    database.clock.advance(10_500);
    const admission = await admissions.request(first(A));
    expect(admission).toMatchObject({
      admitted: true,
      remaining: 4,
      limits: [
        { policy: "new-ip", quota: 10, windowSeconds: 60, remaining: 9, resetSeconds: 60 },
        { policy: "open-minute", quota: 15, windowSeconds: 60, remaining: 13, resetSeconds: 50 },
        { policy: "open-day", quota: 5, windowSeconds: 86_400, remaining: 4, resetSeconds: 43_190 },
      ],
    });
  });

  test("grants the 10th of a minute and not the 11th, and again at the exact moment", async () => {
    const admissions = database.openAdmissions({ openPerDay: 100 });
    for (let i = 0; i < 10; i++) {
      expect(say(await admissions.request(first(A)))).toBe(`granted ${99 - i}`);
      database.clock.advance(1000);
    }
    const admission = await admissions.request(first(A));
    expect(admission).toEqual({
      admitted: false,
      refusal: { code: "rate_limited", reason: "new_per_minute", limit: 10, retryAfterMs: 50_000 },
      remaining: 90,
      limits: [{ policy: "new-ip", quota: 10, windowSeconds: 60, remaining: 0, resetSeconds: 50 }],
    });
    database.clock.set(NOON + MINUTE - 1);
    expect(say(await admissions.request(first(A)))).toBe("new_per_minute 90");
    database.clock.set(NOON + MINUTE);
    expect(
      await askAll(
        admissions,
        repeat(2, () => first(A)),
      ),
    ).toEqual(["granted 89", "new_per_minute 89"]);
  });

  test("grants everybody together 15 a minute and not the 16th, and says to the millisecond when again", async () => {
    const admissions = database.openAdmissions();
    for (let i = 0; i < 15; i++) {
      expect(say(await admissions.request(first(`198.51.100.${i}`)))).toBe("granted 4");
      database.clock.advance(1500);
    }
    const admission = await admissions.request(first(A));
    expect(admission).toMatchObject({
      admitted: false,
      refusal: { code: "open_rate_limited", reason: "open_per_minute", limit: 15, retryAfterMs: 37_500 },
      remaining: 5,
    });
    expect(stateOf(admission, "open-minute")).toEqual({
      policy: "open-minute",
      quota: 15,
      windowSeconds: 60,
      remaining: 0,
      resetSeconds: 38,
    });
    database.clock.set(NOON + MINUTE - 1);
    expect((await admissions.request(first(A))).admitted).toBe(false);
    database.clock.set(NOON + MINUTE);
    expect(say(await admissions.request(first(A)))).toBe("granted 4");
    expect(say(await admissions.request(first(B)))).toBe("open_per_minute 5");
    database.clock.set(NOON + MINUTE + 1500);
    expect(say(await admissions.request(first(B)))).toBe("granted 4");
  });

  test("refuses by the client's minute before its day, by days before the site's minute", async () => {
    const all = { openPerDay: 2, openPerMinute: 2, openDailyTotal: 2, newPerMinute: 2 };
    const minute = database.openAdmissions(all);
    expect(
      (
        await askAll(
          minute,
          repeat(3, () => first(A)),
        )
      )[2],
    ).toBe("new_per_minute 0");
    const day = database.openAdmissions({ ...all, newPerMinute: 10 });
    expect(say(await day.request(first(A)))).toBe("client_day 0");
    expect(say(await day.request(first(B)))).toBe("total_day 0");
    const open = database.openAdmissions({ ...all, openDailyTotal: 10 });
    expect(say(await open.request(first(B)))).toBe("open_per_minute 2");
    // The same from memory, without a question.
    const asked = [minute, day, open].map((admissions) => admissions.repository.takes.length);
    expect([
      say(await minute.request(first(A))),
      say(await day.request(first(A))),
      say(await day.request(first(B))),
    ]).toEqual(["new_per_minute 0", "client_day 0", "total_day 0"]);
    expect(say(await open.request(first(B)))).toBe("open_per_minute 2");
    expect([minute, day, open].map((admissions) => admissions.repository.takes.length)).toEqual(asked);
  });

  test("begins a new day at midnight UTC, and not a new minute", async () => {
    database.clock.set(NOON + DAY / 2 - 20_000);
    const admissions = database.openAdmissions({ openDailyTotal: 5, newPerMinute: 6, openPerMinute: 8 });
    expect(await askAll(admissions, [...repeat(6, () => first(A)), first(B)])).toEqual([
      "granted 4",
      "granted 3",
      "granted 2",
      "granted 1",
      "granted 0",
      "client_day 0",
      "total_day 0",
    ]);
    database.clock.set(NOON + DAY / 2 - 1);
    expect(await askAll(admissions, [first(A), first(B)])).toEqual(["client_day 0", "total_day 0"]);
    expect(await admissions.remaining(clientOf(A))).toBe(0);
    database.clock.set(NOON + DAY / 2);
    expect(await admissions.remaining(clientOf(A))).toBe(5);
    expect(await askAll(admissions, [first(A), first(A), first(B), first(B), first(B)])).toEqual([
      "granted 4",
      "new_per_minute 4",
      "granted 3",
      "granted 2",
      "open_per_minute 2",
    ]);
    // Another process knows the minute only by yesterday's name.
    const other = database.openAdmissions({ newPerMinute: 6, openPerMinute: 100 });
    expect(say(await other.request(first(A)))).toBe("new_per_minute 4");
    database.clock.set(NOON + DAY / 2 + 40_000);
    expect(say(await other.request(first(A)))).toBe("granted 3");
  });

  test.each([
    [{ openPerDay: 0 }, "client_day 0"],
    [{ openDailyTotal: 0 }, "total_day 0"],
    [{ openPerMinute: 0 }, "open_per_minute 5"],
    [{ newPerMinute: 0 }, "new_per_minute 5"],
  ])("grants nobody when a limit is 0: %j", async (limits, said) => {
    const admissions = database.openAdmissions(limits);
    expect(await askAll(admissions, [first(A), first(A)])).toEqual([said, said]);
    expect(admissions.repository.takes).toEqual([]);
    const admission = await admissions.request(first(A));
    const waits = !admission.admitted && admission.refusal.code !== "verification_required";
    expect(!admission.admitted && admission.refusal.retryAfterMs).toEqual(
      waits ? MINUTE : (undefined as never),
    );
  });

  test("keeps IPv6 neighbours of one /64 together and of another apart, and forged hops out", async () => {
    const rules = { trustedProxies: [parsePrefix("127.0.0.0/8")].filter((p) => p !== undefined), exempt: [] };
    const from = (forwarded: string): AdmissionRequest => ({
      client: readClient(new Headers({ "x-forwarded-for": forwarded }), "127.0.0.1", rules),
      kind: "new-ip",
    });
    expect(parseAddress("2001:db8:0:1::1")).toBeDefined();
    const admissions = database.openAdmissions({ openPerDay: 2 });
    expect(
      await askAll(admissions, [
        from("2001:db8:0:1::1"),
        from("2001:db8:0:1:ffff:ffff:ffff:ffff"),
        from("2001:db8:0:1::2"),
        from("2001:db8:0:2::1"),
        from("203.0.113.9, 2001:db8:0:1::3"),
        from("203.0.113.9, 127.0.0.2, 2001:db8:0:1::3, 127.0.0.3"),
        from("2001:db8:0:1::3, 203.0.113.9"),
      ]),
    ).toEqual([
      "granted 1",
      "granted 0",
      "client_day 0",
      "granted 1",
      "client_day 0",
      "client_day 0",
      "granted 1",
    ]);
  });

  test("remembers a day and a minute through a restart", async () => {
    await askAll(database.openAdmissions(), [
      ...repeat(5, () => first(A)),
      ...repeat(9, () => first(B, "p")),
    ]);
    const restarted = database.openAdmissions();
    expect(await restarted.remaining(clientOf(A))).toBe(0);
    expect(await askAll(restarted, [first(A), first(B, "p"), first(B, "p"), first(B)])).toEqual([
      "client_day 0",
      "granted 5",
      "new_per_minute 5",
      "new_per_minute 5",
    ]);
  });

  test("keeps no client in clear", async () => {
    const admissions = database.openAdmissions();
    await askAll(admissions, [
      first(A),
      first(A, "pass-of-somebody"),
      refresh("2001:db8:0:1::/64", "another"),
    ]);
    await admissions.remaining(clientOf(B));
    const written = JSON.stringify([admissions.repository.takes, admissions.repository.reads]);
    expect(written).toContain(" open ");
    for (const clear of [A, B, "192.0.2", "2001:db8"]) expect(written).not.toContain(clear);
  });
});

describe("Admissions.request() with a pass, and of the exempt", () => {
  test("with a pass costs the client's minute and the pass's, and nothing of the open allowance", async () => {
    const admissions = database.openAdmissions({ openPerDay: 1, openPerMinute: 1, openDailyTotal: 1 });
    expect(await askAll(admissions, [first(A), first(A), ...repeat(10, () => first(A, "p"))])).toEqual([
      "granted 0",
      "client_day 0",
      ...repeat(9, () => "granted 0"),
      "new_per_minute 0",
    ]);
    const admission = await admissions.request(first(B, "p"));
    // The total of all clients is used up.
    expect(say(admission)).toBe("granted 0");
    expect(admission.limits).toEqual([
      { policy: "new-ip", quota: 10, windowSeconds: 60, remaining: 0, resetSeconds: 60 },
    ]);
    // The pass is used up for every client now, also for one that nobody knows.
    expect(say(await admissions.request(first("192.0.2.3", "p")))).toBe("new_per_minute 0");
    expect(say(await admissions.request(first("192.0.2.3", "q")))).toBe("granted 0");
  });

  test("refreshes need a pass, and are 5 a minute beside the first lookups", async () => {
    const admissions = database.openAdmissions();
    const admission = await admissions.request(refresh(A));
    expect(admission).toEqual({
      admitted: false,
      refusal: { code: "verification_required", reason: "refresh_per_minute", limit: 5 },
      limits: [],
      remaining: 5,
    });
    expect(
      await askAll(
        admissions,
        repeat(6, () => refresh(A, "p")),
      ),
    ).toEqual([...repeat(5, () => "granted 5"), "refresh_per_minute 5"]);
    const last = await admissions.request(first(A, "p"));
    expect(last.limits.map((state) => [state.policy, state.remaining])).toEqual([["new-ip", 9]]);
    database.clock.advance(MINUTE - 1);
    expect(say(await admissions.request(refresh(A, "p")))).toBe("refresh_per_minute 5");
    database.clock.advance(1);
    expect((await admissions.request(refresh(A, "p"))).limits).toEqual([
      { policy: "refresh", quota: 5, windowSeconds: 60, remaining: 4, resetSeconds: 60 },
    ]);
  });

  test("asks nothing and counts nothing for the exempt", async () => {
    const admissions = database.openAdmissions({ openPerMinute: 1 });
    const client = { key: A, exempt: true };
    for (const kind of ["new-ip", "refresh"] as const) {
      for (let i = 0; i < 30; i++) {
        const admission = await admissions.request({ client, kind });
        expect(admission).toEqual({ admitted: true, limits: [], remaining: 5 });
        if (admission.admitted) admissions.refund(admission);
      }
    }
    expect(admissions.remaining(client)).toBe(5);
    expect([
      admissions.repository.takes,
      admissions.repository.reads,
      admissions.repository.returned,
    ]).toEqual([[], [], []]);
    expect(say(await admissions.request(first(A)))).toBe("granted 4");
  });
});

describe("Admissions.request() in parallel", () => {
  test("admits exactly the limits at every edge", async () => {
    const admissions = database.openAdmissions();
    const day = await Promise.all(repeat(40, () => admissions.request(first(A))));
    expect(day.map(say).toSorted()).toEqual([
      ...repeat(35, () => "client_day 0"),
      ...repeat(5, (i) => `granted ${i}`),
    ]);
    const site = await Promise.all(repeat(40, (i) => admissions.request(first(`198.51.100.${i}`))));
    expect(site.filter((admission) => admission.admitted).length).toBe(10);
    database.clock.advance(MINUTE);
    const minute = await Promise.all(repeat(40, () => admissions.request(first(B, "p"))));
    expect(minute.filter((admission) => admission.admitted).length).toBe(10);
  });
});

describe("Admissions.refund()", () => {
  test("gives the minute of the site, the day and the total back, once, and not the client's minute", async () => {
    const limits = { openPerDay: 2, openPerMinute: 2, openDailyTotal: 2, newPerMinute: 4 };
    const admissions = database.openAdmissions(limits);
    const admission = await admissions.request(first(A));
    expect(await askAll(admissions, [first(A), first(A)])).toEqual(["granted 0", "client_day 0"]);
    if (admission.admitted) {
      admissions.refund(admission);
      // At once, before the database has heard of it.
      expect(admissions.remaining(clientOf(A))).toBe(1);
      admissions.refund(admission);
    }
    await until(() => admissions.repository.returned.length > 0);
    expect(await admissions.remaining(clientOf(A))).toBe(1);
    expect(admissions.repository.returned.length).toBe(1);
    expect(await askAll(admissions, [first(A), first(A)])).toEqual(["granted 0", "client_day 0"]);
    const other = database.openAdmissions({
      openPerDay: 10,
      openPerMinute: 10,
      openDailyTotal: 10,
      newPerMinute: 4,
    });
    // Three entries of A's minute: two that stand, and the one whose survey failed.
    expect(await askAll(other, [first(A), first(A)])).toEqual(["granted 7", "new_per_minute 7"]);
  });

  test("ends what the memory refuses", async () => {
    const admissions = database.openAdmissions({ openPerMinute: 1 });
    const admission = await admissions.request(first(A));
    expect(say(await admissions.request(first(B)))).toBe("open_per_minute 5");
    if (admission.admitted) admissions.refund(admission);
    await until(() => admissions.repository.returned.length > 0);
    expect(say(await admissions.request(first(B)))).toBe("granted 4");
  });

  test("after midnight gives back to the day that paid", async () => {
    database.clock.set(NOON + DAY / 2 - 1000);
    const admissions = database.openAdmissions();
    const admission = await admissions.request(first(A));
    database.clock.advance(2000);
    expect(say(await admissions.request(first(A)))).toBe("granted 4");
    if (admission.admitted) admissions.refund(admission);
    await until(() => admissions.repository.returned.length > 0);
    expect(await admissions.remaining(clientOf(A))).toBe(4);
    expect(await readUsed(database.store, database.clock.now() - DAY)).toBe(0);
    expect(await readUsed(database.store, database.clock.now())).toBe(1);
  });
});

describe("Admissions memory", () => {
  test("refuses a used-up day without a question for 5 seconds, and no longer", async () => {
    const here = database.openAdmissions();
    const there = database.openAdmissions();
    const admission = await there.request(first(A));
    await askAll(
      there,
      repeat(4, () => first(A)),
    );
    expect(say(await here.request(first(A)))).toBe("client_day 0");
    if (admission.admitted) there.refund(admission);
    await until(() => there.repository.returned.length > 0);
    database.clock.advance(5000);
    expect(
      await askAll(
        here,
        repeat(50, () => first(A)),
      ),
    ).toEqual(repeat(50, () => "client_day 0"));
    expect(here.repository.takes.length).toBe(1);
    database.clock.advance(1);
    expect(say(await here.request(first(A)))).toBe("granted 0");
  });

  test("refuses by another process's minute until the moment the repository named, and asks again after 5 seconds", async () => {
    const here = database.openAdmissions({ openPerDay: 100 });
    const there = database.openAdmissions({ openPerDay: 100 });
    await askAll(
      there,
      repeat(10, () => first(A)),
    );
    database.clock.advance(20_000);
    const admission = await here.request(first(A));
    expect(admission).toMatchObject({ refusal: { reason: "new_per_minute", retryAfterMs: 40_000 } });
    database.clock.advance(39_999);
    expect(await here.request(first(A))).toMatchObject({
      refusal: { reason: "new_per_minute", retryAfterMs: 1 },
    });
    expect(here.repository.takes.length).toBe(2);
    database.clock.advance(1);
    expect((await here.request(first(A))).admitted).toBe(true);
  });

  test("tells what is left from memory for 5 seconds, and reads it once for many who ask at once", async () => {
    const admissions = database.openAdmissions();
    const reads = repeat(20, () => admissions.remaining(clientOf(A)));
    expect(await Promise.all(reads)).toEqual(repeat(20, () => 5));
    expect(admissions.repository.reads.length).toBe(1);
    expect(admissions.remaining(clientOf(A))).toBe(5);
    await askAll(database.openAdmissions(), [first(A)]);
    database.clock.advance(5000);
    expect(admissions.remaining(clientOf(A))).toBe(5);
    database.clock.advance(1);
    expect(await admissions.remaining(clientOf(A))).toBe(4);
    await admissions.request(first(A));
    expect(admissions.remaining(clientOf(A))).toBe(3);
  });

  test("is not misled by a clock that is set back", async () => {
    const admissions = database.openAdmissions();
    await askAll(
      admissions,
      repeat(5, () => first(A)),
    );
    database.clock.advance(-DAY * 2);
    expect(await admissions.remaining(clientOf(A))).toBe(5);
    database.clock.advance(DAY * 2 - 10_000);
    expect(await admissions.remaining(clientOf(A))).toBe(0);
  });

  test("forgets the clients heard of longest ago, whose counts the database still knows", async () => {
    const admissions = database.openAdmissions();
    await askAll(
      admissions,
      repeat(5, () => first(A)),
    );
    for (let i = 0; i < 17_000; i++) await admissions.remaining(clientOf(`10.0.${i >>> 8}.${i & 255}`));
    const reads = admissions.repository.reads.length;
    expect(await admissions.remaining(clientOf(A))).toBe(0);
    expect(admissions.repository.reads.length).toBe(reads + 1);
  }, 30_000);
});

describe("Admissions against a plain model", () => {
  const limits = { openPerDay: 3, openPerMinute: 4, openDailyTotal: 5, newPerMinute: 3, refreshPerMinute: 2 };
  const step = fc.record({
    client: fc.constantFrom("a", "b", "c"),
    pass: fc.constantFrom(undefined, undefined, "p", "q"),
    kind: fc.constantFrom<AdmissionRequest["kind"][]>("new-ip", "new-ip", "refresh"),
    admissions: fc.nat(1),
    waitMs: fc.constantFrom(0, 0, 1, 5001, 17_000, 59_999, 60_000),
    giveBack: fc.boolean(),
  });

  /** Plays steps from shortly before midnight on, and compares every answer. */
  async function play(
    steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
    processes: number,
  ) {
    const room = await openTestDatabase(NOON + DAY / 2 - 90_000);
    try {
      const open = repeat(processes, () => room.openAdmissions(limits));
      const model = createModel(limits);
      for (const { client, pass, kind, admissions: place, waitMs, giveBack } of steps) {
        room.clock.advance(waitMs);
        const admissions = open[place % processes] ?? room.openAdmissions(limits);
        const ask = { client: clientOf(client), kind, ...(pass === undefined ? {} : { passId: pass }) };
        const admission = await admissions.request(ask);
        const isOpen = kind === "new-ip" && pass === undefined;
        const reason = admission.admitted ? "granted" : admission.refusal.reason;
        const used = model.listUsedUp(ask, room.clock.now());
        // Of several used-up limits, a process may know only one that comes later in the order.
        if (processes > 1 && used.length > 1) expect(used).toContain(reason);
        else expect(reason).toBe(used[0] ?? "granted");
        model.ask(ask, room.clock.now());
        if (processes === 1 || (admission.admitted && isOpen)) {
          expect(admission.remaining).toBe(model.left(client, room.clock.now()));
        }
        if (processes > 1 || !giveBack || !admission.admitted || !isOpen) continue;
        const returned = admissions.repository.returned.length;
        admissions.refund(admission);
        await until(() => admissions.repository.returned.length > returned);
        model.giveBack(client, room.clock.now());
        expect(await admissions.remaining(clientOf(client))).toBe(model.left(client, room.clock.now()));
      }
    } finally {
      await room.close();
    }
  }

  test("answers as lists would, through midnight, with two processes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) => play(steps, 2)),
      { numRuns: 50 },
    );
  });

  test("answers as lists would, through midnight, with surveys that are given back", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) => play(steps, 1)),
      { numRuns: 50 },
    );
  });
});
