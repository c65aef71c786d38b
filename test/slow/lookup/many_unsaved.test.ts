import { afterEach, describe, expect, test } from "bun:test";
import { ADDRESS, arrange, readAddress, tidy } from "../../lookup/arrange.ts";

afterEach(tidy);

describe("createLookup() without its store for long", () => {
  test("saves the last five hundred at most, and says of each before them that it is given up", async () => {
    const world = await arrange();
    const nth = (n: number) => `8.8.${10 + (n >> 8)}.${n & 255}`;
    world.breakStore();
    for (let n = 0; n < 503; n += 1) await world.answer(readAddress(nth(n)));
    world.breakStore(false);
    await world.timeline.advance(1000);
    await world.answer(ADDRESS);
    while (world.calls.save < 501) await world.timeline.advance(0);
    expect(await world.store.find(nth(2))).toBeUndefined();
    expect(await world.store.find(nth(3))).toBeDefined();
    expect(world.logged.filter((event) => event === "survey_given_up")).toHaveLength(3);
  });
});
