import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openFor, readUsed } from "#kit";
import type { AdmissionRequest } from "#limits";
import { createModel } from "../../limits/model.ts";
import {
  askAll,
  askTimes,
  clientOf,
  first,
  openTestDatabase,
  refresh,
  repeat,
  say,
  until,
} from "../../limits/test_admissions.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const NOON = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

const database = openFor("each", openTestDatabase);

describe("Admissions.request() of a visitor without a pass", () => {
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

  test("refuses by the client's minute before its day, by days before the site's minute", async () => {
    const all = { openPerDay: 2, openPerMinute: 2, openDailyTotal: 2, newPerMinute: 2 };
    const minute = database.openAdmissions(all);
    expect((await askTimes(minute, 3, first(A)))[2]).toBe("new_per_minute 0");
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
    await askTimes(there, 4, first(A));
    expect(say(await here.request(first(A)))).toBe("client_day 0");
    if (admission.admitted) there.refund(admission);
    await until(() => there.repository.returned.length > 0);
    database.clock.advance(5000);
    expect(await askTimes(here, 50, first(A))).toEqual(repeat(50, () => "client_day 0"));
    expect(here.repository.takes.length).toBe(1);
    database.clock.advance(1);
    expect(say(await here.request(first(A)))).toBe("granted 0");
  });

  test("refuses by another process's minute until the moment the repository named, and asks again after 5 seconds", async () => {
    const here = database.openAdmissions({ openPerDay: 100 });
    const there = database.openAdmissions({ openPerDay: 100 });
    await askTimes(there, 10, first(A));
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
    await askTimes(admissions, 5, first(A));
    database.clock.advance(-DAY * 2);
    expect(await admissions.remaining(clientOf(A))).toBe(5);
    database.clock.advance(DAY * 2 - 10_000);
    expect(await admissions.remaining(clientOf(A))).toBe(0);
  });

  test("forgets the clients heard of longest ago, whose counts the database still knows", async () => {
    const admissions = database.openAdmissions();
    await askTimes(admissions, 5, first(A));
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
