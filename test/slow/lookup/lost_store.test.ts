import { afterEach, describe, expect, test } from "bun:test";
import { MIGRATIONS, openFor, readAddress, startSqld } from "#kit";
import { openStore } from "#store";
import { ADDRESS, arrange, tidy } from "../../lookup/arrange.ts";

const sqld = openFor("all", startSqld);
const store = openFor("all", () => openStore({ url: sqld.url, migrations: MIGRATIONS }));
afterEach(tidy);

/** 8.8.5.0 to 8.8.5.19 */
const others = Array.from({ length: 20 }, (_, n) => readAddress(`8.8.5.${n}`));

describe("createLookup() on a database server", () => {
  test("is slowed once by a server that falls silent, and loses nothing by it", async () => {
    const world = await arrange({ store });
    expect((await world.answer()).tier).toBe("fresh");
    sqld.pause();
    const startedAt = performance.now();
    await world.answer(readAddress("8.8.6.1"));
    const firstMs = performance.now() - startedAt;
    for (const other of others) expect((await world.answer(other)).tier).toBe("fresh");
    const restMs = performance.now() - startedAt - firstMs;
    expect(firstMs).toBeGreaterThan(500);
    expect(restMs).toBeLessThan(firstMs / 2);
    expect((await world.answer()).tier).toBe("cache");
    expect(world.logged).toEqual(["store_unreadable"]);

    sqld.resume();
    await world.timeline.advance(1000);
    await world.answer(readAddress("8.8.6.2"));
    expect(world.logged).toEqual(["store_unreadable", "store_readable"]);
    for (const address of [ADDRESS, ...others]) {
      let found = await store.find(address.text);
      for (let n = 0; found === undefined && n < 1000; n += 1) found = await store.find(address.text);
      expect(found).toMatchObject({ address: address.text, liveAnswers: 2 });
    }
  });
});

describe("createLookup() without its store for long", () => {
  test("saves the last five hundred at most, and says of each before them that it is given up", async () => {
    const world = await arrange();
    const nth = (n: number) => `8.8.${10 + (n >> 8)}.${n & 255}`;
    world.breakStore();
    for (let n = 0; n < 503; n += 1) await world.answer(readAddress(nth(n)));
    await world.mendStore(1000);
    await world.answer(ADDRESS);
    while (world.calls.save < 501) await world.timeline.advance(0);
    expect(await world.store.find(nth(2))).toBeUndefined();
    expect(await world.store.find(nth(3))).toBeDefined();
    expect(world.logged.filter((event) => event === "survey_given_up")).toHaveLength(3);
  });
});
