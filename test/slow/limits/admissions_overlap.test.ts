import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readUsed } from "#kit";
import type { Admission, AdmissionRequest } from "#limits";
import { createModel } from "../../limits/model.ts";
import { clientOf, openTestDatabase, until } from "../../limits/test_admissions.ts";

const LIMITS = { openPerDay: 3, openPerMinute: 5, openDailyTotal: 8, newPerMinute: 4, refreshPerMinute: 2 };
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
        const database = await openTestDatabase();
        try {
          const admissions = database.openAdmissions(LIMITS);
          admissions.repository.turns = () => stream.next().value ?? 0;
          const model = createModel(LIMITS);
          const open: { client: string; at: number; admission: Admission }[] = [];
          let givenBack = 0;
          for (const { actions, waitMs } of batches) {
            database.clock.advance(waitMs);
            const now = database.clock.now();
            const granted: AdmissionRequest[] = [];
            await Promise.all(
              actions.map(async ({ client, pass, what }) => {
                if (what === "remaining") {
                  const left = await admissions.remaining(clientOf(client));
                  expect(left).toBeWithin(0, LIMITS.openPerDay + 1);
                } else if (what === "giveBack") {
                  const last = open.pop();
                  if (last?.admission.admitted !== true) return;
                  admissions.refund(last.admission);
                  admissions.refund(last.admission);
                  givenBack += 1;
                  model.giveBack(last.client, last.at);
                } else {
                  const ask = {
                    client: clientOf(client),
                    kind: "new-ip",
                    ...(pass === undefined ? {} : { passId: pass }),
                  } as const;
                  const admission = await admissions.request(ask);
                  if (!admission.admitted) return;
                  granted.push(ask);
                  model.enter(ask, now);
                  if (pass === undefined) open.push({ client, at: now, admission });
                }
              }),
            );
            await until(() => admissions.repository.returned.length === givenBack);
            for (const [name, most] of model.fullest()) {
              expect(most).toBeLessThanOrEqual(
                name === "open" ? LIMITS.openPerMinute : Number.MAX_SAFE_INTEGER,
              );
              if (name.startsWith("new-ip")) expect(most).toBeLessThanOrEqual(LIMITS.newPerMinute);
            }
            expect(await readUsed(database.store, now)).toBe(model.total(now));
            expect(model.total(now)).toBeLessThanOrEqual(LIMITS.openDailyTotal);
            for (const client of CLIENTS) {
              expect(await admissions.remaining(clientOf(client))).toBe(model.left(client, now));
              const ask = { client: clientOf(client), kind: "new-ip" } as const;
              const wanted = model.ask(ask, now);
              const admission = await admissions.request(ask);
              expect(admission.admitted ? "granted" : admission.refusal.reason).toBe(wanted);
              refused.set(wanted, (refused.get(wanted) ?? 0) + 1);
              if (admission.admitted) open.push({ client, at: now, admission });
            }
          }
          expect(admissions.outages).toEqual([]);
        } finally {
          await database.close();
        }
      }),
      { numRuns: 40 },
    );
    // The property has met the borders, most of all five.
    expect(refused.size).toBeGreaterThanOrEqual(4);
  }, 60_000);

  test.each([
    ["the site's minute", { openPerMinute: 2 }, "b", "open_per_minute"],
    ["the total day", { openDailyTotal: 2 }, "b", "total_day"],
    ["a client's day", { openPerDay: 2 }, "a", "client_day"],
  ])(
    "learn nothing about %s from an answer that was overtaken by a return",
    async (_, limits, late, reason) => {
      const database = await openTestDatabase();
      try {
        const admissions = database.openAdmissions(limits);
        const spend = { client: clientOf("a"), kind: "new-ip" } as const;
        const admission = await admissions.request(spend);
        // Of this one the admissions does not know.
        expect(await database.openAdmissions(limits).request(spend)).toMatchObject({ admitted: true });

        const turnsLeft = [0, 50];
        admissions.repository.turns = () => turnsLeft.shift() ?? 0;
        const ask = { client: clientOf(late), kind: "new-ip" } as const;
        const answer = admissions.request(ask);
        await until(() => turnsLeft.length === 0);
        if (admission.admitted) admissions.refund(admission);
        await until(() => admissions.repository.returned.length === 1);
        expect(await answer).toMatchObject({ admitted: false, refusal: { reason } });
        expect(await admissions.request(ask)).toMatchObject({ admitted: true });
      } finally {
        await database.close();
      }
    },
  );
});
