import { afterEach, describe, expect, test } from "bun:test";
import type { VoteSum } from "#report";
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
    const setup = await arrange();
    expect((await setup.answer()).votes).toEqual([]);
    await castVote(setup, 4);
    await setup.timeline.advance(600_001);
    const stored = await setup.answer();
    expect(stored).toMatchObject({ tier: "store", votes: FOUR });
    expect((await setup.answer()).votes).toBe(stored.votes);
    expect(setup.calls.readVotes).toBe(1);
  });

  test("are read for an address that was voted on and is not stored", async () => {
    const setup = await arrange();
    await castVote(setup, 4);
    expect(await setup.answer()).toMatchObject({ tier: "fresh", votes: FOUR });
  });

  test("stay through a refresh, as the same array", async () => {
    const setup = await arrange();
    await castVote(setup, 4);
    const { votes } = await setup.answer();
    const refreshed = await setup.answer(ADDRESS, true);
    expect(refreshed.tier).toBe("fresh");
    expect(refreshed.votes).toBe(votes);
    expect((await setup.answer()).votes).toBe(votes);
  });

  test("come with a report that a poorer refresh did not replace", async () => {
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

  test("are empty when they cannot be read", async () => {
    const setup = await arrange();
    await castVote(setup, 4);
    setup.breakStore();
    expect((await setup.answer()).votes).toEqual([]);
  });
});

describe("noteVotes()", () => {
  test("changes only the votes of the next cached answer", async () => {
    const setup = await arrange();
    const before = await setup.answer();
    setup.noteVotes(ADDRESS.text, await castVote(setup, 4));
    const after = await setup.answer();
    expect(after).toEqual({ ...before, tier: "cache", votes: FOUR });
    expect(after.assessment).toBe(before.assessment);
    expect((await setup.answer()).votes).toBe(after.votes);
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

  test("changes an answer while its votes are being read", async () => {
    const setup = await arrange();
    await setup.answer();
    await setup.timeline.advance(600_001);
    const caller = setup.call();
    setup.noteVotes(ADDRESS.text, FOUR);
    expect(await caller.result).toMatchObject({ answer: { tier: "store", votes: FOUR } });
    expect((await setup.answer()).votes).toEqual(FOUR);
  });

  test("changes a fresh answer while its votes are being read", async () => {
    const setup: Arranged = await arrange({ onReadVotes: () => setup.noteVotes(ADDRESS.text, FOUR) });
    expect(await setup.answer()).toMatchObject({ tier: "fresh", votes: FOUR });
  });
});
