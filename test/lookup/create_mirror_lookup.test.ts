import { describe, expect, test } from "bun:test";
import { readAddress } from "#kit";
import { createMirrorLookup, type LookupRequest, type LookupResult } from "#lookup";
import { type FoundReport, StoreError } from "#store";
import { makeReport } from "../store/make_report.ts";
import { DAY_MS } from "./arrange.ts";

const NOW = Date.UTC(2026, 0, 15);
const ADDRESS = "203.0.113.7";
const PUBLIC = "8.8.8.8";
const never = new AbortController().signal;

const OPTIONS: Omit<LookupRequest, "address"> = {
  refresh: false,
  client: { key: "192.0.2.1", exempt: false },
};

function arrange(find: (address: string) => Promise<FoundReport | undefined>, hasCopy = () => true) {
  const log: string[] = [];
  let reads = 0;
  const lookups = createMirrorLookup({
    store: {
      find(address) {
        reads += 1;
        return find(address);
      },
      findSurvey: () => Promise.resolve(undefined),
    },
    surveySpecial: (address) =>
      Promise.resolve({
        address: address.text,
        version: address.version,
        surveyedAt: new Date(NOW).toISOString(),
        runs: [],
      }),
    hasCopy,
    now: () => NOW,
    staleMs: 7 * DAY_MS,
    cacheEntries: 10,
    cacheBytes: 16_000_000,
    log: (_level, event) => log.push(event),
  });
  const ask = (text: string, options = OPTIONS): Promise<LookupResult> =>
    lookups.lookup({ address: readAddress(text), ...options }, never);
  return { ...lookups, ask, log, reads: () => reads };
}

const held = (surveyedAt: number): FoundReport => ({
  ...makeReport(PUBLIC, surveyedAt),
  votes: [{ scenario: "ai", count: 3, sum: 9 }],
});

describe("createMirrorLookup()", () => {
  test("answers with tier `store`, and reads a report once until forget()", async () => {
    const { ask, forget, reads } = arrange(() => Promise.resolve(held(NOW - DAY_MS)));
    const first = await ask(PUBLIC);
    expect(first).toMatchObject({
      kind: "answer",
      answer: { tier: "store", stale: false, votes: [{ scenario: "ai", count: 3, sum: 9 }] },
    });
    expect(await ask(PUBLIC)).toEqual(first);
    expect(reads()).toBe(1);
    forget();
    expect(await ask(PUBLIC)).toEqual(first);
    expect(reads()).toBe(2);
  });

  test("does not keep a report that was read before forget()", async () => {
    const gate = Promise.withResolvers<void>();
    let surveyedAt = NOW - 2 * DAY_MS;
    const { ask, forget } = arrange(async () => {
      const found = held(surveyedAt);
      await gate.promise;
      return found;
    });
    const old = ask(PUBLIC);
    surveyedAt = NOW;
    forget();
    gate.resolve();
    await old;
    expect(await ask(PUBLIC)).toMatchObject({
      answer: { assessment: { surveyedAt: new Date(NOW).toISOString() } },
    });
  });

  test.each([
    [7 * DAY_MS, false],
    [7 * DAY_MS + 1, true],
  ])("says of a report that is %d ms old: stale %p", async (ageMs, stale) => {
    const { ask } = arrange(() => Promise.resolve(held(NOW - ageMs)));
    expect(await ask(PUBLIC)).toMatchObject({ answer: { stale } });
  });

  test("returns not_in_mirror for unknown addresses and for every refresh", async () => {
    const { ask, reads } = arrange(() => Promise.resolve(undefined));
    expect(await ask(PUBLIC)).toEqual({ kind: "not_in_mirror", limits: [] });
    expect(await ask(PUBLIC, { ...OPTIONS, refresh: true })).toEqual({ kind: "not_in_mirror", limits: [] });
    expect(reads()).toBe(1);
  });

  test("does not report an address as missing before the first copy", async () => {
    let hasCopy = false;
    const { ask } = arrange(
      () => Promise.resolve(undefined),
      () => hasCopy,
    );
    expect(await ask(PUBLIC)).toEqual({ kind: "overloaded", retryAfterMs: expect.any(Number), limits: [] });
    expect(await ask(ADDRESS)).toMatchObject({ kind: "answer" });
    hasCopy = true;
    expect(await ask(PUBLIC)).toEqual({ kind: "not_in_mirror", limits: [] });
  });

  test("does not report a report that cannot be read as missing", async () => {
    const { ask, log } = arrange(() => Promise.reject(new StoreError("Cannot read")));
    expect(await ask(PUBLIC)).toEqual({ kind: "overloaded", retryAfterMs: expect.any(Number), limits: [] });
    expect(log).toEqual(["store_unreadable"]);
  });

  test("answers for special-purpose addresses without the store", async () => {
    const { ask, reads } = arrange(() => Promise.resolve(undefined));
    expect(await ask(ADDRESS)).toMatchObject({ kind: "answer", answer: { tier: "fresh" } });
    expect(reads()).toBe(0);
  });

  test("rejects when the caller has left", async () => {
    const { lookup } = arrange(() => Promise.resolve(undefined));
    await expect(
      lookup({ address: readAddress(PUBLIC), ...OPTIONS }, AbortSignal.abort(new Error("left"))),
    ).rejects.toThrow("left");
  });
});
