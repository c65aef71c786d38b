import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SurveyAsk, SurveyLeave } from "#gate";
import { clientOf, openOffice, until } from "./desk.ts";
import { createModel } from "./model.ts";

const LIMITS = { openPerDay: 3, openPerMinute: 5, openDailyTotal: 8, newPerMinute: 4, refreshPerMinute: 2 };
const DAY = 86_400_000;
const CLIENTS = ["a", "b", "c"] as const;

const action = fc.record({
  client: fc.constantFrom(...CLIENTS),
  pass: fc.constantFrom(undefined, undefined, undefined, "p"),
  what: fc.constantFrom("ask", "ask", "ask", "remaining", "giveBack"),
});
const batch = fc.record({
  actions: fc.array(action, { maxLength: 12 }),
  waitMs: fc.constantFrom(0, 1, 5001, 20_000, 60_000),
});
const turns = fc.infiniteStream(fc.nat(6));

describe("Admissions whose questions overlap", () => {
  test("never admit too many, refuse nobody wrongly once at rest, and agree with the database", async () => {
    const refused = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 6 }), turns, async (batches, stream) => {
        const office = await openOffice();
        try {
          const desk = office.openDesk(LIMITS);
          desk.book.turns = () => stream.next().value ?? 0;
          const model = createModel(LIMITS);
          const open: { client: string; at: number; leave: SurveyLeave }[] = [];
          let givenBack = 0;
          for (const { actions, waitMs } of batches) {
            office.clock.advance(waitMs);
            const now = office.clock.now();
            const granted: SurveyAsk[] = [];
            await Promise.all(
              actions.map(async ({ client, pass, what }) => {
                if (what === "remaining") {
                  const left = await desk.remaining(clientOf(client));
                  expect(left).toBeWithin(0, LIMITS.openPerDay + 1);
                } else if (what === "giveBack") {
                  const last = open.pop();
                  if (last?.leave.admitted !== true) return;
                  last.leave.giveBack();
                  last.leave.giveBack();
                  givenBack += 1;
                  model.giveBack(last.client, last.at);
                } else {
                  const ask = {
                    client: clientOf(client),
                    kind: "new-ip",
                    ...(pass === undefined ? {} : { pass }),
                  } as const;
                  const leave = await desk.ask(ask);
                  if (!leave.admitted) return;
                  granted.push(ask);
                  model.enter(ask, now);
                  if (pass === undefined) open.push({ client, at: now, leave });
                }
              }),
            );
            await until(() => desk.book.returned.length === givenBack);
            for (const [name, most] of model.fullest()) {
              expect(most).toBeLessThanOrEqual(
                name === "open" ? LIMITS.openPerMinute : Number.MAX_SAFE_INTEGER,
              );
              if (name.startsWith("new-ip")) expect(most).toBeLessThanOrEqual(LIMITS.newPerMinute);
            }
            const day = Math.floor(now / DAY);
            expect((await office.store.admissions.read(day, ["total"])).get("total") ?? 0).toBe(
              model.total(now),
            );
            expect(model.total(now)).toBeLessThanOrEqual(LIMITS.openDailyTotal);
            for (const client of CLIENTS) {
              expect(await desk.remaining(clientOf(client))).toBe(model.left(client, now));
              const ask = { client: clientOf(client), kind: "new-ip" } as const;
              const wanted = model.ask(ask, now);
              const leave = await desk.ask(ask);
              expect(leave.admitted ? "granted" : leave.refusal.reason).toBe(wanted);
              refused.set(wanted, (refused.get(wanted) ?? 0) + 1);
              if (leave.admitted) open.push({ client, at: now, leave });
            }
          }
          expect(desk.outages).toEqual([]);
        } finally {
          await office.close();
        }
      }),
      { numRuns: 40 },
    );
    // The property has met the borders, most of all five.
    expect(refused.size).toBeGreaterThanOrEqual(4);
  });

  test.each([
    ["the site's minute", { openPerMinute: 2 }, "b", "open_per_minute"],
    ["the total day", { openDailyTotal: 2 }, "b", "total_day"],
    ["a client's day", { openPerDay: 2 }, "a", "client_day"],
  ])(
    "learn nothing about %s from an answer that was overtaken by a return",
    async (_, limits, late, reason) => {
      const office = await openOffice();
      try {
        const desk = office.openDesk(limits);
        const spend = { client: clientOf("a"), kind: "new-ip" } as const;
        const leave = await desk.ask(spend);
        // Of this one the desk does not know.
        expect(await office.openDesk(limits).ask(spend)).toMatchObject({ admitted: true });

        const turnsLeft = [0, 50];
        desk.book.turns = () => turnsLeft.shift() ?? 0;
        const ask = { client: clientOf(late), kind: "new-ip" } as const;
        const answer = desk.ask(ask);
        await until(() => turnsLeft.length === 0);
        if (leave.admitted) leave.giveBack();
        await until(() => desk.book.returned.length === 1);
        expect(await answer).toMatchObject({ admitted: false, refusal: { reason } });
        expect(await desk.ask(ask)).toMatchObject({ admitted: true });
      } finally {
        await office.close();
      }
    },
  );
});
