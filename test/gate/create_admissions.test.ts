import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress, parsePrefix } from "#address";
import { readClient, type SurveyAsk } from "#gate";
import {
  askAll,
  clientOf,
  first,
  type Office,
  openOffice,
  refresh,
  repeat,
  say,
  stateOf,
  until,
} from "./desk.ts";
import { createModel } from "./model.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const NOON = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

let office: Office;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

describe("Admissions.ask() of a visitor without a pass", () => {
  test("grants the 5th of a day and not the 6th, whoever else asks", async () => {
    const desk = office.openDesk();
    expect(await askAll(desk, [...repeat(6, () => first(A)), first(B)])).toEqual([
      "granted 4",
      "granted 3",
      "granted 2",
      "granted 1",
      "granted 0",
      "client_day 0",
      "granted 4",
    ]);
    const leave = await desk.ask(first(A));
    expect(leave).toEqual({
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
    const desk = office.openDesk();
    await desk.ask(first(B));
    office.clock.advance(10_500);
    const leave = await desk.ask(first(A));
    expect(leave).toMatchObject({
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
    const desk = office.openDesk({ openPerDay: 100 });
    for (let i = 0; i < 10; i++) {
      expect(say(await desk.ask(first(A)))).toBe(`granted ${99 - i}`);
      office.clock.advance(1000);
    }
    const leave = await desk.ask(first(A));
    expect(leave).toEqual({
      admitted: false,
      refusal: { code: "rate_limited", reason: "new_per_minute", limit: 10, retryAfterMs: 50_000 },
      remaining: 90,
      limits: [{ policy: "new-ip", quota: 10, windowSeconds: 60, remaining: 0, resetSeconds: 50 }],
    });
    office.clock.set(NOON + MINUTE - 1);
    expect(say(await desk.ask(first(A)))).toBe("new_per_minute 90");
    office.clock.set(NOON + MINUTE);
    expect(
      await askAll(
        desk,
        repeat(2, () => first(A)),
      ),
    ).toEqual(["granted 89", "new_per_minute 89"]);
  });

  test("grants everybody together 15 a minute and not the 16th, and says to the millisecond when again", async () => {
    const desk = office.openDesk();
    for (let i = 0; i < 15; i++) {
      expect(say(await desk.ask(first(`198.51.100.${i}`)))).toBe("granted 4");
      office.clock.advance(1500);
    }
    const leave = await desk.ask(first(A));
    expect(leave).toMatchObject({
      admitted: false,
      refusal: { code: "open_rate_limited", reason: "open_per_minute", limit: 15, retryAfterMs: 37_500 },
      remaining: 5,
    });
    expect(stateOf(leave, "open-minute")).toEqual({
      policy: "open-minute",
      quota: 15,
      windowSeconds: 60,
      remaining: 0,
      resetSeconds: 38,
    });
    office.clock.set(NOON + MINUTE - 1);
    expect((await desk.ask(first(A))).admitted).toBe(false);
    office.clock.set(NOON + MINUTE);
    expect(say(await desk.ask(first(A)))).toBe("granted 4");
    expect(say(await desk.ask(first(B)))).toBe("open_per_minute 5");
    office.clock.set(NOON + MINUTE + 1500);
    expect(say(await desk.ask(first(B)))).toBe("granted 4");
  });

  test("spends nothing when it refuses", async () => {
    const desk = office.openDesk({ openPerMinute: 2 });
    await askAll(desk, [first("198.51.100.1"), first("198.51.100.2")]);
    // Twenty refused asks would fill the client's minute and day many times over.
    expect(
      await askAll(
        desk,
        repeat(20, () => first(A)),
      ),
    ).toEqual(repeat(20, () => "open_per_minute 5"));
    office.clock.advance(MINUTE);
    expect(await askAll(desk, [first(A), first(A), first(A)])).toEqual([
      "granted 4",
      "granted 3",
      "open_per_minute 3",
    ]);
  });

  test("gives the place in the own window back when the book refuses", async () => {
    const here = office.openDesk({ openPerDay: 2, newPerMinute: 3 });
    const there = office.openDesk({ openPerDay: 2, newPerMinute: 3 });
    await askAll(there, [first(A), first(A)]);
    for (let i = 0; i < 4; i++) {
      expect(say(await here.ask(first(A)))).toBe("client_day 0");
      office.clock.advance(5001);
    }
    expect(here.book.takes.length).toBe(4);
    const leave = await here.ask(first(A));
    expect(stateOf(leave, "new-ip")?.remaining).toBe(3);
  });

  test("refuses by the client's minute before its day, by days before the site's minute", async () => {
    const all = { openPerDay: 2, openPerMinute: 2, openDailyTotal: 2, newPerMinute: 2 };
    const minute = office.openDesk(all);
    expect(
      (
        await askAll(
          minute,
          repeat(3, () => first(A)),
        )
      )[2],
    ).toBe("new_per_minute 0");
    const day = office.openDesk({ ...all, newPerMinute: 10 });
    expect(say(await day.ask(first(A)))).toBe("client_day 0");
    expect(say(await day.ask(first(B)))).toBe("total_day 2");
    const open = office.openDesk({ ...all, openDailyTotal: 10 });
    expect(say(await open.ask(first(B)))).toBe("open_per_minute 2");
    // The same from memory, without a question.
    const asked = [minute, day, open].map((desk) => desk.book.takes.length);
    expect([
      say(await minute.ask(first(A))),
      say(await day.ask(first(A))),
      say(await day.ask(first(B))),
    ]).toEqual(["new_per_minute 0", "client_day 0", "total_day 2"]);
    expect(say(await open.ask(first(B)))).toBe("open_per_minute 2");
    expect([minute, day, open].map((desk) => desk.book.takes.length)).toEqual(asked);
  });

  test("begins a new day at midnight UTC, and not a new minute", async () => {
    office.clock.set(NOON + DAY / 2 - 20_000);
    const desk = office.openDesk({ openDailyTotal: 5, newPerMinute: 6, openPerMinute: 8 });
    expect(await askAll(desk, [...repeat(6, () => first(A)), first(B)])).toEqual([
      "granted 4",
      "granted 3",
      "granted 2",
      "granted 1",
      "granted 0",
      "client_day 0",
      "total_day 5",
    ]);
    office.clock.set(NOON + DAY / 2 - 1);
    expect(await askAll(desk, [first(A), first(B)])).toEqual(["client_day 0", "total_day 5"]);
    expect(await desk.remaining(clientOf(A))).toBe(0);
    office.clock.set(NOON + DAY / 2);
    expect(await desk.remaining(clientOf(A))).toBe(5);
    expect(await askAll(desk, [first(A), first(A), first(B), first(B), first(B)])).toEqual([
      "granted 4",
      "new_per_minute 4",
      "granted 4",
      "granted 3",
      "open_per_minute 3",
    ]);
    // Another process knows the minute only by yesterday's name.
    const other = office.openDesk({ newPerMinute: 6, openPerMinute: 100 });
    expect(say(await other.ask(first(A)))).toBe("new_per_minute 4");
    office.clock.set(NOON + DAY / 2 + 40_000);
    expect(say(await other.ask(first(A)))).toBe("granted 3");
  });

  test.each([
    [{ openPerDay: 0 }, "client_day 0"],
    [{ openDailyTotal: 0 }, "total_day 5"],
    [{ openPerMinute: 0 }, "open_per_minute 5"],
    [{ newPerMinute: 0 }, "new_per_minute 5"],
  ])("grants nobody when a limit is 0: %j", async (limits, said) => {
    const desk = office.openDesk(limits);
    expect(await askAll(desk, [first(A), first(A)])).toEqual([said, said]);
    expect(desk.book.takes).toEqual([]);
    const leave = await desk.ask(first(A));
    const waits = !leave.admitted && leave.refusal.code !== "verification_required";
    expect(!leave.admitted && leave.refusal.retryAfterMs).toEqual(waits ? MINUTE : (undefined as never));
  });

  test("keeps IPv6 neighbours of one /64 together and of another apart, and forged hops out", async () => {
    const rules = { trustedProxies: [parsePrefix("127.0.0.0/8")].filter((p) => p !== undefined), exempt: [] };
    const from = (forwarded: string): SurveyAsk => ({
      client: readClient(new Headers({ "x-forwarded-for": forwarded }), "127.0.0.1", rules),
      kind: "new-ip",
    });
    expect(parseAddress("2001:db8:0:1::1")).toBeDefined();
    const desk = office.openDesk({ openPerDay: 2 });
    expect(
      await askAll(desk, [
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
    await askAll(office.openDesk(), [...repeat(5, () => first(A)), ...repeat(9, () => first(B, "p"))]);
    const restarted = office.openDesk();
    expect(await restarted.remaining(clientOf(A))).toBe(0);
    expect(await askAll(restarted, [first(A), first(B, "p"), first(B, "p"), first(B)])).toEqual([
      "client_day 0",
      "granted 5",
      "new_per_minute 5",
      "new_per_minute 5",
    ]);
  });

  test("tells who is refused by a full minute that its day is used up, when it is", async () => {
    const desk = office.openDesk({ openPerDay: 1, openPerMinute: 2, openDailyTotal: 3 });
    await askAll(desk, [first(A), first(B)]);
    expect(say(await desk.ask(first("192.0.2.3")))).toBe("open_per_minute 1");
    // The minute is remembered longer than the days are believed.
    office.clock.advance(30_000);
    const taken = desk.book.takes.length;
    expect(await askAll(desk, [first(A), first("192.0.2.3")])).toEqual(["client_day 0", "open_per_minute 1"]);
    expect(desk.book.takes.length).toBe(taken);
  });

  test("keeps no client in clear", async () => {
    const desk = office.openDesk();
    await askAll(desk, [first(A), first(A, "pass-of-somebody"), refresh("2001:db8:0:1::/64", "another")]);
    await desk.remaining(clientOf(B));
    const written = JSON.stringify([desk.book.takes, desk.book.reads]);
    expect(written).toContain('"open"');
    for (const clear of [A, B, "192.0.2", "2001:db8"]) expect(written).not.toContain(clear);
  });
});

describe("Admissions.ask() with a pass, and of the exempt", () => {
  test("with a pass costs the client's minute and the pass's, and nothing of the open allowance", async () => {
    const desk = office.openDesk({ openPerDay: 1, openPerMinute: 1, openDailyTotal: 1 });
    expect(await askAll(desk, [first(A), first(A), ...repeat(10, () => first(A, "p"))])).toEqual([
      "granted 0",
      "client_day 0",
      ...repeat(9, () => "granted 0"),
      "new_per_minute 0",
    ]);
    const leave = await desk.ask(first(B, "p"));
    expect(say(leave)).toBe("granted 1");
    expect(leave.limits).toEqual([
      { policy: "new-ip", quota: 10, windowSeconds: 60, remaining: 0, resetSeconds: 60 },
    ]);
    // The pass is used up for every client now, also for one that nobody knows.
    expect(say(await desk.ask(first("192.0.2.3", "p")))).toBe("new_per_minute 1");
    expect(say(await desk.ask(first("192.0.2.3", "q")))).toBe("granted 1");
  });

  test("counts a pass over all processes", async () => {
    const desks = [office.openDesk(), office.openDesk()] as const;
    const asks = repeat(14, (i) => [desks[i % 2 === 0 ? 0 : 1], first(`192.0.2.${i}`, "p")] as const);
    const said = await Promise.all(asks.map(async ([desk, ask]) => (await desk.ask(ask)).admitted));
    expect(said.filter((admitted) => admitted).length).toBe(10);
  });

  test("refreshes need a pass, and are 5 a minute beside the first lookups", async () => {
    const desk = office.openDesk();
    const leave = await desk.ask(refresh(A));
    expect(leave).toEqual({
      admitted: false,
      refusal: { code: "verification_required", reason: "refresh_per_minute", limit: 5 },
      limits: [],
      remaining: 5,
    });
    expect(
      await askAll(
        desk,
        repeat(6, () => refresh(A, "p")),
      ),
    ).toEqual([...repeat(5, () => "granted 5"), "refresh_per_minute 5"]);
    const last = await desk.ask(first(A, "p"));
    expect(last.limits.map((state) => [state.policy, state.remaining])).toEqual([["new-ip", 9]]);
    office.clock.advance(MINUTE - 1);
    expect(say(await desk.ask(refresh(A, "p")))).toBe("refresh_per_minute 5");
    office.clock.advance(1);
    expect((await desk.ask(refresh(A, "p"))).limits).toEqual([
      { policy: "refresh", quota: 5, windowSeconds: 60, remaining: 4, resetSeconds: 60 },
    ]);
  });

  test("asks nothing and counts nothing for the exempt", async () => {
    const desk = office.openDesk({ openPerMinute: 1 });
    const client = { key: A, exempt: true };
    for (const kind of ["new-ip", "refresh"] as const) {
      for (let i = 0; i < 30; i++) {
        const leave = await desk.ask({ client, kind });
        expect({ ...leave, giveBack: undefined }).toEqual({
          admitted: true,
          limits: [],
          remaining: 5,
          giveBack: undefined,
        });
        if (leave.admitted) leave.giveBack();
      }
    }
    expect(desk.remaining(client)).toBe(5);
    expect([desk.book.takes, desk.book.reads, desk.book.returned]).toEqual([[], [], []]);
    expect(say(await desk.ask(first(A)))).toBe("granted 4");
  });
});

describe("Admissions.ask() in parallel", () => {
  test("admits exactly the limits at every edge", async () => {
    const desk = office.openDesk();
    const day = await Promise.all(repeat(40, () => desk.ask(first(A))));
    expect(day.map(say).toSorted()).toEqual([
      ...repeat(5, () => "client_day 0"),
      ...repeat(5, (i) => `granted ${i}`),
      ...repeat(30, () => "new_per_minute 0"),
    ]);
    const site = await Promise.all(repeat(40, (i) => desk.ask(first(`198.51.100.${i}`))));
    expect(site.filter((leave) => leave.admitted).length).toBe(10);
    office.clock.advance(MINUTE);
    const minute = await Promise.all(repeat(40, () => desk.ask(first(B, "p"))));
    expect(minute.filter((leave) => leave.admitted).length).toBe(10);
  });

  test("admits exactly the limits over several processes", async () => {
    const desks = repeat(4, () => office.openDesk());
    const deskOf = (i: number) => desks[i % 4] ?? office.openDesk();
    const day = await Promise.all(repeat(40, (i) => deskOf(i).ask(first(A))));
    expect(day.filter((leave) => leave.admitted).map((leave) => leave.remaining)).toEqual([4, 3, 2, 1, 0]);
    const site = await Promise.all(repeat(80, (i) => deskOf(i).ask(first(`198.51.100.${i}`))));
    expect(site.filter((leave) => leave.admitted).length).toBe(10);
    const verified = await Promise.all(repeat(80, (i) => deskOf(i).ask(first(B, `p${i}`))));
    expect(verified.filter((leave) => leave.admitted).length).toBe(10);
    const total = repeat(4, () => office.openDesk({ openPerMinute: 1000, openDailyTotal: 20 }));
    const rest = await Promise.all(
      repeat(80, (i) => (total[i % 4] ?? deskOf(0)).ask(first(`203.0.113.${i}`))),
    );
    expect(rest.filter((leave) => leave.admitted).length).toBe(5);
  });
});

describe("SurveyLeave.giveBack()", () => {
  test("gives the minute of the site, the day and the total back, once, and not the client's minute", async () => {
    const limits = { openPerDay: 2, openPerMinute: 2, openDailyTotal: 2, newPerMinute: 4 };
    const desk = office.openDesk(limits);
    const leave = await desk.ask(first(A));
    expect(await askAll(desk, [first(A), first(A)])).toEqual(["granted 0", "client_day 0"]);
    if (leave.admitted) {
      leave.giveBack();
      // At once, before the database has heard of it.
      expect(desk.remaining(clientOf(A))).toBe(1);
      leave.giveBack();
    }
    await until(() => desk.book.returned.length > 0);
    expect(await desk.remaining(clientOf(A))).toBe(1);
    expect(desk.book.returned.length).toBe(1);
    expect(await askAll(desk, [first(A), first(A)])).toEqual(["granted 0", "client_day 0"]);
    const other = office.openDesk({ openPerDay: 10, openPerMinute: 10, openDailyTotal: 10, newPerMinute: 4 });
    // Three entries of A's minute: two that stand, and the one whose survey failed.
    expect(await askAll(other, [first(A), first(A)])).toEqual(["granted 7", "new_per_minute 7"]);
  });

  test("ends what the memory refuses", async () => {
    const desk = office.openDesk({ openPerMinute: 1 });
    const leave = await desk.ask(first(A));
    expect(say(await desk.ask(first(B)))).toBe("open_per_minute 5");
    if (leave.admitted) leave.giveBack();
    await until(() => desk.book.returned.length > 0);
    expect(say(await desk.ask(first(B)))).toBe("granted 4");
  });

  test("does nothing for a verified survey, which cost nothing of the open allowance", async () => {
    const desk = office.openDesk({ newPerMinute: 2 });
    await askAll(desk, [first(A, "p")]);
    const leave = await desk.ask(first(A, "p"));
    if (leave.admitted) leave.giveBack();
    await new Promise((resolve) => setImmediate(resolve));
    expect(desk.book.returned).toEqual([]);
    expect(say(await desk.ask(first(A, "p")))).toBe("new_per_minute 5");
  });

  test("after midnight gives back to the day that paid", async () => {
    office.clock.set(NOON + DAY / 2 - 1000);
    const desk = office.openDesk();
    const leave = await desk.ask(first(A));
    office.clock.advance(2000);
    expect(say(await desk.ask(first(A)))).toBe("granted 4");
    if (leave.admitted) leave.giveBack();
    await until(() => desk.book.returned.length > 0);
    expect(await desk.remaining(clientOf(A))).toBe(4);
    const day = Math.floor(office.clock.now() / DAY);
    expect(await office.store.admissions.read(day - 1, ["total"])).toEqual(new Map([["total", 0]]));
    expect(await office.store.admissions.read(day, ["total"])).toEqual(new Map([["total", 1]]));
  });
});

describe("Admissions memory", () => {
  test("refuses a used-up day without a question for 5 seconds, and no longer", async () => {
    const here = office.openDesk();
    const there = office.openDesk();
    const leave = await there.ask(first(A));
    await askAll(
      there,
      repeat(4, () => first(A)),
    );
    expect(say(await here.ask(first(A)))).toBe("client_day 0");
    if (leave.admitted) leave.giveBack();
    await until(() => there.book.returned.length > 0);
    office.clock.advance(5000);
    expect(
      await askAll(
        here,
        repeat(50, () => first(A)),
      ),
    ).toEqual(repeat(50, () => "client_day 0"));
    expect(here.book.takes.length).toBe(1);
    office.clock.advance(1);
    expect(say(await here.ask(first(A)))).toBe("granted 0");
  });

  test("refuses by another process's minute without a question until the moment the book named", async () => {
    const here = office.openDesk({ openPerDay: 100 });
    const there = office.openDesk({ openPerDay: 100 });
    await askAll(
      there,
      repeat(10, () => first(A)),
    );
    office.clock.advance(20_000);
    const leave = await here.ask(first(A));
    expect(leave).toMatchObject({ refusal: { reason: "new_per_minute", retryAfterMs: 40_000 } });
    office.clock.advance(39_999);
    expect(await here.ask(first(A))).toMatchObject({
      refusal: { reason: "new_per_minute", retryAfterMs: 1 },
    });
    expect(here.book.takes.length).toBe(1);
    office.clock.advance(1);
    expect((await here.ask(first(A))).admitted).toBe(true);
  });

  test("tells what is left from memory for 5 seconds, and reads it once for many who ask at once", async () => {
    const desk = office.openDesk();
    const reads = repeat(20, () => desk.remaining(clientOf(A)));
    expect(await Promise.all(reads)).toEqual(repeat(20, () => 5));
    expect(desk.book.reads.length).toBe(1);
    expect(desk.remaining(clientOf(A))).toBe(5);
    await askAll(office.openDesk(), [first(A)]);
    office.clock.advance(5000);
    expect(desk.remaining(clientOf(A))).toBe(5);
    office.clock.advance(1);
    expect(await desk.remaining(clientOf(A))).toBe(4);
    await desk.ask(first(A));
    expect(desk.remaining(clientOf(A))).toBe(3);
  });

  test("is not misled by a clock that is set back", async () => {
    const desk = office.openDesk();
    await askAll(
      desk,
      repeat(5, () => first(A)),
    );
    office.clock.advance(-DAY * 2);
    expect(await desk.remaining(clientOf(A))).toBe(5);
    office.clock.advance(DAY * 2 - 10_000);
    expect(await desk.remaining(clientOf(A))).toBe(0);
  });

  test("forgets the clients heard of longest ago, whose counts the database still knows", async () => {
    const desk = office.openDesk();
    await askAll(
      desk,
      repeat(5, () => first(A)),
    );
    for (let i = 0; i < 17_000; i++) await desk.remaining(clientOf(`10.0.${i >>> 8}.${i & 255}`));
    const reads = desk.book.reads.length;
    expect(await desk.remaining(clientOf(A))).toBe(0);
    expect(desk.book.reads.length).toBe(reads + 1);
  });
});

describe("Admissions against a plain model", () => {
  const limits = { openPerDay: 3, openPerMinute: 4, openDailyTotal: 5, newPerMinute: 3, refreshPerMinute: 2 };
  const step = fc.record({
    client: fc.constantFrom("a", "b", "c"),
    pass: fc.constantFrom(undefined, undefined, "p", "q"),
    kind: fc.constantFrom<SurveyAsk["kind"][]>("new-ip", "new-ip", "refresh"),
    desk: fc.nat(1),
    waitMs: fc.constantFrom(0, 0, 1, 5001, 17_000, 59_999, 60_000),
    giveBack: fc.boolean(),
  });

  /** Plays steps from shortly before midnight on, and compares every answer. */
  async function play(
    steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
    desks: number,
  ) {
    const room = await openOffice(NOON + DAY / 2 - 90_000);
    try {
      const open = repeat(desks, () => room.openDesk(limits));
      const model = createModel(limits);
      for (const { client, pass, kind, desk: place, waitMs, giveBack } of steps) {
        room.clock.advance(waitMs);
        const desk = open[place % desks] ?? room.openDesk(limits);
        const ask = { client: clientOf(client), kind, ...(pass === undefined ? {} : { pass }) };
        const leave = await desk.ask(ask);
        const isOpen = kind === "new-ip" && pass === undefined;
        expect(leave.admitted ? "granted" : leave.refusal.reason).toBe(model.ask(ask, room.clock.now()));
        if (desks === 1 || (leave.admitted && isOpen)) {
          expect(leave.remaining).toBe(model.left(client, room.clock.now()));
        }
        if (desks > 1 || !giveBack || !leave.admitted || !isOpen) continue;
        const returned = desk.book.returned.length;
        leave.giveBack();
        await until(() => desk.book.returned.length > returned);
        model.giveBack(client, room.clock.now());
        expect(await desk.remaining(clientOf(client))).toBe(model.left(client, room.clock.now()));
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
