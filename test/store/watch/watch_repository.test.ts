import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createTemporaryFolder, MIGRATIONS, writeEmptyDatabase } from "#kit";
import { openStore, type Store } from "#store";

let path: string;
let one: Store;
let other: Store;

beforeAll(async () => {
  path = join(createTemporaryFolder("limpid-watches-"), "a.db");
  await writeEmptyDatabase(path);
  const open = () => openStore({ url: `file:${path}`, migrations: MIGRATIONS });
  [one, other] = [await open(), await open()];
});
afterAll(async () => {
  await one.close();
  await other.close();
});

const event = (id: string, at: number) => ({ id, address: "81.2.69.1", at, body: `{"at":${at}}` });

describe("WatchRepository", () => {
  test("gives each turn to one of two processes, with the state of the last one", async () => {
    await one.watches.plan(
      new Map([
        ["81.2.69.1", 100],
        ["81.2.69.2", 200],
      ]),
      [],
    );
    await other.watches.plan(new Map([["81.2.69.1", 999]]), ["81.2.69.2"]);
    expect([...(await other.watches.readDue())]).toEqual([["81.2.69.1", 100]]);
    const takes = [one, other].map(({ watches }) => watches.take("81.2.69.1", 100, 300));
    expect((await Promise.all(takes)).toSorted()).toEqual(["", undefined]);
    await one.watches.save({ address: "81.2.69.1", dueAt: 400, state: "{…}" }, [event("a", 1)], 10);
    expect(await other.watches.take("81.2.69.1", 400, 500)).toBe("{…}");
  });

  test("keeps an event once, and what waits for the webhook", async () => {
    const watch = { address: "81.2.69.1", dueAt: 600, state: "" };
    await one.watches.save(watch, [event("a", 1), event("b", 2)], 20);
    await one.watches.save(watch, [event("c", 3)], undefined);
    expect((await other.watches.readEvents(9, "81.2.69.1")).map(({ id }) => id)).toEqual(["c", "b", "a"]);
    expect(await other.watches.readEvents(9, "81.2.69.2")).toEqual([]);
    expect(await other.watches.readEvents(1)).toMatchObject([event("c", 3)]);
    expect(await one.watches.readWaiting(9, 9)).toEqual([]);
    const [first, second] = await one.watches.readWaiting(20, 9);
    expect([first, second]).toMatchObject([
      { id: "a", attempts: 0, sendAt: 10 },
      { id: "b", sendAt: 20 },
    ]);
    if (first === undefined || second === undefined) return expect.unreachable();
    const attempts = [one, other].map(({ watches }) => watches.attempt(first, 1000));
    expect((await Promise.all(attempts)).toSorted()).toEqual([false, true]);
    expect(await one.watches.readWaiting(1000, 9)).toMatchObject([{ id: "b" }, { id: "a", attempts: 1 }]);
    await one.watches.markSent("b");
    expect(await one.watches.countWaiting()).toBe(1);
  });

  test("deletes old events, but none that waits", async () => {
    await one.watches.prune(9);
    expect((await one.watches.readEvents(9)).map(({ id }) => id)).toEqual(["a"]);
  });
});
