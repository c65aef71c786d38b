import { afterEach, describe, expect, test } from "bun:test";
import {
  ADDRESS,
  type Arranged,
  arrange,
  DAY_MS,
  HEARD,
  makeAsker,
  makeRun,
  OTHER,
  REFUNDED,
  REFUSAL,
  readAddress,
  tidy,
  UNHEARD,
} from "./arrange.ts";

afterEach(tidy);

describe("createLookup()", () => {
  test("answers fresh, then from the cache, then from the store when memory has forgotten", async () => {
    const world = await arrange();
    expect((await world.answer()).tier).toBe("fresh");
    expect((await world.answer()).tier).toBe("cache");
    await world.timeline.advance(600_001);
    expect((await world.answer()).tier).toBe("store");
    expect((await world.answer()).tier).toBe("cache");
    expect(world.calls).toMatchObject({ survey: 1, save: 1, find: 2 });
  });

  test("peeks into cache and store, and asks nobody about what is in neither", async () => {
    const world = await arrange();
    expect(await world.findKnown(ADDRESS)).toBeUndefined();
    expect(world.calls).toMatchObject({ survey: 0, save: 0 });
    await world.answer();
    expect(await world.findKnown(ADDRESS)).toMatchObject({ tier: "cache", heard: 2 });
    await world.timeline.advance(600_001);
    expect(await world.findKnown(ADDRESS)).toMatchObject({ tier: "store", heard: 2 });
    expect(await world.findKnown(ADDRESS)).toMatchObject({ tier: "cache" });
    expect(world.calls.survey).toBe(1);
  });

  test("asks leave for a survey only", async () => {
    const world = await arrange();
    const asker = makeAsker();
    await world.call(ADDRESS, { asker }).result;
    await world.call(ADDRESS, { asker }).result;
    await world.timeline.advance(600_001);
    await world.call(ADDRESS, { asker }).result;
    expect(asker).toMatchObject({ asked: 1, givenBack: 0 });
  });

  test("keeps addresses apart", async () => {
    const world = await arrange();
    expect((await world.answer(ADDRESS)).assessment.address).toBe("8.8.4.200");
    expect((await world.answer(OTHER)).assessment.address).toBe("2a00:1450::77");
    expect((await world.answer(ADDRESS)).assessment.address).toBe("8.8.4.200");
    expect(world.calls.survey).toBe(2);
  });

  test("says stale once a stored report is past the threshold, and still asks nobody", async () => {
    const world = await arrange();
    await world.answer();
    await world.timeline.advance(7 * DAY_MS);
    expect(await world.answer()).toMatchObject({ tier: "store", stale: false });
    await world.timeline.advance(1);
    expect(await world.answer()).toMatchObject({ stale: true });
    await world.timeline.advance(400 * DAY_MS);
    expect(await world.answer()).toMatchObject({ tier: "store", stale: true });
    expect(world.calls.survey).toBe(1);
  });

  test("does not store what no live source stood behind, forgets it after 30 seconds, gives leave back once", async () => {
    const world = await arrange({ runs: [UNHEARD] });
    const first = world.call();
    const joined = world.call();
    const result = await first.result;
    expect(result).toMatchObject({
      kind: "answer",
      answer: { tier: "fresh", assessment: { confidence: "low" } },
    });
    await joined.result;
    expect(first.asker).toMatchObject({ asked: 1, givenBack: 1 });
    expect(joined.asker).toMatchObject({ asked: 0, givenBack: 0 });
    expect(world.calls.save).toBe(0);
    await world.timeline.advance(29_000);
    expect((await world.answer()).tier).toBe("cache");
    await world.timeline.advance(1001);
    expect((await world.answer()).tier).toBe("fresh");
    expect(world.calls).toMatchObject({ survey: 2, save: 0 });
    expect(await world.store.find(ADDRESS.text)).toBeUndefined();
  });

  test("gives back the leave of a refresh that nobody live answered, and keeps the old report", async () => {
    const world = await arrange({ runs: [HEARD, UNHEARD] });
    const { assessment } = await world.answer();
    await world.timeline.advance(5000);
    const refreshed = world.call(ADDRESS, { refresh: true });
    expect(await refreshed.result).toEqual({
      kind: "answer",
      answer: { tier: "store", stale: true, assessment, votes: [], heard: 2 },
      limits: REFUNDED,
    });
    expect(refreshed.asker).toMatchObject({ asked: 1, givenBack: 1 });
    expect(world.calls.save).toBe(1);
  });

  test("keeps the leave for a survey of tables alone while live sources are off", async () => {
    const world = await arrange({ live: false, runs: [UNHEARD] });
    const caller = world.call();
    await caller.result;
    expect(caller.asker.givenBack).toBe(0);
  });

  test("stores what the tables say when live sources are off, and asks again once they are on", async () => {
    const off = await arrange({ live: false, runs: [[makeRun("t", "answered", true)]] });
    await off.answer();
    expect(off.calls.save).toBe(1);
    await off.timeline.advance(600_001);
    expect((await off.answer()).tier).toBe("store");

    const on = await arrange({ store: off.store });
    expect((await on.answer()).tier).toBe("fresh");
    expect(on.calls.survey).toBe(1);
  });

  test("answers special-purpose space from the tables without store, cache or admission", async () => {
    const world = await arrange();
    const bogon = readAddress("192.168.1.1");
    const caller = world.call(bogon);
    expect(await caller.result).toMatchObject({
      answer: {
        tier: "fresh",
        votes: [],
        assessment: { purity: 50, confidence: "low", flags: { isBogon: true } },
      },
    });
    await world.call(bogon, { refresh: true, asker: caller.asker }).result;
    expect(world.calls).toEqual({ survey: 0, everyone: 0, special: 2, find: 0, save: 0, readVotes: 0 });
    expect(caller.asker.asked).toBe(0);
  });

  test("denies the caller that would start a survey without leave, and still answers what it knows", async () => {
    const world = await arrange();
    const denied = makeAsker("deny");
    expect(await world.call(ADDRESS, { asker: denied }).result).toEqual({
      kind: "refused",
      refusal: REFUSAL,
      limits: [],
    });
    expect(world.calls.survey).toBe(0);
    await world.answer();
    expect(await world.call(ADDRESS, { asker: denied }).result).toMatchObject({ kind: "answer" });
    expect(denied.asked).toBe(1);
  });

  test("refreshes past cache and store, and keeps the old report when the new survey heard less than half", async () => {
    const rich = [makeRun("a", "answered"), makeRun("b", "answered"), makeRun("c", "answered")];
    const poor = [makeRun("a", "answered"), makeRun("b", "failed"), makeRun("c", "failed")];
    const fair = [makeRun("a", "answered"), makeRun("b", "answered"), makeRun("c", "failed")];
    const world = await arrange({ runs: [rich, poor, fair] });
    const first = await world.answer();
    await world.timeline.advance(1000);
    const kept = await world.answer(ADDRESS, true);
    expect(kept).toMatchObject({ tier: "store", stale: true });
    expect(kept.assessment).toEqual(first.assessment);
    expect(world.logged).toEqual(["refresh_poorer"]);
    const replaced = await world.answer(ADDRESS, true);
    expect(replaced).toMatchObject({ tier: "fresh", stale: false });
    expect(replaced.assessment.surveyedAt).not.toBe(first.assessment.surveyedAt);
    expect((await world.answer()).assessment).toEqual(replaced.assessment);
    // A refresh asks the scarce sources too, whatever the free ones say.
    expect(world.calls).toMatchObject({ survey: 3, everyone: 2, save: 2 });
  });

  test("takes what a refresh found meanwhile for a survey that waited, and gives its leave back", async () => {
    const world = await arrange({ maxSurveys: 1 });
    world.hold();
    const refreshed = world.call(ADDRESS, { refresh: true });
    await world.timeline.advance(0);
    const looked = world.call();
    await world.timeline.advance(0);
    await world.release();
    expect(await refreshed.result).toMatchObject({ answer: { tier: "fresh" } });
    expect(await looked.result).toMatchObject({ answer: { tier: "cache" } });
    expect(looked.asker).toMatchObject({ asked: 1, givenBack: 1 });
    expect(world.calls.survey).toBe(1);
  });
});

describe("createLookup() without its store", () => {
  /** A world whose store holds a report of three live sources on ADDRESS, and whose surveys hear `heard`. */
  async function arrangeKnown(heard: readonly ReturnType<typeof makeRun>[]): Promise<Arranged> {
    const rich = ["a", "b", "c"].map((id) => makeRun(id, "answered"));
    const before = await arrange({ runs: [rich] });
    await before.answer();
    return arrange({ store: before.store, runs: [heard] });
  }

  test("answers, and says so once", async () => {
    const world = await arrange();
    world.breakStore();
    expect((await world.answer()).tier).toBe("fresh");
    expect((await world.answer()).tier).toBe("cache");
    expect((await world.answer(OTHER)).tier).toBe("fresh");
    expect(world.logged).toEqual(["store_unreadable"]);
  });

  test("does not ask it again at once, then once, then later still, and finds it when it is back", async () => {
    const world = await arrange();
    const lookUpAnother = async (n: number) => (await world.answer(readAddress(`8.8.5.${n}`))).tier;
    world.breakStore();
    for (let n = 0; n < 5; n += 1) expect(await lookUpAnother(n)).toBe("fresh");
    expect(world.calls).toMatchObject({ find: 1, save: 0, readVotes: 0 });
    await world.timeline.advance(1000);
    for (let n = 5; n < 10; n += 1) await lookUpAnother(n);
    expect(world.calls.find).toBe(2);
    await world.timeline.advance(1999);
    await lookUpAnother(10);
    expect(world.calls.find).toBe(2);
    world.breakStore(false);
    await world.timeline.advance(1);
    await lookUpAnother(11);
    await lookUpAnother(12);
    expect(world.calls.find).toBeGreaterThanOrEqual(4);
    expect(world.logged).toEqual(["store_unreadable", "store_readable"]);
  });

  test("answers cache hits without touching it, whatever its state", async () => {
    const world = await arrange();
    await world.answer();
    const before = { ...world.calls };
    world.breakStore();
    for (let n = 0; n < 3; n += 1) expect((await world.answer()).tier).toBe("cache");
    expect(world.calls).toEqual(before);
    expect(world.logged).toEqual([]);
  });

  test("saves what it surveyed meanwhile once the store is back", async () => {
    const world = await arrange();
    world.breakStore();
    for (let n = 0; n < 5; n += 1) await world.answer(readAddress(`8.8.5.${n}`));
    world.breakStore(false);
    await world.timeline.advance(1000);
    expect(world.calls.save).toBe(0);
    await world.answer(ADDRESS);
    await world.timeline.advance(0);
    for (let n = 0; n < 5; n += 1)
      expect(await world.store.find(`8.8.5.${n}`)).toMatchObject({ liveHeard: 2 });
    expect(world.calls.save).toBe(6);
    expect(world.logged).toEqual(["store_unreadable", "store_readable"]);
    await world.timeline.advance(600_001);
    expect((await world.answer(readAddress("8.8.5.3"))).tier).toBe("store");
  });

  test("saves late once, and nothing that nobody live stood behind", async () => {
    const world = await arrange({ runs: [HEARD, UNHEARD, HEARD] });
    for (const n of [0, 2]) {
      world.breakStore();
      await world.answer(readAddress(`8.8.5.${n}`));
      await world.answer(readAddress(`8.8.5.${n + 1}`));
      world.breakStore(false);
      await world.timeline.advance(1000);
      await world.answer(readAddress(`8.8.6.${n}`));
      await world.timeline.advance(0);
    }
    expect(await world.store.find("8.8.5.1")).toBeUndefined();
    expect(world.calls).toMatchObject({ survey: 6, save: 5 });
  });

  test("saves by itself what it owes, though nobody asks for anything any more", async () => {
    const world = await arrange();
    world.breakStore();
    await world.answer();
    await world.timeline.advance(20_000);
    expect(world.load().unsaved).toBe(1);
    world.breakStore(false);
    await world.timeline.advance(5000);
    expect(await world.store.find(ADDRESS.text)).toMatchObject({ liveHeard: 2 });
    expect(world.load().unsaved).toBe(0);
    expect(world.timeline.timers()).toBe(0);
  });

  test("saves by itself what it surveyed while only writing failed", async () => {
    const { store } = await arrange();
    let isFull = true;
    const world = await arrange({
      store: {
        ...store,
        save: (...args) => (isFull ? Promise.reject(new Error("disk is full")) : store.save(...args)),
      },
    });
    await world.answer();
    expect(world.logged).toEqual(["store_unwritable"]);
    isFull = false;
    await world.timeline.advance(5000);
    expect(await store.find(ADDRESS.text)).toMatchObject({ liveHeard: 2 });
  });

  test("tries a last time at the end, and says what is lost", async () => {
    const world = await arrange();
    world.breakStore();
    await world.answer();
    await world.answer(OTHER);
    await world.flush();
    expect(world.logged).toEqual(["store_unreadable", "surveys_given_up"]);
    expect(world.timeline.timers()).toBe(0);
    world.breakStore(false);
    await world.timeline.advance(1000);
    await world.flush();
    expect(await world.store.find(ADDRESS.text)).toMatchObject({ liveHeard: 2 });
    expect(world.load().unsaved).toBe(0);
  });

  test.each([
    ["newer", HEARD, 60_000],
    ["richer", HEARD.slice(0, 1), -60_000],
  ])("does not save late over what is %s", async (_, heard, aheadMs) => {
    const rich = ["a", "b", "c"].map((id) => makeRun(id, "answered"));
    const other = await arrange({ runs: [rich] });
    const world = await arrange({ store: other.store, runs: [heard] });
    await (aheadMs > 0 ? other : world).timeline.advance(60_000);
    world.breakStore();
    await world.answer();
    await other.answer();
    world.breakStore(false);
    await world.timeline.advance(1000);
    await world.answer(OTHER);
    await world.timeline.advance(0);
    expect((await world.store.find(ADDRESS.text))?.liveHeard).toBe(3);
    expect(await world.answer()).toMatchObject({
      tier: "cache",
      assessment: (await other.answer()).assessment,
    });
  });

  test("does not replace by a poorer survey what it could not read before it", async () => {
    const world = await arrangeKnown(HEARD.slice(0, 1));
    world.breakStore();
    world.hold();
    const caller = world.call();
    await world.timeline.advance(1000);
    world.breakStore(false);
    await world.release();
    expect(await caller.result).toMatchObject({ answer: { tier: "store", stale: false } });
    expect((await world.store.find(ADDRESS.text))?.liveHeard).toBe(3);
    expect(world.calls.save).toBe(0);
  });

  test("replaces it by one that heard enough", async () => {
    const world = await arrangeKnown(HEARD);
    world.breakStore();
    world.hold();
    const caller = world.call();
    await world.timeline.advance(1000);
    world.breakStore(false);
    await world.release();
    expect(await caller.result).toMatchObject({ answer: { tier: "fresh" } });
    expect((await world.store.find(ADDRESS.text))?.liveHeard).toBe(2);
  });

  test("compares a refresh with what is stored, not with what was surveyed while the store was away", async () => {
    const world = await arrangeKnown(HEARD.slice(0, 1));
    world.breakStore();
    expect((await world.answer()).tier).toBe("fresh");
    world.breakStore(false);
    await world.timeline.advance(1000);
    expect(await world.answer(ADDRESS, true)).toMatchObject({ tier: "store", stale: true });
    expect((await world.store.find(ADDRESS.text))?.liveHeard).toBe(3);
  });

  test("lets a caller leave while the store says nothing", async () => {
    const world = await arrange();
    world.stallStore();
    const caller = world.call();
    await world.timeline.advance(0);
    caller.leave();
    await world.timeline.advance(0);
    expect(caller.state()).toBe("left");
  });

  test("answers what it surveyed when it cannot be written, says so, and writes it later", async () => {
    const world = await arrange();
    world.hold();
    const caller = world.call();
    await world.timeline.advance(0);
    world.breakStore();
    await world.release();
    expect(await caller.result).toMatchObject({ answer: { tier: "fresh" } });
    expect(world.logged).toEqual(["store_unwritable", "store_unreadable"]);
    world.breakStore(false);
    await world.timeline.advance(1000);
    const next = world.call(OTHER);
    await world.timeline.advance(0);
    await world.release();
    expect(await next.result).toMatchObject({ answer: { tier: "fresh" } });
    expect(await world.store.find(ADDRESS.text)).toMatchObject({ liveHeard: 2 });
  });
});
