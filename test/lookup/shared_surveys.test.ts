import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createQueue } from "#concurrency";
import { readAddress } from "#kit";
import type { Admission } from "#limits";
import type { SurveyEvent } from "#lookup";
import { createSharedSurveys, type SurveyOutcome } from "../../src/lookup/shared_surveys.ts";
import {
  ADDRESS,
  type Arranged,
  arrange,
  type Caller,
  CHARGED,
  createRequesterAdmissions,
  makeRequester,
  OTHER,
  REFUNDED,
  REFUSAL,
  type Requester,
  tidy,
  UNANSWERED,
} from "./arrange.ts";
import { createTimeline, settle } from "./timeline.ts";

afterEach(tidy);

function at(n: number) {
  return readAddress(`8.8.6.${n}`);
}

function states(callers: readonly Caller[]): string {
  return callers.map((caller) => caller.state()).join(" ");
}

/** Callers with different addresses. Each is admitted before the next one starts. */
async function callInTurn(setup: Arranged, count: number, first = 0): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let n = first; n < first + count; n += 1) {
    callers.push(setup.call(at(n)));
    await setup.timeline.advance(0);
  }
  return callers;
}

describe("single flight", () => {
  test("shares one survey among a hundred concurrent requests, and charges only the first", async () => {
    const setup = await arrange({ hold: true });
    const callers = Array.from({ length: 100 }, () => setup.call());
    await setup.timeline.advance(0);
    await setup.release();
    expect(new Set(callers.map((caller) => caller.state()))).toEqual(new Set(["answer"]));
    expect(setup.calls).toMatchObject({ survey: 1, save: 1, find: 1 });
    expect(callers.map(({ requester }) => requester.requests).join("")).toBe(`1${"0".repeat(99)}`);
    const answers = await Promise.all(callers.map(({ result }) => result));
    const [paid, joined] = [answers[0], answers[99]].map((result) =>
      result === "left" ? undefined : result,
    );
    expect(paid?.limits).toEqual(CHARGED);
    expect(joined).toEqual(expect.objectContaining({ ...paid, limits: [] }));
    expect(await setup.call().result).toMatchObject({ kind: "answer", limits: [] });
  });

  test("shares a refresh, separately from a lookup of the same address", async () => {
    const setup = await arrange({ hold: true });
    const callers = [0, 1, 2, 3].map((n) => setup.call(ADDRESS, { refresh: n % 2 === 1 }));
    await setup.timeline.advance(0);
    expect(setup.held()).toHaveLength(2);
    await setup.release();
    await setup.release();
    expect(states(callers)).toBe("answer answer answer answer");
    expect(callers.map(({ requester }) => requester.requests)).toEqual([1, 1, 0, 0]);
    expect(setup.calls).toMatchObject({ survey: 2, askAll: 1 });
  });

  test("requests an admission for each joined caller in turn until one is admitted", async () => {
    const setup = await arrange();
    const requesters = ["deny", "deny", "admit", "deny", "admit"].map((verdict) =>
      makeRequester(verdict as "admit" | "deny", () => settle()),
    );
    const callers = requesters.map((requester) => setup.call(ADDRESS, { requester }));
    await Promise.all(callers.map(({ result }) => result));
    expect(states(callers)).toBe("refused refused answer answer answer");
    expect(requesters.map(({ requests }) => requests)).toEqual([1, 1, 1, 0, 0]);
    expect(setup.calls.survey).toBe(1);
  });

  test("fails only the caller whose admission throws", async () => {
    const setup = await arrange();
    const requester = { ...makeRequester(), admit: () => Promise.reject(new Error("out of order")) };
    const broken = setup.call(ADDRESS, { requester });
    const other = setup.call();
    await expect(broken.result).rejects.toThrow("out of order");
    expect(await other.result).toMatchObject({ kind: "answer" });
  });
});

describe("limits of a result", () => {
  test("are reported only to the charged caller, before its survey starts", async () => {
    const setup = await arrange({ hold: true, maxSurveys: 1 });
    await callInTurn(setup, 1);
    const seen: string[] = [];
    const watchAs = (name: string) => (event: SurveyEvent) => void seen.push(`${name} ${event.kind}`);
    const chargedCaller = setup.call(OTHER, { watch: watchAs("chargedCaller") });
    setup.call(OTHER, { watch: watchAs("joined") });
    await setup.timeline.advance(0);
    expect(seen).toEqual(["chargedCaller admitted", "chargedCaller queued", "joined queued"]);
    expect(chargedCaller.state()).toBe("waiting");
  });

  test("lack the open allowance once that is refunded", async () => {
    const setup = await arrange({ runs: [UNANSWERED], maxSurveys: 1, maxWaitMs: 15_000 });
    expect(await setup.call().result).toMatchObject({ kind: "answer", limits: REFUNDED });
    setup.hold();
    await callInTurn(setup, 1);
    const late = setup.call(OTHER);
    await setup.timeline.advance(15_000);
    expect(await late.result).toMatchObject({ kind: "overloaded", limits: REFUNDED });
  });
});

describe("a caller that leaves", () => {
  test("does not end a survey that has started, charged or not, and its report is kept", async () => {
    const setup = await arrange({ hold: true });
    const alone = setup.call();
    await setup.timeline.advance(0);
    alone.leave();
    await setup.timeline.advance(0);
    expect(alone.state()).toBe("left");
    await setup.release();
    expect(alone.requester.refunds).toBe(0);
    expect((await setup.answer()).tier).toBe("cache");
    expect(setup.calls.survey).toBe(1);
  });

  test.each(["while its admission is decided", "while it waits for its turn"])(
    "starts no survey when it leaves %s, is refunded once, and frees its place",
    async (when) => {
      const setup = await arrange({ hold: true, maxSurveys: 1, maxWaiting: 1 });
      const [running] = await callInTurn(setup, 1);
      const answer = Promise.withResolvers<void>();
      const slow = when === "while its admission is decided" ? () => answer.promise : undefined;
      const leaving = setup.call(ADDRESS, { requester: makeRequester("admit", slow) });
      await setup.timeline.advance(0);
      expect(await setup.call(at(9)).result).toMatchObject({ kind: "overloaded" });
      leaving.leave();
      answer.resolve();
      await setup.timeline.advance(0);
      expect(leaving.requester).toMatchObject({ requests: 1, refunds: 1 });
      const [next] = await callInTurn(setup, 1, 1);
      await setup.release();
      await setup.release();
      expect(states([running, leaving, next].filter((one) => one !== undefined))).toBe("answer left answer");
      expect(setup.calls.survey).toBe(2);
      expect(setup.timeline.timers()).toBe(0);
    },
  );

  test("gives its place to the next caller, which requests its own admission", async () => {
    const setup = await arrange({ hold: true, maxSurveys: 1 });
    await callInTurn(setup, 1);
    const callers = [
      setup.call(),
      setup.call(ADDRESS, { requester: makeRequester("deny") }),
      setup.call(),
      setup.call(),
    ];
    await setup.timeline.advance(0);
    callers[0]?.leave();
    await setup.timeline.advance(0);
    expect(states(callers)).toBe("left refused waiting waiting");
    await setup.release();
    await setup.release(ADDRESS.text);
    expect(states(callers)).toBe("left refused answer answer");
    expect(callers.map(({ requester }) => [requester.requests, requester.refunds])).toEqual([
      [1, 1],
      [1, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  test("starts no survey when it leaves while the store is read", async () => {
    const setup = await arrange();
    const caller = setup.call();
    caller.leave();
    await setup.timeline.advance(0);
    expect(caller.state()).toBe("left");
    expect(caller.requester.requests).toBe(0);
    expect(setup.calls.survey).toBe(0);
  });
});

describe("the queue of surveys", () => {
  test("runs and queues up to its limits, in order, and refuses the next request without an admission", async () => {
    const setup = await arrange({ hold: true, maxSurveys: 2, maxWaiting: 3 });
    const callers = await callInTurn(setup, 7);
    expect(states(callers)).toBe("waiting waiting waiting waiting waiting overloaded overloaded");
    expect(callers.map(({ requester }) => requester.requests)).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(setup.held()).toEqual(["8.8.6.0", "8.8.6.1"]);
    await setup.release("8.8.6.1");
    expect(setup.held()).toEqual(["8.8.6.0", "8.8.6.2"]);
    await setup.release("8.8.6.0");
    expect(setup.held()).toEqual(["8.8.6.2", "8.8.6.3"]);
    const late = await callInTurn(setup, 3, 7);
    expect(states(late)).toBe("waiting waiting overloaded");
    for (const next of [2, 3, 4, 7, 8]) await setup.release(`8.8.6.${next}`);
    expect(states(callers)).toBe("answer answer answer answer answer overloaded overloaded");
    expect(states(late)).toBe("answer answer overloaded");
  });

  test("still answers from memory and joins running surveys when it is full", async () => {
    const setup = await arrange({ maxSurveys: 1, maxWaiting: 0 });
    await setup.answer(at(1));
    setup.hold();
    const running = setup.call();
    await setup.timeline.advance(0);
    const joined = setup.call();
    expect(await setup.call(at(2)).result).toMatchObject({ kind: "overloaded" });
    expect((await setup.answer(at(1))).tier).toBe("cache");
    await setup.release();
    expect(await running.result).toMatchObject({ kind: "answer" });
    expect(await joined.result).toMatchObject({ kind: "answer" });
  });

  test("ends callers that have waited too long, refunds them, and keeps the place for the next", async () => {
    const setup = await arrange({ hold: true, maxSurveys: 1, maxWaiting: 1, maxWaitMs: 15_000 });
    await callInTurn(setup, 1);
    const early = setup.call();
    await setup.timeline.advance(5000);
    const late = setup.call();
    await setup.timeline.advance(9999);
    expect(states([early, late])).toBe("waiting waiting");
    await setup.timeline.advance(1);
    expect(states([early, late])).toBe("overloaded waiting");
    expect(early.requester).toMatchObject({ requests: 1, refunds: 1 });
    expect(late.requester).toMatchObject({ requests: 1, refunds: 0 });
    await setup.timeline.advance(5000);
    expect(states([early, late])).toBe("overloaded overloaded");
    expect(late.requester.refunds).toBe(1);
    const [next] = await callInTurn(setup, 1, 5);
    await setup.release();
    expect(setup.held()).toEqual(["8.8.6.5"]);
    await setup.release();
    expect(next?.state()).toBe("answer");
    expect(setup.calls.survey).toBe(2);
    expect(setup.timeline.timers()).toBe(0);
  });

  test.each([
    // Three wait before a new request and two run: two rounds.
    [4000, 7900, 8001],
    [1, 1000, 1001],
    [90_000, 60_000, 60_001],
  ])(
    "says after surveys of %d ms to come again in %d ms, from a second to a minute",
    async (took, from, to) => {
      const setup = await arrange({ hold: true, maxSurveys: 2, maxWaiting: 3 });
      for (let n = 0; n < 20; n += 1) {
        const callers = await callInTurn(setup, 2, 10 + n * 2);
        await setup.timeline.advance(took);
        for (const _ of callers) await setup.release();
      }
      await callInTurn(setup, 5, 60);
      const refused = await setup.call(at(70)).result;
      if (refused === "left" || refused.kind !== "overloaded") expect.unreachable();
      else expect(refused.retryAfterMs).toBeWithin(from, to);
      for (let n = 0; n < 5; n += 1) await setup.release();
    },
  );
});

describe("progress", () => {
  const started: SurveyEvent = { kind: "started", sources: expect.any(Array) };
  const ended: readonly SurveyEvent[] = [
    { kind: "source", id: "a", name: "The a", state: "answered", ms: 5 },
    { kind: "source", id: "b", name: "The b", state: "empty", ms: 5 },
    { kind: "source", id: "t", name: "The t", state: "answered", ms: 5 },
  ];

  test("reports the sources and the end of each, and the earlier events to a late watcher", async () => {
    const setup = await arrange({ hold: true, maxSurveys: 1 });
    const [running] = await callInTurn(setup, 1);
    expect(running?.seen).toEqual([
      {
        kind: "started",
        sources: [
          { id: "a", name: "The a" },
          { id: "b", name: "The b" },
          { id: "t", name: "The t" },
        ],
      },
    ]);
    const waiting = setup.call();
    await setup.timeline.advance(0);
    expect(waiting.seen).toEqual([{ kind: "queued" }]);
    await setup.release();
    expect(waiting.seen).toEqual([{ kind: "queued" }, started]);
    const late = setup.call();
    await setup.timeline.advance(0);
    expect(late.seen).toEqual(waiting.seen);
    await setup.release();
    expect(waiting.seen).toEqual([{ kind: "queued" }, started, ...ended]);
    expect(late.seen).toEqual(waiting.seen);
  });

  test("reports nothing before the admission, and nothing without a survey", async () => {
    const setup = await arrange({ hold: true, maxSurveys: 1 });
    await callInTurn(setup, 1);
    const denied = setup.call(ADDRESS, { requester: makeRequester("deny") });
    await denied.result;
    expect(denied.seen).toEqual([]);
    await setup.release();
    const known = setup.call(at(0));
    await known.result;
    expect(known.seen).toEqual([]);
  });

  test("reports nothing to a caller that has left", async () => {
    const setup = await arrange({ hold: true });
    const leaving = setup.call();
    const staying = setup.call();
    await setup.timeline.advance(0);
    leaving.leave();
    await setup.release();
    expect(leaving.seen).toEqual([started]);
    expect(staying.seen).toEqual([started, ...ended]);
  });

  test("drops a watcher that throws, without an effect on the survey or the others", async () => {
    const setup = await arrange();
    let shown = 0;
    const broken = setup.call(ADDRESS, {
      watch() {
        shown += 1;
        throw new Error("cannot look");
      },
    });
    const other = setup.call();
    expect(await broken.result).toMatchObject({ kind: "answer" });
    expect(other.seen).toEqual([started, ...ended]);
    expect(shown).toBe(1);
    expect(setup.logged).toEqual(["watcher_broken"]);
  });

  test("handles a watcher that leaves while it receives the earlier events", async () => {
    const setup = await arrange({ hold: true });
    const first = setup.call();
    await setup.timeline.advance(0);
    const seen: SurveyEvent[] = [];
    const hasty = setup.call(ADDRESS, {
      watch(event) {
        seen.push(event);
        hasty.leave();
      },
    });
    await setup.timeline.advance(0);
    await setup.release();
    expect(hasty.state()).toBe("left");
    expect(seen).toEqual([started]);
    expect(first.state()).toBe("answer");
  });
});

describe("createSharedSurveys()", () => {
  type Step =
    | { readonly kind: "call"; readonly key: number; readonly admits: boolean; readonly slow: boolean }
    | { readonly kind: "leave" | "finish" | "answer"; readonly which: number }
    | { readonly kind: "wait"; readonly ms: number };

  function openSurveys(maxRunning: number, maxWaiting: number) {
    const timeline = createTimeline();
    const queue = createQueue({ maxRunning, maxWaiting });
    const admissions = createRequesterAdmissions();
    const { now, after } = timeline;
    const onBrokenWatcher = () => expect.unreachable();
    const bounds = { maxRunning, maxWaitMs: 1000 };
    const surveys = createSharedSurveys({ queue, admissions, ...bounds, now, after, onBrokenWatcher });
    return { timeline, queue, admissions, surveys };
  }

  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("call" as const),
        key: fc.nat(7),
        admits: fc.boolean().chain((coin) => (coin ? fc.constant(true) : fc.boolean())),
        slow: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom("leave" as const, "finish" as const, "answer" as const),
        which: fc.nat(20),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 700 }) }),
    },
  );

  test("never exceeds its limits, ends for every caller, charges exactly the started surveys, and frees every place", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60, size: "max" }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(3),
        fc.boolean(),
        async (steps, maxRunning, maxWaiting, isRefundable) => {
          const { timeline, queue, admissions, surveys } = openSurveys(maxRunning, maxWaiting);
          const running: (() => void)[] = [];
          const answers: (() => void)[] = [];
          const ends: string[] = [];
          const leaving: AbortController[] = [];
          const waitedMs: number[] = [];
          let startedCount = 0;
          let admitted = 0;
          const requesters: Requester[] = [];

          function call(one: Step & { kind: "call" }): void {
            const leave = new AbortController();
            const calledAt = timeline.now();
            const index = leaving.push(leave) - 1;
            ends.push("");
            let isStarted = false;
            const requester = {
              requests: 0,
              refunds: 0,
              async admit(): Promise<Admission> {
                if (one.slow) await new Promise<void>((answer) => answers.push(answer));
                if (!one.admits) return { admitted: false, refusal: REFUSAL, limits: [], remaining: 0 };
                admitted += 1;
                return { admitted: true, limits: CHARGED, remaining: 4 };
              },
            };
            requesters.push(requester);
            void surveys
              .join(
                {
                  address: at(one.key),
                  refresh: false,
                  client: admissions.clientOf(requester),
                  watch(event) {
                    if (event.kind === "started") isStarted = true;
                  },
                },
                async () => {
                  startedCount += 1;
                  await new Promise<void>((end) => running.push(end));
                  return { answer: {}, isRefundable: isRefundable } as SurveyOutcome;
                },
                leave.signal,
              )
              .then(
                ({ kind }) => {
                  ends[index] = kind;
                  if (kind === "overloaded" && !isStarted) waitedMs.push(timeline.now() - calledAt);
                },
                () => {
                  ends[index] = "left";
                },
              );
          }

          for (const one of steps) {
            if (one.kind === "call") call(one);
            else if (one.kind === "leave") leaving[one.which]?.abort();
            else if (one.kind === "finish") running.splice(one.which % Math.max(1, running.length), 1)[0]?.();
            else if (one.kind === "answer") answers.splice(one.which % Math.max(1, answers.length), 1)[0]?.();
            else if (one.kind === "wait") await timeline.advance(one.ms);
            await settle();
            expect(running.length).toBeLessThanOrEqual(maxRunning);
          }
          while (running.length + answers.length > 0) {
            for (const end of [...running.splice(0), ...answers.splice(0)]) end();
            await settle();
            expect(running.length).toBeLessThanOrEqual(maxRunning);
          }
          expect(ends).not.toContain("");
          expect(waitedMs.every((ms) => ms === 0 || ms === 1000)).toBe(true);
          const refunds = requesters.reduce((sum, requester) => sum + requester.refunds, 0);
          expect(admitted - refunds).toBe(isRefundable ? 0 : startedCount);
          expect(timeline.timers()).toBe(0);
          const places = Array.from({ length: maxRunning + maxWaiting + 1 }, () => queue.enter());
          expect(places.map((place) => place?.hasTurn)).toEqual([
            ...Array<true>(maxRunning).fill(true),
            ...Array<false>(maxWaiting).fill(false),
            undefined,
          ]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("frees the place, refunds the admission and fails every caller when the work throws", async () => {
    const { queue, admissions, surveys } = openSurveys(1, 0);
    const requester = makeRequester();
    const join = () =>
      surveys
        .join(
          { address: ADDRESS, refresh: false, client: admissions.clientOf(requester) },
          () => Promise.reject(new Error("a bug")),
          new AbortController().signal,
        )
        .catch(String);
    expect(await Promise.all([join(), join()])).toEqual(["Error: a bug", "Error: a bug"]);
    expect(requester).toMatchObject({ requests: 1, refunds: 1 });
    expect(queue.enter()?.hasTurn).toBe(true);
  });
});
