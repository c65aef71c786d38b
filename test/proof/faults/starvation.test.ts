import { beforeAll, describe, expect, test } from "bun:test";
import type { SourceRun } from "#evidence";
import { createClock } from "#kit";
import type { Source } from "#sources";
import { breakDns, breakHttp, createMemory, LIVE, openFaultSetup, SURVEY_MS } from "./fault_setup.ts";

/** As many places as a survey has unless the operator says otherwise. */
const POOL = 24;
/** How long the working sources take, in turn. */
const DELAYS_MS = [20, 100, 200];
/** The delay of a busy machine. */
const LATE_MS = 500;
/** Longer than a lost self-test is remembered. */
const PATIENCE_MS = 300_000;

const HALF = Math.floor(LIVE.length / 2);
const byLongest = LIVE.toSorted((a, b) => b.timeoutMs - a.timeoutMs);
/** The half that never answers. */
const HALVES: readonly (readonly [name: string, silent: readonly Source[]])[] = [
  ["every other source", LIVE.filter((_, at) => at % 2 === 0)],
  ["the others", LIVE.filter((_, at) => at % 2 === 1)],
  ["the first of the registry", LIVE.slice(0, HALF)],
  ["the last of the registry", LIVE.slice(-HALF)],
  ["those that may take longest", byLongest.slice(0, HALF)],
  ["those that may take least", byLongest.slice(-HALF)],
];

let well: ReadonlyMap<string, SourceRun>;

beforeAll(async () => {
  const at = await openFaultSetup();
  well = new Map((await at.survey(LIVE)).map((run) => [run.id, run]));
  await at.close();
});

/** Upstreams with the usual number of places: all slow, these silent. */
async function openStarved(silent: readonly Source[]) {
  const at = await openFaultSetup({ poolSize: POOL });
  for (const [turn, source] of LIVE.entries()) {
    const delayMs = DELAYS_MS[turn % DELAYS_MS.length] ?? 0;
    if (source.hosts !== undefined) {
      breakHttp(at, source.hosts, (reply) => ({ ...reply, delayMs }));
    } else {
      const reply = at.wellDns.get(source.id);
      breakDns(at, source, Array.isArray(reply) ? { records: reply, delayMs } : (reply ?? "NODATA"), true);
    }
  }
  return {
    ...at,
    hush() {
      for (const source of silent) {
        if (source.hosts !== undefined) breakHttp(at, source.hosts, () => ({ fault: "hang" }));
        else breakDns(at, source, "SILENCE");
      }
    },
  };
}

function judge(runs: readonly SourceRun[], silent: readonly Source[]): void {
  const ids = new Set(silent.map(({ id }) => id));
  for (const { id, state, observation, error } of runs) {
    if (ids.has(id)) expect([id, state, error]).toEqual([id, "failed", "timeout"]);
    else expect([id, state, observation]).toEqual([id, "answered", well.get(id)?.observation]);
  }
}

/** Plays a case on slow upstreams, some of which can fall silent. */
async function starve(
  silent: readonly Source[],
  play: (at: Awaited<ReturnType<typeof openStarved>>) => Promise<void>,
): Promise<void> {
  const at = await openStarved(silent);
  try {
    await play(at);
  } finally {
    await at.close();
  }
}

describe(`a survey with ${POOL} places`, () => {
  test.each(HALVES)(
    "hears every source that is well within its deadline while half of them never answer: %s",
    (_, silent) =>
      starve(silent, async (at) => {
        at.hush();
        const startedAt = performance.now();
        judge(await at.survey(LIVE), silent);
        expect(performance.now() - startedAt).toBeLessThan(SURVEY_MS + LATE_MS);
      }),
  );

  test.each(HALVES)("gets them too when the lists have been tested: %s", (_, silent) =>
    starve(silent, async (at) => {
      const memory = createMemory(createClock().now);
      judge(await at.survey(LIVE, memory), []);
      at.hush();
      judge(await at.survey(LIVE, memory), silent);
    }),
  );

  test("gets the answers of the few others when nearly all sources hang, once it knows which", () => {
    const silent = LIVE.filter((_, at) => at % 10 !== 0);
    return starve(silent, async (at) => {
      const clock = createClock();
      const memory = createMemory(clock.now);
      judge(await at.survey(LIVE, memory), []);
      at.hush();
      await at.survey(LIVE, memory);
      clock.advance(PATIENCE_MS);
      const ids = new Set(silent.map(({ id }) => id));
      const others = (await at.survey(LIVE, memory)).filter(({ id }) => !ids.has(id));
      expect(others.filter(({ state }) => state !== "answered")).toEqual([]);
    });
  });
});
