import { beforeEach, describe, expect, test } from "bun:test";
import { openFor, readUsed } from "#kit";
import {
  askAll,
  askTimes,
  clientOf,
  first,
  openTestDatabase,
  refresh,
  repeat,
  say,
  type TestAdmissions,
  until,
} from "../../limits/test_admissions.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const MINUTE = 60_000;
const DAY = 86_400_000;

const database = openFor("each", openTestDatabase);
let admissions: TestAdmissions;

beforeEach(() => {
  admissions = database.openAdmissions();
});

function totalUsed(): Promise<number> {
  return readUsed(database.store, database.clock.now());
}

describe("Admissions without a database", () => {
  test("continue from the last known counts, log this once, and use the database again when it is back", async () => {
    await askTimes(admissions, 3, first(A));
    admissions.repository.failing = "before";
    database.clock.advance(30_000);
    expect(await askAll(admissions, [...repeat(3, () => first(A)), ...repeat(3, () => first(B))])).toEqual([
      "granted 1",
      "granted 0",
      "client_day 0",
      "granted 4",
      "granted 3",
      "granted 2",
    ]);
    expect(admissions.outages).toEqual([new Error("no database")]);

    admissions.repository.failing = "no";
    database.clock.advance(999);
    // There is no retry yet.
    expect(say(await admissions.request(first(B)))).toBe("granted 1");
    expect(admissions.recoveries).toEqual([]);
    database.clock.advance(1);
    // Nothing of the outage is added to the database: it knows 3 admissions of A and this one of B.
    expect(say(await admissions.request(first(B)))).toBe("granted 4");
    expect(admissions.recoveries.length).toBe(1);
    expect(await totalUsed()).toBe(4);
    expect(await admissions.remaining(clientOf(A))).toBe(2);
    expect(admissions.outages.length).toBe(1);
  });

  test("admit at most one allowance more in an outage, by client and by the total", async () => {
    admissions = database.openAdmissions({ openDailyTotal: 12, openPerMinute: 100 });
    const other = database.openAdmissions({ openDailyTotal: 12, openPerMinute: 100 });
    await askTimes(other, 5, first(A));
    admissions.repository.failing = "before";
    const alone = await askAll(
      admissions,
      repeat(4, () => [A, B, "192.0.2.3"].map((key) => first(key))).flat(),
    );
    // This process has never heard of the counts.
    expect(alone.filter((said) => said.startsWith("granted")).length).toBe(12);
    expect(await askAll(admissions, [first("192.0.2.4")])).toEqual(["total_day 0"]);
    admissions.repository.failing = "no";
    database.clock.advance(1000);
    expect(await askAll(admissions, [first(B), first(A)])).toEqual(["granted 4", "client_day 0"]);
  });

  test("query the failing database once a second, for all clients together", async () => {
    admissions.repository.failing = "before";
    for (let i = 0; i < 40; i++) {
      await admissions.request(first(`198.51.100.${i}`, `p${i}`));
      await admissions.remaining(clientOf(B));
      database.clock.advance(100);
    }
    expect(admissions.repository.takes.length + admissions.repository.reads.length).toBeWithin(4, 6);
    expect(admissions.outages.length).toBe(1);
  });

  test("enforce every limit without the database", async () => {
    admissions = database.openAdmissions({ openPerMinute: 4, openDailyTotal: 6 });
    admissions.repository.failing = "before";
    expect(await askTimes(admissions, 11, first(A, "p"))).toEqual([
      ...repeat(10, () => "granted 5"),
      "new_per_minute 5",
    ]);
    expect(await askTimes(admissions, 6, refresh(B, "r"))).toEqual([
      ...repeat(5, () => "granted 5"),
      "refresh_per_minute 5",
    ]);
    expect(
      await askAll(
        admissions,
        repeat(5, (i) => first(`198.51.100.${i}`)),
      ),
    ).toEqual(["granted 4", "granted 4", "granted 3", "granted 2", "open_per_minute 2"]);
    database.clock.advance(MINUTE);
    expect(
      await askAll(
        admissions,
        repeat(3, (i) => first(`203.0.113.${i}`)),
      ),
    ).toEqual(["granted 1", "granted 0", "total_day 0"]);
    database.clock.advance(DAY);
    expect(say(await admissions.request(first(A)))).toBe("granted 4");
  });

  test("admit exactly the limit when it fails during many simultaneous requests", async () => {
    admissions.repository.failing = "before";
    const results = await Promise.all(repeat(40, () => admissions.request(first(A))));
    expect(results.filter((admission) => admission.admitted).length).toBe(5);
    expect(admissions.outages.length).toBe(1);
    const site = await Promise.all(repeat(40, (i) => admissions.request(first(`198.51.100.${i}`))));
    expect(site.filter((admission) => admission.admitted).length).toBe(10);
  });

  test("charge an admission once if the answer of the database was lost", async () => {
    admissions.repository.failing = "after";
    expect(say(await admissions.request(first(A)))).toBe("granted 4");
    expect(await totalUsed()).toBe(1);
    admissions.repository.failing = "no";
    database.clock.advance(1000);
    expect(say(await admissions.request(first(A)))).toBe("granted 3");
    expect(await totalUsed()).toBe(2);
  });

  test("refund an admission that they made without the database, and forget a refund that fails", async () => {
    const stored = await admissions.request(first(A));
    admissions.repository.failing = "before";
    const alone = await admissions.request(first(A));
    expect([say(stored), say(alone)]).toEqual(["granted 4", "granted 3"]);
    for (const admission of [stored, alone]) if (admission.admitted) admissions.refund(admission);
    expect(await admissions.remaining(clientOf(A))).toBe(5);
    admissions.repository.failing = "no";
    database.clock.advance(1000);
    // The database still counts the first one.
    expect(say(await admissions.request(first(A)))).toBe("granted 3");
  });

  test("never reject while reads fail", async () => {
    admissions.repository.failing = "before";
    expect(await admissions.remaining(clientOf(A))).toBe(5);
    expect(await admissions.remaining(clientOf(B))).toBe(5);
    expect(admissions.outages.length).toBe(1);
    admissions.repository.failing = "no";
    database.clock.advance(1000);
    expect(await admissions.remaining(clientOf(B))).toBe(5);
    await until(() => admissions.recoveries.length === 1);
    expect(admissions.repository.reads.length).toBe(2);
  });
});
