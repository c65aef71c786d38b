import { afterEach, describe, expect, test } from "bun:test";
import type { VoteSum } from "#store";
import {
  ADDRESS,
  ANSWERED,
  type Arranged,
  arrange,
  makeRun,
  tidy,
  UNANSWERED,
} from "../../lookup/arrange.ts";

afterEach(tidy);

const FOUR: readonly VoteSum[] = [{ scenario: "ai", count: 1, sum: 4 }];

async function castVote({ store }: Arranged, rating: number, voter = "v"): Promise<readonly VoteSum[]> {
  await store.ratings.saveVote({ address: ADDRESS.text, scenario: "ai", voter, day: 20_000, rating });
  return store.ratings.read(ADDRESS.text);
}

describe("Answer.votes", () => {
  test("come with the stored report, and stay the same array while nothing changes", async () => {
    const world = await arrange();
    expect((await world.answer()).votes).toEqual([]);
    await castVote(world, 4);
    await world.timeline.advance(600_001);
    const stored = await world.answer();
    expect(stored).toMatchObject({ tier: "store", votes: FOUR });
    expect((await world.answer()).votes).toBe(stored.votes);
    expect(world.calls.readVotes).toBe(1);
  });

  test("are read for an address that was voted on and is not stored", async () => {
    const world = await arrange();
    await castVote(world, 4);
    expect(await world.answer()).toMatchObject({ tier: "fresh", votes: FOUR });
  });

  test("stay through a refresh, as the same array", async () => {
    const world = await arrange();
    await castVote(world, 4);
    const { votes } = await world.answer();
    const refreshed = await world.answer(ADDRESS, true);
    expect(refreshed.tier).toBe("fresh");
    expect(refreshed.votes).toBe(votes);
    expect((await world.answer()).votes).toBe(votes);
  });

  test("come with a report that a poorer refresh left standing", async () => {
    const rich = ["a", "b", "c"].map((id) => makeRun(id, "answered"));
    const world = await arrange({ runs: [rich, ANSWERED.slice(0, 1)] });
    await world.answer();
    world.hold();
    const refreshed = world.call(ADDRESS, { refresh: true });
    await world.timeline.advance(0);
    world.noteVotes(ADDRESS.text, FOUR);
    await world.release();
    expect(await refreshed.result).toMatchObject({ answer: { tier: "store", stale: true, votes: FOUR } });
  });

  test("are none, and do no harm, when they cannot be read", async () => {
    const world = await arrange();
    await castVote(world, 4);
    world.breakStore();
    expect((await world.answer()).votes).toEqual([]);
  });
});

describe("noteVotes()", () => {
  test("changes the next cached answer, and nothing else of it", async () => {
    const world = await arrange();
    const before = await world.answer();
    world.noteVotes(ADDRESS.text, await castVote(world, 4));
    const after = await world.answer();
    expect(after).toEqual({ ...before, tier: "cache", votes: FOUR });
    expect(after.assessment).toBe(before.assessment);
    expect((await world.answer()).votes).toBe(after.votes);
  });

  test("keeps the array when it says what is known", async () => {
    const world = await arrange();
    await castVote(world, 4);
    const { votes } = await world.answer();
    world.noteVotes(ADDRESS.text, [{ scenario: "ai", count: 1, sum: 4 }]);
    expect((await world.answer()).votes).toBe(votes);
  });

  test("keeps nothing alive longer than it was to live", async () => {
    const world = await arrange({ runs: [UNANSWERED] });
    await world.answer();
    await world.timeline.advance(20_000);
    world.noteVotes(ADDRESS.text, FOUR);
    await world.timeline.advance(9999);
    expect(await world.answer()).toMatchObject({ tier: "cache", votes: FOUR });
    await world.timeline.advance(2);
    expect((await world.answer()).tier).toBe("fresh");
  });

  test("remembers nothing of an address that is not in memory", async () => {
    const world = await arrange();
    world.noteVotes(ADDRESS.text, FOUR);
    expect((await world.answer()).votes).toEqual([]);
  });

  test("reaches an answer whose votes are being read", async () => {
    const world = await arrange();
    await world.answer();
    await world.timeline.advance(600_001);
    const caller = world.call();
    world.noteVotes(ADDRESS.text, FOUR);
    expect(await caller.result).toMatchObject({ answer: { tier: "store", votes: FOUR } });
    expect((await world.answer()).votes).toEqual(FOUR);
  });

  test("reaches a fresh answer whose votes are being read", async () => {
    const world: Arranged = await arrange({ onReadVotes: () => world.noteVotes(ADDRESS.text, FOUR) });
    expect(await world.answer()).toMatchObject({ tier: "fresh", votes: FOUR });
  });
});
