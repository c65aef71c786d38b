import { afterEach, describe, expect, test } from "bun:test";
import { readAddress } from "#kit";
import { SCORING_VERSION } from "#scoring";
import { ADDRESS, ANSWERED, arrange, DAY_MS, OTHER, tidy, UNANSWERED } from "../../lookup/arrange.ts";

afterEach(tidy);

describe("createLookup().findKnownSync()", () => {
  test("returns what memory has of an address, equal to the lookup, and undefined for other addresses", async () => {
    const { findKnownSync: hit, answer } = await arrange();
    expect(hit(ADDRESS)).toBeUndefined();
    const fresh = await answer(ADDRESS);
    const known = hit(ADDRESS);
    expect(known?.tier).toBe("cache");
    expect(known?.assessment).toBe(fresh.assessment);
    expect(known).toEqual(await answer(ADDRESS));
    expect(hit(OTHER)).toBeUndefined();
  });

  test("returns what a local store has, first from the store and then from memory", async () => {
    const { store, answer } = await arrange();
    await answer(ADDRESS);
    await answer(OTHER);
    const later = await arrange({ store, atOnce: true });
    // The first read of a database also reads the dictionary of its documents.
    const first = await later.answer(OTHER);
    const hit = later.findKnownSync(ADDRESS);
    expect(hit?.tier).toBe("store");
    expect(hit?.assessment.address).toBe(ADDRESS.text);
    expect({ ...hit, assessment: undefined }).toEqual({ ...first, assessment: undefined });
    expect(later.findKnownSync(ADDRESS)?.tier).toBe("cache");
    expect(later.findKnownSync(ADDRESS)?.assessment).toBe(hit?.assessment ?? expect.unreachable());
    expect(later.findKnownSync(readAddress("8.8.4.201"))).toBeUndefined();
    expect(later.calls).toMatchObject({ survey: 0, find: 1 });
  });

  test("equals the lookup: stale, with votes, and the same assessment", async () => {
    const { store, answer, timeline } = await arrange();
    await answer(ADDRESS);
    await answer(OTHER);
    for (const voter of ["a", "b", "c"])
      await store.ratings.saveVote({ address: ADDRESS.text, scenario: "ai", voter, day: 1, rating: 4 });
    const [one, two] = [await arrange({ store, atOnce: true }), await arrange({ store })];
    for (const { timeline: own } of [one, two]) await own.advance(timeline.now() - own.now() + 8 * DAY_MS);
    await one.answer(OTHER);
    const hit = one.findKnownSync(ADDRESS);
    expect(hit).toEqual(await two.answer(ADDRESS));
    expect(hit?.stale).toBe(true);
    expect(hit?.votes).toEqual([{ scenario: "ai", count: 3, sum: 12 }]);
    expect(JSON.stringify(hit)).toBe(JSON.stringify({ ...(await two.answer(ADDRESS)), tier: "store" }));
  });

  test("leaves to the lookup what needs more than reading", async () => {
    const { store, answer } = await arrange({ runs: [ANSWERED] });
    const { assessment } = await answer(ADDRESS);
    await answer(OTHER);
    const surveyedAt = Date.parse(assessment.surveyedAt);
    const save = (address: string, version: number, liveAnswers: number) =>
      store.save(
        { address, surveyedAt, liveAnswers, assessment: { ...assessment, address, scoringVersion: version } },
        "{}",
      );
    await save("8.8.4.1", SCORING_VERSION - 1, 3);
    await save("8.8.4.2", SCORING_VERSION, 0);
    await save("10.0.0.1", SCORING_VERSION, 3);
    await save("8.8.4.3", SCORING_VERSION + 1, 3);
    const { findKnownSync: hit, answer: again } = await arrange({ store, atOnce: true, runs: [UNANSWERED] });
    await again(OTHER);
    for (const address of ["8.8.4.1", "8.8.4.2", "10.0.0.1"])
      expect(hit(readAddress(address)), address).toBeUndefined();
    expect(hit(readAddress("8.8.4.3"))?.tier).toBe("store");
  });

  test("does not read a store that is down", async () => {
    const { store, answer } = await arrange();
    await answer(ADDRESS);
    await answer(OTHER);
    const later = await arrange({ store, atOnce: true });
    await later.answer(OTHER);
    later.breakStore();
    expect(later.findKnownSync(ADDRESS)).toBeUndefined();
    await later.answer(readAddress("8.8.4.202"));
    await later.mendStore();
    expect(later.load().storeReadable).toBe(false);
    expect(later.findKnownSync(ADDRESS)).toBeUndefined();
  });
});
