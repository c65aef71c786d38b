import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createQueue } from "#concurrency";
import type { Admission } from "#limits";
import type { SurveyEvent } from "#lookup";
import {
  createProgress,
  createRetryEstimate,
  createSharedSurveys,
  type SurveyOutcome,
} from "../../src/lookup/shared_surveys.ts";
import {
  ADDRESS,
  type Arranged,
  type Asker,
  arrange,
  type Caller,
  CHARGED,
  createAskerAdmissions,
  makeAsker,
  OTHER,
  REFUNDED,
  REFUSAL,
  readAddress,
  tidy,
  UNHEARD,
} from "./arrange.ts";
import { createTimeline, settle } from "./timeline.ts";

afterEach(tidy);

function at(n: number) {
  return readAddress(`8.8.6.${n}`);
}

function states(callers: readonly Caller[]): string {
  return callers.map((caller) => caller.state()).join(" ");
}

/** Callers of addresses of their own, each let in before the next comes. */
async function callInTurn(world: Arranged, count: number, first = 0): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let n = first; n < first + count; n += 1) {
    callers.push(world.call(at(n)));
    await world.timeline.advance(0);
  }
  return callers;
}

describe("single flight", () => {
  test("shares one survey among a hundred who ask at once, and only the first pays", async () => {
    const world = await arrange();
    world.hold();
    const callers = Array.from({ length: 100 }, () => world.call());
    await world.timeline.advance(0);
    await world.release();
    expect(new Set(callers.map((caller) => caller.state()))).toEqual(new Set(["answer"]));
    expect(world.calls).toMatchObject({ survey: 1, save: 1, find: 1 });
    expect(callers.map(({ asker }) => asker.asked).join("")).toBe(`1${"0".repeat(99)}`);
    const answers = await Promise.all(callers.map(({ result }) => result));
    const [paid, joined] = [answers[0], answers[99]].map((result) =>
      result === "left" ? undefined : result,
    );
    expect(joined).toEqual(expect.objectContaining({ ...paid, limits: [] }));
  });

  test("shares a refresh, apart from a lookup of the same address", async () => {
    const world = await arrange();
    world.hold();
    const callers = [0, 1, 2, 3].map((n) => world.call(ADDRESS, { refresh: n % 2 === 1 }));
    await world.timeline.advance(0);
    expect(world.held()).toHaveLength(2);
    await world.release();
    await world.release();
    expect(states(callers)).toBe("answer answer answer answer");
    expect(callers.map(({ asker }) => asker.asked)).toEqual([1, 1, 0, 0]);
    expect(world.calls).toMatchObject({ survey: 2, everyone: 1 });
  });

  test("lets those who joined a denied caller try for themselves, in turn, until one is admitted for the rest", async () => {
    const world = await arrange();
    const askers = ["deny", "deny", "admit", "deny", "admit"].map((verdict) =>
      makeAsker(verdict as "admit" | "deny", () => settle()),
    );
    const callers = askers.map((asker) => world.call(ADDRESS, { asker }));
    await Promise.all(callers.map(({ result }) => result));
    expect(states(callers)).toBe("refused refused answer answer answer");
    expect(askers.map(({ asked }) => asked)).toEqual([1, 1, 1, 0, 0]);
    expect(world.calls.survey).toBe(1);
  });

  test("asks each of a thousand denied once, and begins nothing", async () => {
    const world = await arrange({ maxSurveys: 1, maxWaiting: 0 });
    const asker = makeAsker("deny");
    const callers = Array.from({ length: 1000 }, () => world.call(ADDRESS, { asker }));
    await Promise.all(callers.map(({ result }) => result));
    expect(new Set(callers.map((caller) => caller.state()))).toEqual(new Set(["refused"]));
    expect(asker.asked).toBe(1000);
    expect(world.calls.survey).toBe(0);
    expect((await world.answer(at(1))).tier).toBe("fresh");
  });

  test("fails only the caller whose admission throws", async () => {
    const world = await arrange();
    const asker = { ...makeAsker(), admit: () => Promise.reject(new Error("out of order")) };
    const broken = world.call(ADDRESS, { asker });
    const other = world.call();
    await expect(broken.result).rejects.toThrow("out of order");
    expect(await other.result).toMatchObject({ kind: "answer" });
  });
});

describe("limits of a result", () => {
  test("are reported to the caller that pays before its survey starts, and to nobody else", async () => {
    const world = await arrange({ maxSurveys: 1 });
    world.hold();
    await callInTurn(world, 1);
    const seen: string[] = [];
    const watchAs = (name: string) => (event: SurveyEvent) => void seen.push(`${name} ${event.kind}`);
    const payer = world.call(OTHER, { watch: watchAs("payer") });
    world.call(OTHER, { watch: watchAs("joined") });
    await world.timeline.advance(0);
    expect(seen).toEqual(["payer admitted", "payer queued", "joined queued"]);
    expect(payer.state()).toBe("waiting");
  });

  test("are those of the admission for the caller that paid, and none for those that joined", async () => {
    const world = await arrange();
    const [payer, joined] = [world.call(), world.call()];
    expect(await payer.result).toMatchObject({ kind: "answer", limits: CHARGED });
    expect(await joined.result).toMatchObject({ kind: "answer", limits: [] });
    expect(await world.call().result).toMatchObject({ kind: "answer", limits: [] });
  });

  test("lack the open allowance once that is refunded", async () => {
    const world = await arrange({ runs: [UNHEARD], maxSurveys: 1, maxWaitMs: 15_000 });
    expect(await world.call().result).toMatchObject({ kind: "answer", limits: REFUNDED });
    world.hold();
    await callInTurn(world, 1);
    const late = world.call(OTHER);
    await world.timeline.advance(15_000);
    expect(await late.result).toMatchObject({ kind: "overloaded", limits: REFUNDED });
  });

  test("are empty where the admission is still being asked when the caller gives up", async () => {
    const world = await arrange({ maxSurveys: 1 });
    world.hold();
    await callInTurn(world, 1);
    const admission = Promise.withResolvers<void>();
    const late = world.call(OTHER, { asker: makeAsker("admit", () => admission.promise) });
    await world.timeline.advance(15_000);
    expect(await late.result).toMatchObject({ kind: "overloaded", limits: [] });
    admission.resolve();
    await world.timeline.advance(0);
    expect(late.asker.givenBack).toBe(1);
  });

  test("are those of the refusal for the caller that is refused", async () => {
    const world = await arrange();
    const refused = world.call(ADDRESS, { asker: makeAsker("deny") });
    expect(await refused.result).toEqual({ kind: "refused", refusal: REFUSAL, limits: [] });
  });
});

describe("a caller that leaves", () => {
  test("does not end a survey that has begun, paid or not, and its answer is kept", async () => {
    const world = await arrange();
    world.hold();
    const alone = world.call();
    await world.timeline.advance(0);
    alone.leave();
    await world.timeline.advance(0);
    expect(alone.state()).toBe("left");
    await world.release();
    expect(alone.asker.givenBack).toBe(0);
    expect((await world.answer()).tier).toBe("cache");
    expect(world.calls.survey).toBe(1);
  });

  test("does not end a survey for the others", async () => {
    const world = await arrange();
    world.hold();
    const callers = [world.call(), world.call(), world.call()];
    await world.timeline.advance(0);
    callers[0]?.leave();
    callers[1]?.leave();
    await world.timeline.advance(0);
    expect(states(callers)).toBe("left left waiting");
    await world.release();
    expect(states(callers)).toBe("left left answer");
  });

  test.each(["while leave is asked", "while it waits for its turn"])(
    "begins no survey %s, gets its leave back once, and frees its place",
    async (when) => {
      const world = await arrange({ maxSurveys: 1, maxWaiting: 1 });
      world.hold();
      const [running] = await callInTurn(world, 1);
      const answer = Promise.withResolvers<void>();
      const slow = when === "while leave is asked" ? () => answer.promise : undefined;
      const leaving = world.call(ADDRESS, { asker: makeAsker("admit", slow) });
      await world.timeline.advance(0);
      expect(await world.call(at(9)).result).toMatchObject({ kind: "overloaded" });
      leaving.leave();
      answer.resolve();
      await world.timeline.advance(0);
      expect(leaving.asker).toMatchObject({ asked: 1, givenBack: 1 });
      const [next] = await callInTurn(world, 1, 1);
      await world.release();
      await world.release();
      expect(states([running, leaving, next].filter((one) => one !== undefined))).toBe("answer left answer");
      expect(world.calls.survey).toBe(2);
      expect(world.timeline.timers()).toBe(0);
    },
  );

  test("hands its place to the next, who asks for himself", async () => {
    const world = await arrange({ maxSurveys: 1 });
    world.hold();
    await callInTurn(world, 1);
    const callers = [
      world.call(),
      world.call(ADDRESS, { asker: makeAsker("deny") }),
      world.call(),
      world.call(),
    ];
    await world.timeline.advance(0);
    callers[0]?.leave();
    await world.timeline.advance(0);
    expect(states(callers)).toBe("left refused waiting waiting");
    await world.release();
    await world.release(ADDRESS.text);
    expect(states(callers)).toBe("left refused answer answer");
    expect(callers.map(({ asker }) => [asker.asked, asker.givenBack])).toEqual([
      [1, 1],
      [1, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  test("leaves while the store is asked, and starts nothing", async () => {
    const world = await arrange();
    const caller = world.call();
    caller.leave();
    await world.timeline.advance(0);
    expect(caller.state()).toBe("left");
    expect(caller.asker.asked).toBe(0);
    expect(world.calls.survey).toBe(0);
  });
});

describe("the queue of surveys", () => {
  test("runs so many, lets so many wait in order, and refuses the next without asking leave", async () => {
    const world = await arrange({ maxSurveys: 2, maxWaiting: 3 });
    world.hold();
    const callers = await callInTurn(world, 7);
    expect(states(callers)).toBe("waiting waiting waiting waiting waiting overloaded overloaded");
    expect(callers.map(({ asker }) => asker.asked)).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(world.held()).toEqual(["8.8.6.0", "8.8.6.1"]);
    await world.release("8.8.6.1");
    expect(world.held()).toEqual(["8.8.6.0", "8.8.6.2"]);
    await world.release("8.8.6.0");
    expect(world.held()).toEqual(["8.8.6.2", "8.8.6.3"]);
    const late = await callInTurn(world, 3, 7);
    expect(states(late)).toBe("waiting waiting overloaded");
    for (const next of [2, 3, 4, 7, 8]) await world.release(`8.8.6.${next}`);
    expect(states(callers)).toBe("answer answer answer answer answer overloaded overloaded");
    expect(states(late)).toBe("answer answer overloaded");
  });

  test("still answers what it knows and joins what is under way when it is full", async () => {
    const world = await arrange({ maxSurveys: 1, maxWaiting: 0 });
    await world.answer(at(1));
    world.hold();
    const running = world.call();
    await world.timeline.advance(0);
    const joined = world.call();
    expect(await world.call(at(2)).result).toMatchObject({ kind: "overloaded" });
    expect((await world.answer(at(1))).tier).toBe("cache");
    await world.release();
    expect(await running.result).toMatchObject({ kind: "answer" });
    expect(await joined.result).toMatchObject({ kind: "answer" });
  });

  test("frees the place of a denied caller at once", async () => {
    const world = await arrange({ maxSurveys: 1, maxWaiting: 0 });
    await world.call(ADDRESS, { asker: makeAsker("deny") }).result;
    expect((await world.answer(at(1))).tier).toBe("fresh");
  });

  test("gives up on whoever has waited too long, with leave given back, and keeps the place for the next", async () => {
    const world = await arrange({ maxSurveys: 1, maxWaiting: 1, maxWaitMs: 15_000 });
    world.hold();
    await callInTurn(world, 1);
    const early = world.call();
    await world.timeline.advance(5000);
    const late = world.call();
    await world.timeline.advance(9999);
    expect(states([early, late])).toBe("waiting waiting");
    await world.timeline.advance(1);
    expect(states([early, late])).toBe("overloaded waiting");
    expect(early.asker).toMatchObject({ asked: 1, givenBack: 1 });
    expect(late.asker).toMatchObject({ asked: 1, givenBack: 0 });
    await world.timeline.advance(5000);
    expect(states([early, late])).toBe("overloaded overloaded");
    expect(late.asker.givenBack).toBe(1);
    const [next] = await callInTurn(world, 1, 5);
    await world.release();
    expect(world.held()).toEqual(["8.8.6.5"]);
    await world.release();
    expect(next?.state()).toBe("answer");
    expect(world.calls.survey).toBe(2);
    expect(world.timeline.timers()).toBe(0);
  });

  test("does not give up on what has begun", async () => {
    const world = await arrange({ maxSurveys: 1 });
    world.hold();
    const [first, second] = await callInTurn(world, 2);
    await world.timeline.advance(14_999);
    await world.release();
    await world.timeline.advance(60_000);
    expect(states([first, second].filter((one) => one !== undefined))).toBe("answer waiting");
    await world.release();
    expect(second?.state()).toBe("answer");
  });

  test("says when to come back by how long surveys take and how many wait", async () => {
    const world = await arrange({ maxSurveys: 2, maxWaiting: 3 });
    world.hold();
    const measure = async (durationMs: number): Promise<unknown> => {
      for (let n = 0; n < 20; n += 1) {
        const callers = await callInTurn(world, 2, 10 + n * 2);
        await world.timeline.advance(durationMs);
        for (const _ of callers) await world.release();
      }
      await callInTurn(world, 5, 60);
      const refused = await world.call(at(70)).result;
      for (let n = 0; n < 5; n += 1) await world.release();
      await world.timeline.advance(600_001);
      return refused === "left" || refused.kind !== "overloaded" ? refused : refused.retryAfterMs;
    };
    // Three wait before a newcomer, two run: two rounds.
    expect(await measure(4000)).toBeWithin(7900, 8001);
  });

  test.each([
    ["a second at least", 100, 10, 1000],
    ["a minute at most", 1, 90_000, 60_000],
  ])("says %s", (_, maxRunning, tookMs, retryAfterMs) => {
    const estimate = createRetryEstimate(maxRunning);
    for (let n = 0; n < 20; n += 1) estimate.record(tookMs);
    expect(estimate.retryAfterMs(0)).toBe(retryAfterMs);
  });
});

describe("progress", () => {
  const started: SurveyEvent = { kind: "started", sources: expect.any(Array) };
  const ended: readonly SurveyEvent[] = [
    { kind: "source", id: "a", name: "The a", state: "answered", ms: 5 },
    { kind: "source", id: "b", name: "The b", state: "empty", ms: 5 },
    { kind: "source", id: "t", name: "The t", state: "answered", ms: 5 },
  ];

  test("tells who is asked and how each ended, and a late one what has happened so far", async () => {
    const world = await arrange({ maxSurveys: 1 });
    world.hold();
    const [running] = await callInTurn(world, 1);
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
    const waiting = world.call();
    await world.timeline.advance(0);
    expect(waiting.seen).toEqual([{ kind: "queued" }]);
    await world.release();
    expect(waiting.seen).toEqual([{ kind: "queued" }, started]);
    const late = world.call();
    await world.timeline.advance(0);
    expect(late.seen).toEqual(waiting.seen);
    await world.release();
    expect(waiting.seen).toEqual([{ kind: "queued" }, started, ...ended]);
    expect(late.seen).toEqual(waiting.seen);
  });

  test("says once that it waits, although its place changes hands", async () => {
    const world = await arrange({ maxSurveys: 1 });
    world.hold();
    await callInTurn(world, 1);
    const [first, second] = [world.call(), world.call()];
    await world.timeline.advance(0);
    first.leave();
    await world.timeline.advance(0);
    expect(second.asker.asked).toBe(1);
    expect(second.seen).toEqual([{ kind: "queued" }]);
  });

  test("tells nothing before leave, nor where there is no survey", async () => {
    const world = await arrange({ maxSurveys: 1 });
    world.hold();
    await callInTurn(world, 1);
    const denied = world.call(ADDRESS, { asker: makeAsker("deny") });
    await denied.result;
    expect(denied.seen).toEqual([]);
    await world.release();
    const known = world.call(at(0));
    await known.result;
    expect(known.seen).toEqual([]);
  });

  test("tells nothing more to one who has left", async () => {
    const world = await arrange();
    world.hold();
    const leaving = world.call();
    const staying = world.call();
    await world.timeline.advance(0);
    leaving.leave();
    await world.release();
    expect(leaving.seen).toEqual([started]);
    expect(staying.seen).toEqual([started, ...ended]);
  });

  test("drops a watcher that throws, harming neither the survey nor the others", async () => {
    const world = await arrange();
    let shown = 0;
    const broken = world.call(ADDRESS, {
      watch() {
        shown += 1;
        throw new Error("cannot look");
      },
    });
    const other = world.call();
    expect(await broken.result).toMatchObject({ kind: "answer" });
    expect(other.seen).toEqual([started, ...ended]);
    expect(shown).toBe(1);
    expect(world.logged).toEqual(["watcher_broken"]);
  });

  test("survives a watcher that leaves while it is told the past", async () => {
    const world = await arrange();
    world.hold();
    const first = world.call();
    await world.timeline.advance(0);
    const seen: SurveyEvent[] = [];
    const hasty = world.call(ADDRESS, {
      watch(event) {
        seen.push(event);
        hasty.leave();
      },
    });
    await world.timeline.advance(0);
    await world.release();
    expect(hasty.state()).toBe("left");
    expect(seen).toEqual([started]);
    expect(first.state()).toBe("answer");
  });

  test("shows the past no further to a watcher that throws on it", () => {
    const broken: unknown[] = [];
    const progress = createProgress((error) => broken.push(error));
    progress.report({ kind: "queued" });
    progress.report({ kind: "started", sources: [] });
    progress.join(() => {
      throw new Error("cannot look");
    });
    progress.report({ kind: "queued" });
    expect(broken).toEqual([new Error("cannot look")]);
  });
});

describe("createSharedSurveys()", () => {
  type Step =
    | { readonly kind: "call"; readonly key: number; readonly admits: boolean; readonly slow: boolean }
    | { readonly kind: "leave" | "finish" | "answer"; readonly which: number }
    | { readonly kind: "wait"; readonly ms: number };

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

  test("never runs too many, ends for everyone, keeps a leave exactly where work began, and loses no place", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60, size: "max" }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(3),
        fc.boolean(),
        async (steps, maxRunning, maxWaiting, isOwed) => {
          const timeline = createTimeline();
          const queue = createQueue({ maxRunning, maxWaiting });
          const admissions = createAskerAdmissions();
          const surveys = createSharedSurveys({
            queue,
            admissions,
            maxRunning,
            maxWaitMs: 1000,
            now: timeline.now,
            after: timeline.after,
            onBrokenWatcher: () => expect.unreachable(),
          });
          const running: (() => void)[] = [];
          const answers: (() => void)[] = [];
          const ends: string[] = [];
          const leaving: AbortController[] = [];
          const waitedMs: number[] = [];
          let begun = 0;
          let admitted = 0;
          const askers: Asker[] = [];

          function call(one: Step & { kind: "call" }): void {
            const leave = new AbortController();
            const calledAt = timeline.now();
            const index = leaving.push(leave) - 1;
            ends.push("");
            let isBegun = false;
            const asker = {
              asked: 0,
              givenBack: 0,
              async admit(): Promise<Admission> {
                if (one.slow) await new Promise<void>((answer) => answers.push(answer));
                if (!one.admits) return { admitted: false, refusal: REFUSAL, limits: [], remaining: 0 };
                admitted += 1;
                return { admitted: true, limits: CHARGED, remaining: 4 };
              },
            };
            askers.push(asker);
            void surveys
              .join(
                {
                  address: at(one.key),
                  refresh: false,
                  client: admissions.clientOf(asker),
                  watch(event) {
                    if (event.kind === "started") isBegun = true;
                  },
                },
                async () => {
                  begun += 1;
                  await new Promise<void>((end) => running.push(end));
                  return { answer: {}, isRefundable: isOwed } as SurveyOutcome;
                },
                leave.signal,
              )
              .then(
                ({ kind }) => {
                  ends[index] = kind;
                  if (kind === "overloaded" && !isBegun) waitedMs.push(timeline.now() - calledAt);
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
          const givenBack = askers.reduce((sum, asker) => sum + asker.givenBack, 0);
          expect(admitted - givenBack).toBe(isOwed ? 0 : begun);
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

  test("gives the place and the leave back when the work throws, and fails everyone", async () => {
    const timeline = createTimeline();
    const queue = createQueue({ maxRunning: 1, maxWaiting: 0 });
    const admissions = createAskerAdmissions();
    const surveys = createSharedSurveys({
      queue,
      admissions,
      maxRunning: 1,
      maxWaitMs: 1000,
      now: timeline.now,
      after: timeline.after,
      onBrokenWatcher: () => {},
    });
    const asker = makeAsker();
    const join = () =>
      surveys
        .join(
          { address: ADDRESS, refresh: false, client: admissions.clientOf(asker) },
          () => Promise.reject(new Error("a bug")),
          new AbortController().signal,
        )
        .catch(String);
    expect(await Promise.all([join(), join()])).toEqual(["Error: a bug", "Error: a bug"]);
    expect(asker).toMatchObject({ asked: 1, givenBack: 1 });
    expect(queue.enter()?.hasTurn).toBe(true);
  });
});

describe("a survey nobody live answered", () => {
  test("gives leave back exactly once, whoever has left meanwhile", async () => {
    const world = await arrange({ runs: [UNHEARD] });
    world.hold();
    const callers = [world.call(), world.call(), world.call()];
    await world.timeline.advance(0);
    callers[0]?.leave();
    await world.release();
    expect(callers.map(({ asker }) => [asker.asked, asker.givenBack])).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
  });
});
