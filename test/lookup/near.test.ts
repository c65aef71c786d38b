import { afterEach, describe, expect, test } from "bun:test";
import type { NearShelf } from "#lookup";
import type { Store } from "#store";
import { ADDRESS, type Arranged, arrange, HEARD, makeRun, OTHER, tidy, UNHEARD } from "./arrange.ts";

afterEach(tidy);

interface Near {
  state: "current" | "behind" | "broken";
  asked: number;
  readonly shelf: NearShelf;
}

/** A copy that holds what `store` holds, and counts what it is asked. */
function makeNear(store: Store): Near {
  const near: Near = {
    state: "current",
    asked: 0,
    shelf: {
      isCurrent: () => near.state !== "behind",
      find(address) {
        near.asked += 1;
        return near.state === "broken" ? Promise.reject(new Error("damaged")) : store.find(address);
      },
      findSurvey: (address) => store.findSurvey(address),
    },
  };
  return near;
}

/** A lookup over an empty store, and a copy that holds ADDRESS already. */
async function arrangeAhead(runs = HEARD) {
  const copied = await arrange({ runs: [runs] });
  await copied.answer();
  const near = makeNear(copied.store);
  const world: Arranged = await arrange({ near: near.shelf });
  return { near, world };
}

describe("createLookup() with a copy of the store at hand", () => {
  test("answers from the copy alone what it holds while it is in step", async () => {
    const { near, world } = await arrangeAhead();
    expect((await world.answer()).tier).toBe("store");
    expect(near.asked).toBe(1);
    expect(world.calls).toMatchObject({ find: 0, survey: 0 });
    expect((await world.answer()).tier).toBe("cache");
    expect(near.asked).toBe(1);
  });

  test("asks the store for what the copy does not hold, and surveys only what neither holds", async () => {
    const { world: first } = await arrangeAhead();
    await first.answer(OTHER);
    const empty = await arrange();
    const near = makeNear(empty.store);
    const world = await arrange({ store: first.store, near: near.shelf });
    expect((await world.answer(OTHER)).tier).toBe("store");
    expect(world.calls).toMatchObject({ find: 1, survey: 0 });
    expect((await world.answer(ADDRESS)).tier).toBe("fresh");
    expect(near.asked).toBe(2);
    expect(world.calls).toMatchObject({ find: 2, survey: 1 });
  });

  test("asks the store first while the copy is behind, and the copy when the store is away", async () => {
    const { near, world } = await arrangeAhead();
    near.state = "behind";
    world.breakStore();
    expect((await world.answer()).tier).toBe("store");
    expect(world.calls).toMatchObject({ find: 1, survey: 0 });
    expect(world.logged).toEqual(["store_unreadable"]);
    await world.timeline.advance(600_001);
    world.breakStore(false);
    near.asked = 0;
    expect((await world.answer()).tier).toBe("fresh");
    expect(near.asked).toBe(0);
  });

  test("goes on without a copy that cannot be read", async () => {
    const { near, world } = await arrangeAhead();
    near.state = "broken";
    expect((await world.answer()).tier).toBe("fresh");
    expect(world.logged).toEqual(["copy_unreadable"]);
  });

  test("surveys what the copy holds without anybody live behind it", async () => {
    const dead = await arrange({ live: false, runs: [UNHEARD] });
    await dead.answer();
    const world = await arrange({ near: makeNear(dead.store).shelf });
    expect((await world.answer()).tier).toBe("fresh");
  });

  test("compares a refresh and what is saved late with the store, not with the copy", async () => {
    const { near, world } = await arrangeAhead();
    const rich = ["a", "b", "c", "d", "e", "f"].map((id) => makeRun(id, "answered"));
    const other = await arrange({ store: world.store, runs: [rich] });
    await other.answer(ADDRESS);
    near.asked = 0;
    expect(await world.answer(ADDRESS, true)).toMatchObject({ tier: "store", stale: true, heard: 6 });
    expect(near.asked).toBe(0);
    expect((await world.store.find(ADDRESS.text))?.liveHeard).toBe(6);
  });
});
