import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  askAll,
  clientOf,
  type Desk,
  first,
  type Office,
  openOffice,
  refresh,
  repeat,
  say,
  until,
} from "./desk.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";
const MINUTE = 60_000;
const DAY = 86_400_000;

let office: Office;
let desk: Desk;

beforeEach(async () => {
  office = await openOffice();
  desk = office.openDesk();
});

afterEach(() => office.close());

function today(): number {
  return Math.floor(office.clock.now() / DAY);
}

async function totalUsed(): Promise<number> {
  return (await office.store.admissions.read(today(), ["total"])).get("total") ?? 0;
}

describe("Admissions without a database", () => {
  test("go on from what was last known, say so once, and enter it when the database is back", async () => {
    await askAll(
      desk,
      repeat(3, () => first(A)),
    );
    desk.book.failing = "before";
    office.clock.advance(30_000);
    expect(await askAll(desk, [...repeat(3, () => first(A)), ...repeat(3, () => first(B))])).toEqual([
      "granted 1",
      "granted 0",
      "client_day 0",
      "granted 4",
      "granted 3",
      "granted 2",
    ]);
    expect(desk.outages).toEqual([new Error("no database")]);
    expect(await totalUsed()).toBe(3);

    desk.book.failing = "no";
    office.clock.advance(999);
    // Not tried again yet.
    expect(say(await desk.ask(first(B)))).toBe("granted 1");
    expect(desk.recoveries).toEqual([]);
    office.clock.advance(1);
    // The one who tries does not wait either, and A gets nothing that it has spent already.
    expect(await askAll(desk, [first(A), first("192.0.2.3")])).toEqual(["client_day 0", "granted 4"]);
    await until(() => desk.recoveries.length === 1);
    expect(await totalUsed()).toBe(10);
    expect(await askAll(desk, [first(A), first("192.0.2.4")])).toEqual(["client_day 0", "granted 4"]);
    expect(await totalUsed()).toBe(11);
    office.clock.advance(5001);
    expect(await desk.remaining(clientOf(A))).toBe(0);
    expect(await office.openDesk().remaining(clientOf(B))).toBe(1);
    expect(desk.outages.length).toBe(1);
  });

  test("try the database again though nobody asks any more, and say when it is back", async () => {
    desk.book.failing = "before";
    expect(say(await desk.ask(first(A)))).toBe("granted 4");
    for (let times = 1; times <= 3; times += 1) {
      const reads = desk.book.reads.length;
      const plan = desk.plans.shift();
      expect([plan?.ms, desk.plans.length]).toEqual([1000, 0]);
      plan?.then();
      await until(() => desk.plans.length === 1);
      expect(desk.book.reads.length).toBe(reads + 1);
    }
    expect(desk.recoveries).toEqual([]);
    desk.book.failing = "no";
    desk.plans.shift()?.then();
    await until(() => desk.recoveries.length === 1);
    expect(await totalUsed()).toBe(1);
    expect(desk.plans).toEqual([]);
  });

  test("ask the failing database once a second, whoever asks", async () => {
    desk.book.failing = "before";
    for (let i = 0; i < 40; i++) {
      await desk.ask(first(`198.51.100.${i}`, `p${i}`));
      await desk.remaining(clientOf(B));
      office.clock.advance(100);
    }
    expect(desk.book.takes.length + desk.book.reads.length).toBeWithin(4, 6);
    expect(desk.outages.length).toBe(1);
  });

  test("hold every limit on their own", async () => {
    desk = office.openDesk({ openPerMinute: 4, openDailyTotal: 6 });
    desk.book.failing = "before";
    expect(
      await askAll(
        desk,
        repeat(11, () => first(A, "p")),
      ),
    ).toEqual([...repeat(10, () => "granted 5"), "new_per_minute 5"]);
    expect(
      await askAll(
        desk,
        repeat(6, () => refresh(B, "r")),
      ),
    ).toEqual([...repeat(5, () => "granted 5"), "refresh_per_minute 5"]);
    expect(
      await askAll(
        desk,
        repeat(5, (i) => first(`198.51.100.${i}`)),
      ),
    ).toEqual([...repeat(4, () => "granted 4"), "open_per_minute 5"]);
    office.clock.advance(MINUTE);
    expect(
      await askAll(
        desk,
        repeat(3, (i) => first(`203.0.113.${i}`)),
      ),
    ).toEqual(["granted 4", "granted 4", "total_day 5"]);
    office.clock.advance(DAY);
    expect(say(await desk.ask(first(A)))).toBe("granted 4");
  });

  test("admit exactly the limit when many ask at once as it fails", async () => {
    desk.book.failing = "before";
    const leaves = await Promise.all(repeat(40, () => desk.ask(first(A))));
    expect(leaves.filter((leave) => leave.admitted).length).toBe(5);
    expect(desk.outages.length).toBe(1);
    const site = await Promise.all(repeat(40, (i) => desk.ask(first(`198.51.100.${i}`))));
    expect(site.filter((leave) => leave.admitted).length).toBe(10);
  });

  test("charge once what the database had granted when its answer was lost", async () => {
    desk.book.failing = "after";
    expect(say(await desk.ask(first(A)))).toBe("granted 4");
    expect(await totalUsed()).toBe(1);
    desk.book.failing = "no";
    office.clock.advance(1000);
    expect(say(await desk.ask(first(B)))).toBe("granted 4");
    await until(() => desk.book.takes.length >= 3);
    expect(await totalUsed()).toBe(2);
  });

  test("take back what the database had granted and they refused", async () => {
    const other = office.openDesk();
    const leave = await other.ask(first(A));
    await askAll(
      other,
      repeat(4, () => first(A)),
    );
    expect(say(await desk.ask(first(A)))).toBe("client_day 0");
    if (leave.admitted) leave.giveBack();
    await until(() => other.book.returned.length === 1);
    office.clock.advance(5001);
    desk.book.failing = "after";
    expect(say(await desk.ask(first(A)))).toBe("client_day 0");
    expect(await totalUsed()).toBe(5);
    desk.book.failing = "no";
    office.clock.advance(1000);
    expect(say(await desk.ask(first(B)))).toBe("granted 4");
    await until(() => desk.book.returned.length === 1);
    expect(await totalUsed()).toBe(5);
    expect(await office.openDesk().remaining(clientOf(A))).toBe(1);
  });

  test("keep what could not be given back until it can", async () => {
    const leave = await desk.ask(first(A));
    desk.book.failing = "before";
    if (leave.admitted) leave.giveBack();
    await until(() => desk.outages.length === 1);
    expect(await desk.remaining(clientOf(A))).toBe(5);
    desk.book.failing = "no";
    office.clock.advance(1000);
    await desk.ask(first(B));
    await until(() => desk.book.returned.length === 1);
    expect(await totalUsed()).toBe(1);
    expect(await desk.remaining(clientOf(A))).toBe(5);
  });

  test("give back what they granted on their own", async () => {
    desk.book.failing = "before";
    const leave = await desk.ask(first(A));
    expect(say(leave)).toBe("granted 4");
    if (leave.admitted) leave.giveBack();
    expect(await desk.remaining(clientOf(A))).toBe(5);
    desk.book.failing = "no";
    office.clock.advance(MINUTE + 1);
    await desk.ask(first(B));
    await until(() => desk.book.returned.length === 1);
    expect(await totalUsed()).toBe(1);
    office.clock.advance(5001);
    expect(await desk.remaining(clientOf(A))).toBe(5);
  });

  test("enter a late grant in its day and not in the minute of now", async () => {
    desk.book.failing = "before";
    await askAll(
      desk,
      repeat(5, () => first(A)),
    );
    const day = today();
    desk.book.failing = "no";
    office.clock.advance(DAY);
    expect(say(await desk.ask(first(B)))).toBe("granted 4");
    await until(() => desk.book.takes.length >= 7);
    const used = await office.store.admissions.read(day, ["total"]);
    expect(used.get("total")).toBe(5);
    expect(await totalUsed()).toBe(1);
    const leave = await desk.ask(first("192.0.2.3"));
    expect(leave.limits.find((state) => state.policy === "open-minute")?.remaining).toBe(13);
  });

  test("never reject while reads fail", async () => {
    desk.book.failing = "before";
    expect(await desk.remaining(clientOf(A))).toBe(5);
    expect(desk.remaining(clientOf(B))).toBe(5);
    expect(desk.outages.length).toBe(1);
    desk.book.failing = "no";
    office.clock.advance(1000);
    expect(await desk.remaining(clientOf(B))).toBe(5);
    await until(() => desk.recoveries.length === 1);
    expect(await desk.remaining(clientOf(B))).toBe(5);
    expect(desk.book.reads.length).toBe(3);
  });

  test("lose nothing of what they owe, however long the database is away", async () => {
    desk.book.failing = "before";
    await askAll(
      desk,
      repeat(3, () => first(A)),
    );
    for (let second = 0; second < 2000; second++) {
      office.clock.advance(1000);
      await desk.remaining(clientOf(B));
    }
    desk.book.failing = "no";
    office.clock.advance(1000);
    await desk.remaining(clientOf(B));
    await until(() => desk.recoveries.length === 1);
    expect(await totalUsed()).toBe(3);
    expect(desk.outages.length).toBe(1);
  });
});
