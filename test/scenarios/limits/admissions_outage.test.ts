import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  askAll,
  clientOf,
  first,
  openTestDatabase,
  refresh,
  repeat,
  say,
  type TestAdmissions,
  type TestDatabase,
  until,
} from "../../limits/test_admissions.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const MINUTE = 60_000;
const DAY = 86_400_000;

let database: TestDatabase;
let admissions: TestAdmissions;

beforeEach(async () => {
  database = await openTestDatabase();
  admissions = database.openAdmissions();
});

afterEach(() => database.close());

function today(): number {
  return Math.floor(database.clock.now() / DAY);
}

async function totalUsed(): Promise<number> {
  return (await database.store.admissions.read(today(), ["total"])).get("total") ?? 0;
}

describe("Admissions without a database", () => {
  test("continue from the last known counts, log this once, and save the admissions when the database is back", async () => {
    await askAll(
      admissions,
      repeat(3, () => first(A)),
    );
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
    expect(await totalUsed()).toBe(3);

    admissions.repository.failing = "no";
    database.clock.advance(999);
    // There is no retry yet.
    expect(say(await admissions.request(first(B)))).toBe("granted 1");
    expect(admissions.recoveries).toEqual([]);
    database.clock.advance(1);
    // The request that retries does not wait either, and A does not get its used allowance again.
    expect(await askAll(admissions, [first(A), first("192.0.2.3")])).toEqual(["client_day 0", "granted 4"]);
    await until(() => admissions.recoveries.length === 1);
    expect(await totalUsed()).toBe(10);
    expect(await askAll(admissions, [first(A), first("192.0.2.4")])).toEqual(["client_day 0", "granted 4"]);
    expect(await totalUsed()).toBe(11);
    database.clock.advance(5001);
    expect(await admissions.remaining(clientOf(A))).toBe(0);
    expect(await database.openAdmissions().remaining(clientOf(B))).toBe(1);
    expect(admissions.outages.length).toBe(1);
  });

  test("retry the database without new requests, and log when it is back", async () => {
    admissions.repository.failing = "before";
    expect(say(await admissions.request(first(A)))).toBe("granted 4");
    for (let times = 1; times <= 3; times += 1) {
      const reads = admissions.repository.reads.length;
      const plan = admissions.plans.shift();
      expect([plan?.ms, admissions.plans.length]).toEqual([1000, 0]);
      plan?.then();
      await until(() => admissions.plans.length === 1);
      expect(admissions.repository.reads.length).toBe(reads + 1);
    }
    expect(admissions.recoveries).toEqual([]);
    admissions.repository.failing = "no";
    admissions.plans.shift()?.then();
    await until(() => admissions.recoveries.length === 1);
    expect(await totalUsed()).toBe(1);
    expect(admissions.plans).toEqual([]);
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
    expect(
      await askAll(
        admissions,
        repeat(11, () => first(A, "p")),
      ),
    ).toEqual([...repeat(10, () => "granted 5"), "new_per_minute 5"]);
    expect(
      await askAll(
        admissions,
        repeat(6, () => refresh(B, "r")),
      ),
    ).toEqual([...repeat(5, () => "granted 5"), "refresh_per_minute 5"]);
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
    expect(say(await admissions.request(first(B)))).toBe("granted 4");
    await until(() => admissions.repository.takes.length >= 3);
    expect(await totalUsed()).toBe(2);
  });

  test("refund an admission that the database stored and they refused", async () => {
    const other = database.openAdmissions();
    const admission = await other.request(first(A));
    await askAll(
      other,
      repeat(4, () => first(A)),
    );
    expect(say(await admissions.request(first(A)))).toBe("client_day 0");
    if (admission.admitted) other.refund(admission);
    await until(() => other.repository.returned.length === 1);
    database.clock.advance(5001);
    admissions.repository.failing = "after";
    expect(say(await admissions.request(first(A)))).toBe("client_day 0");
    expect(await totalUsed()).toBe(5);
    admissions.repository.failing = "no";
    database.clock.advance(1000);
    expect(say(await admissions.request(first(B)))).toBe("granted 4");
    await until(() => admissions.repository.returned.length === 1);
    expect(await totalUsed()).toBe(5);
    expect(await database.openAdmissions().remaining(clientOf(A))).toBe(1);
  });

  test("keep a failed refund until it succeeds", async () => {
    const admission = await admissions.request(first(A));
    admissions.repository.failing = "before";
    if (admission.admitted) admissions.refund(admission);
    await until(() => admissions.outages.length === 1);
    expect(await admissions.remaining(clientOf(A))).toBe(5);
    admissions.repository.failing = "no";
    database.clock.advance(1000);
    await admissions.request(first(B));
    await until(() => admissions.repository.returned.length === 1);
    expect(await totalUsed()).toBe(1);
    expect(await admissions.remaining(clientOf(A))).toBe(5);
  });

  test("refund an admission that they made without the database", async () => {
    admissions.repository.failing = "before";
    const admission = await admissions.request(first(A));
    expect(say(admission)).toBe("granted 4");
    if (admission.admitted) admissions.refund(admission);
    expect(await admissions.remaining(clientOf(A))).toBe(5);
    admissions.repository.failing = "no";
    database.clock.advance(MINUTE + 1);
    await admissions.request(first(B));
    await until(() => admissions.repository.returned.length === 1);
    expect(await totalUsed()).toBe(1);
    database.clock.advance(5001);
    expect(await admissions.remaining(clientOf(A))).toBe(5);
  });

  test("save a late admission in its day and not in the current minute", async () => {
    admissions.repository.failing = "before";
    await askAll(
      admissions,
      repeat(5, () => first(A)),
    );
    const day = today();
    admissions.repository.failing = "no";
    database.clock.advance(DAY);
    expect(say(await admissions.request(first(B)))).toBe("granted 4");
    await until(() => admissions.repository.takes.length >= 7);
    const used = await database.store.admissions.read(day, ["total"]);
    expect(used.get("total")).toBe(5);
    expect(await totalUsed()).toBe(1);
    const admission = await admissions.request(first("192.0.2.3"));
    expect(admission.limits.find((state) => state.policy === "open-minute")?.remaining).toBe(13);
  });

  test("never reject while reads fail", async () => {
    admissions.repository.failing = "before";
    expect(await admissions.remaining(clientOf(A))).toBe(5);
    expect(admissions.remaining(clientOf(B))).toBe(5);
    expect(admissions.outages.length).toBe(1);
    admissions.repository.failing = "no";
    database.clock.advance(1000);
    expect(await admissions.remaining(clientOf(B))).toBe(5);
    await until(() => admissions.recoveries.length === 1);
    expect(await admissions.remaining(clientOf(B))).toBe(5);
    expect(admissions.repository.reads.length).toBe(3);
  });

  test("lose no unsaved admission, however long the database is down", async () => {
    admissions.repository.failing = "before";
    await askAll(
      admissions,
      repeat(3, () => first(A)),
    );
    for (let second = 0; second < 2000; second++) {
      database.clock.advance(1000);
      await admissions.remaining(clientOf(B));
    }
    admissions.repository.failing = "no";
    database.clock.advance(1000);
    await admissions.remaining(clientOf(B));
    await until(() => admissions.recoveries.length === 1);
    expect(await totalUsed()).toBe(3);
    expect(admissions.outages.length).toBe(1);
  });
});
