import { afterEach, describe, expect, test } from "bun:test";
import { readAddress } from "#kit";
import {
  ADDRESS,
  ANSWERED,
  type Arranged,
  arrange,
  DAY_MS,
  makeRequester,
  makeRun,
  OTHER,
  REFUNDED,
  REFUSAL,
  tidy,
  UNANSWERED,
} from "./arrange.ts";

afterEach(tidy);

describe("createLookup()", () => {
  test("answers from a survey, then from memory, then from the store when memory is empty", async () => {
    const setup = await arrange();
    expect((await setup.answer()).tier).toBe("fresh");
    expect((await setup.answer()).tier).toBe("cache");
    await setup.timeline.advance(600_001);
    expect((await setup.answer()).tier).toBe("store");
    expect((await setup.answer()).tier).toBe("cache");
    expect(setup.calls).toMatchObject({ survey: 1, save: 1, find: 2 });
  });

  test("finds reports in memory and store, and starts no survey for others", async () => {
    const setup = await arrange();
    expect(await setup.findKnown(ADDRESS)).toBeUndefined();
    expect(setup.calls).toMatchObject({ survey: 0, save: 0 });
    await setup.answer();
    expect(await setup.findKnown(ADDRESS)).toMatchObject({ tier: "cache", liveAnswers: 2 });
    await setup.timeline.advance(600_001);
    expect(await setup.findKnown(ADDRESS)).toMatchObject({ tier: "store", liveAnswers: 2 });
    expect(await setup.findKnown(ADDRESS)).toMatchObject({ tier: "cache" });
    expect(setup.calls.survey).toBe(1);
  });

  test("marks an old stored report as stale, and starts no survey", async () => {
    const setup = await arrange();
    await setup.answer();
    await setup.timeline.advance(7 * DAY_MS);
    expect(await setup.answer()).toMatchObject({ tier: "store", stale: false });
    await setup.timeline.advance(1);
    expect(await setup.answer()).toMatchObject({ stale: true });
    await setup.timeline.advance(400 * DAY_MS);
    expect(await setup.answer()).toMatchObject({ tier: "store", stale: true });
    expect(setup.calls.survey).toBe(1);
    // The report was made by a clock that ran ahead.
    const early = await arrange({ store: setup.store, startMs: setup.timeline.now() - 420 * DAY_MS });
    expect(await early.answer()).toMatchObject({ tier: "store", stale: true });
  });

  test("does not store a report without a live source, keeps it for 30 seconds, and refunds the admission once", async () => {
    const setup = await arrange({ runs: [UNANSWERED] });
    const first = setup.call();
    const joined = setup.call();
    const result = await first.result;
    expect(result).toMatchObject({
      kind: "answer",
      answer: { tier: "fresh", assessment: { confidence: "low" } },
    });
    await joined.result;
    expect(first.requester).toMatchObject({ requests: 1, refunds: 1 });
    expect(joined.requester).toMatchObject({ requests: 0, refunds: 0 });
    expect(setup.calls.save).toBe(0);
    await setup.timeline.advance(29_000);
    expect((await setup.answer()).tier).toBe("cache");
    await setup.timeline.advance(1001);
    expect((await setup.answer()).tier).toBe("fresh");
    expect(setup.calls).toMatchObject({ survey: 2, save: 0 });
    expect(await setup.store.find(ADDRESS.text)).toBeUndefined();
  });

  test("refunds a refresh that no live source answered, and keeps the old report", async () => {
    const setup = await arrange({ runs: [ANSWERED, UNANSWERED] });
    const { assessment } = await setup.answer();
    await setup.timeline.advance(5000);
    const refreshed = setup.call(ADDRESS, { refresh: true });
    expect(await refreshed.result).toEqual({
      kind: "answer",
      answer: { tier: "store", stale: true, assessment, votes: [], liveAnswers: 2 },
      limits: REFUNDED,
    });
    expect(refreshed.requester).toMatchObject({ requests: 1, refunds: 1 });
    expect(setup.calls.save).toBe(1);
  });

  test("refunds nothing for a survey of tables while live sources are off", async () => {
    const setup = await arrange({ live: false, runs: [UNANSWERED] });
    const caller = setup.call();
    await caller.result;
    expect(caller.requester.refunds).toBe(0);
  });

  test("stores reports of tables while live sources are off, and surveys again when they are on", async () => {
    const off = await arrange({ live: false, runs: [[makeRun("t", "answered", true)]] });
    await off.answer();
    expect(off.calls.save).toBe(1);
    await off.timeline.advance(600_001);
    expect((await off.answer()).tier).toBe("store");

    const on = await arrange({ store: off.store });
    expect((await on.answer()).tier).toBe("fresh");
    expect(on.calls.survey).toBe(1);
  });

  test("answers for special-purpose addresses from the tables without store, memory or admission", async () => {
    const setup = await arrange();
    const bogon = readAddress("192.168.1.1");
    const caller = setup.call(bogon);
    expect(await caller.result).toMatchObject({
      answer: {
        tier: "fresh",
        votes: [],
        assessment: { purity: 50, confidence: "low", flags: { isBogon: true } },
      },
    });
    await setup.call(bogon, { refresh: true, requester: caller.requester }).result;
    expect(setup.calls).toMatchObject({ survey: 0, askAll: 0, special: 2, find: 0, save: 0, readVotes: 0 });
    expect(caller.requester.requests).toBe(0);
  });

  test("gives a special-purpose address the same report for a minute", async () => {
    const setup = await arrange();
    const ask = async () => JSON.stringify(await setup.call(readAddress("192.168.1.1")).result);
    const first = await ask();
    expect(JSON.parse(first).answer.assessment.surveyedAt).toMatch(/:00\.000Z$/);
    await Bun.sleep(2);
    expect(await ask()).toBe(first);
  });

  test("refuses a caller without an admission, and still answers from memory", async () => {
    const setup = await arrange();
    const denied = makeRequester("deny");
    expect(await setup.call(ADDRESS, { requester: denied }).result).toEqual({
      kind: "refused",
      refusal: REFUSAL,
      limits: [],
    });
    expect(setup.calls.survey).toBe(0);
    await setup.answer();
    expect(await setup.call(ADDRESS, { requester: denied }).result).toMatchObject({ kind: "answer" });
    expect(denied.requests).toBe(1);
  });

  test("bypasses memory and store for a refresh, and keeps the old report when less than half of the sources answered", async () => {
    const rich = [makeRun("a", "answered"), makeRun("b", "answered"), makeRun("c", "answered")];
    const poor = [makeRun("a", "answered"), makeRun("b", "failed"), makeRun("c", "failed")];
    const fair = [makeRun("a", "answered"), makeRun("b", "answered"), makeRun("c", "failed")];
    const setup = await arrange({ runs: [rich, poor, fair] });
    const first = await setup.answer();
    await setup.timeline.advance(1000);
    const kept = await setup.answer(ADDRESS, true);
    expect(kept).toMatchObject({ tier: "store", stale: true });
    expect(kept.assessment).toEqual(first.assessment);
    expect(setup.logged).toEqual(["refresh_poorer"]);
    const replaced = await setup.answer(ADDRESS, true);
    expect(replaced).toMatchObject({ tier: "fresh", stale: false });
    expect(replaced.assessment.surveyedAt).not.toBe(first.assessment.surveyedAt);
    expect((await setup.answer()).assessment).toEqual(replaced.assessment);
    // A refresh queries the scarce sources too, for any answers of the others.
    expect(setup.calls).toMatchObject({ survey: 3, askAll: 2, save: 2 });
  });

  test("answers a survey that waited with the report of a refresh, and refunds its admission", async () => {
    const setup = await arrange({ hold: true, maxSurveys: 1 });
    const refreshed = setup.call(ADDRESS, { refresh: true });
    await setup.timeline.advance(0);
    const looked = setup.call();
    await setup.timeline.advance(0);
    await setup.release();
    expect(await refreshed.result).toMatchObject({ answer: { tier: "fresh" } });
    expect(await looked.result).toMatchObject({ answer: { tier: "cache" } });
    expect(looked.requester).toMatchObject({ requests: 1, refunds: 1 });
    expect(setup.calls.survey).toBe(1);
  });
});

describe("createLookup() without its store", () => {
  /** A lookup whose store has a report of three live sources on ADDRESS, and whose surveys get `heard` answers. */
  async function arrangeKnown(heard: readonly ReturnType<typeof makeRun>[]): Promise<Arranged> {
    const rich = ["a", "b", "c"].map((id) => makeRun(id, "answered"));
    const before = await arrange({ runs: [rich] });
    await before.answer();
    return arrange({ store: before.store, runs: [heard] });
  }

  test("answers, and logs the outage once", async () => {
    const setup = await arrange();
    setup.breakStore();
    expect((await setup.answer()).tier).toBe("fresh");
    expect((await setup.answer()).tier).toBe("cache");
    expect((await setup.answer(OTHER)).tier).toBe("fresh");
    expect(setup.logged).toEqual(["store_unreadable"]);
  });

  test("reads it again only after growing pauses, and uses it when it works again", async () => {
    const setup = await arrange();
    const lookUpAnother = async (n: number) => (await setup.answer(readAddress(`8.8.5.${n}`))).tier;
    setup.breakStore();
    for (let n = 0; n < 5; n += 1) expect(await lookUpAnother(n)).toBe("fresh");
    expect(setup.calls).toMatchObject({ find: 1, save: 0, readVotes: 0 });
    await setup.timeline.advance(1000);
    for (let n = 5; n < 10; n += 1) await lookUpAnother(n);
    expect(setup.calls.find).toBe(2);
    await setup.timeline.advance(1999);
    await lookUpAnother(10);
    expect(setup.calls.find).toBe(2);
    await setup.mendStore(1);
    await lookUpAnother(11);
    await lookUpAnother(12);
    expect(setup.calls.find).toBeGreaterThanOrEqual(4);
    expect(setup.logged).toEqual(["store_unreadable", "store_readable"]);
  });

  test("saves the surveys of the outage when the store works again", async () => {
    const setup = await arrange();
    setup.breakStore();
    for (let n = 0; n < 5; n += 1) await setup.answer(readAddress(`8.8.5.${n}`));
    await setup.mendStore(1000);
    expect(setup.calls.save).toBe(0);
    await setup.answer(ADDRESS);
    await setup.timeline.advance(0);
    for (let n = 0; n < 5; n += 1)
      expect(await setup.store.find(`8.8.5.${n}`)).toMatchObject({ liveAnswers: 2 });
    expect(setup.calls.save).toBe(6);
    expect(setup.logged).toEqual(["store_unreadable", "store_readable"]);
    await setup.timeline.advance(600_001);
    expect((await setup.answer(readAddress("8.8.5.3"))).tier).toBe("store");
  });

  test("saves each survey once, and none without a live source", async () => {
    const setup = await arrange({ runs: [ANSWERED, UNANSWERED, ANSWERED] });
    for (const n of [0, 2]) {
      setup.breakStore();
      await setup.answer(readAddress(`8.8.5.${n}`));
      await setup.answer(readAddress(`8.8.5.${n + 1}`));
      await setup.mendStore(1000);
      await setup.answer(readAddress(`8.8.6.${n}`));
      await setup.timeline.advance(0);
    }
    expect(await setup.store.find("8.8.5.1")).toBeUndefined();
    expect(setup.calls).toMatchObject({ survey: 6, save: 5 });
  });

  test("saves unsaved surveys by a timer, without a request", async () => {
    const setup = await arrange();
    setup.breakStore();
    await setup.answer();
    await setup.timeline.advance(20_000);
    expect(setup.load().unsaved).toBe(1);
    await setup.mendStore(5000);
    expect(await setup.store.find(ADDRESS.text)).toMatchObject({ liveAnswers: 2 });
    expect(setup.load().unsaved).toBe(0);
    expect(setup.timeline.timers()).toBe(0);
  });

  test("saves surveys by a timer after only writes failed, with one log line at each end of the outage", async () => {
    const { store } = await arrange();
    let isFull = true;
    const setup = await arrange({
      store: {
        ...store,
        save: (...args) => (isFull ? Promise.reject(new Error("disk is full")) : store.save(...args)),
      },
    });
    await setup.answer();
    await setup.answer(OTHER);
    for (let tries = 0; tries < 3; tries++) await setup.timeline.advance(5000);
    expect(setup.logged).toEqual(["store_unwritable"]);
    isFull = false;
    await setup.timeline.advance(5000);
    expect(await store.find(ADDRESS.text)).toMatchObject({ liveAnswers: 2 });
    expect(setup.logged).toEqual(["store_unwritable", "store_writable"]);
  });

  test("tries a last time on flush, and logs how many surveys are lost", async () => {
    const setup = await arrange();
    setup.breakStore();
    await setup.answer();
    await setup.answer(OTHER);
    await setup.flush();
    expect(setup.logged).toEqual(["store_unreadable", "surveys_given_up"]);
    expect(setup.timeline.timers()).toBe(0);
    await setup.mendStore(1000);
    await setup.flush();
    expect(await setup.store.find(ADDRESS.text)).toMatchObject({ liveAnswers: 2 });
    expect(setup.load().unsaved).toBe(0);
  });

  test.each([
    ["newer", ANSWERED, 60_000],
    ["richer", ANSWERED.slice(0, 1), -60_000],
  ])("does not save late over what is %s", async (_, heard, aheadMs) => {
    const rich = ["a", "b", "c"].map((id) => makeRun(id, "answered"));
    const other = await arrange({ runs: [rich] });
    const setup = await arrange({ store: other.store, runs: [heard] });
    await (aheadMs > 0 ? other : setup).timeline.advance(60_000);
    setup.breakStore();
    await setup.answer();
    await other.answer();
    await setup.mendStore(1000);
    await setup.answer(OTHER);
    await setup.timeline.advance(0);
    expect((await setup.store.find(ADDRESS.text))?.liveAnswers).toBe(3);
    expect(await setup.answer()).toMatchObject({
      tier: "cache",
      assessment: (await other.answer()).assessment,
    });
  });

  test("does not replace a report that it could not read before a survey with fewer answers", async () => {
    const setup = await arrangeKnown(ANSWERED.slice(0, 1));
    setup.breakStore();
    setup.hold();
    const caller = setup.call();
    await setup.timeline.advance(1000);
    await setup.mendStore();
    await setup.release();
    expect(await caller.result).toMatchObject({ answer: { tier: "store", stale: false } });
    expect((await setup.store.find(ADDRESS.text))?.liveAnswers).toBe(3);
    expect(setup.calls.save).toBe(0);
  });

  test("compares a refresh with the stored report, not with a survey of the outage", async () => {
    const setup = await arrangeKnown(ANSWERED.slice(0, 1));
    setup.breakStore();
    expect((await setup.answer()).tier).toBe("fresh");
    await setup.mendStore(1000);
    expect(await setup.answer(ADDRESS, true)).toMatchObject({ tier: "store", stale: true });
    expect((await setup.store.find(ADDRESS.text))?.liveAnswers).toBe(3);
  });

  test("rejects when the caller leaves while the store does not answer", async () => {
    const setup = await arrange();
    setup.stallStore();
    const caller = setup.call();
    await setup.timeline.advance(0);
    caller.leave();
    await setup.timeline.advance(0);
    expect(caller.state()).toBe("left");
  });

  test("answers with a survey that cannot be saved, logs it, and saves it later", async () => {
    const setup = await arrange({ hold: true });
    const caller = setup.call();
    await setup.timeline.advance(0);
    setup.breakStore();
    await setup.release();
    expect(await caller.result).toMatchObject({ answer: { tier: "fresh" } });
    expect(setup.logged).toEqual(["store_unwritable", "store_unreadable"]);
    await setup.mendStore(1000);
    const next = setup.call(OTHER);
    await setup.timeline.advance(0);
    await setup.release();
    expect(await next.result).toMatchObject({ answer: { tier: "fresh" } });
    expect(await setup.store.find(ADDRESS.text)).toMatchObject({ liveAnswers: 2 });
  });
});
