import { type DnsAnswer, type Upstream, UpstreamError } from "#upstream";
import { checkZoneAnswers } from "./check_zone_answers.ts";
import { classifyZoneAnswer } from "./classify_zone_answer.ts";
import { isNeverSent } from "./is_never_sent.ts";
import type { TestPoints } from "./source.ts";

/**
 * What the self-test of a DNS list found. `retired` = it lists what must not be listed, or somebody else answers
 * in its place; `unknown` = it could not be tested, or does not show the entry that proves it alive.
 */
export interface ZoneVerdict {
  readonly state: "alive" | "retired" | "unknown";
  readonly reason: string;
}

/** Which DNS lists may be believed: the self-test of RFC 5782 §5, remembered for as long as its result deserves. */
export interface ZoneHealth {
  /** What is remembered; undefined = a test is due. */
  recall(key: string): ZoneVerdict | undefined;
  /** What is remembered, by key. */
  states(): readonly { readonly key: string; readonly state: ZoneVerdict["state"] }[];
  /** Tests a zone, or joins the test under way. Never rejects. */
  test(key: string, points: TestPoints, upstream: Upstream, signal: AbortSignal): Promise<ZoneVerdict>;
  /** Notes that an untested zone was silent for as long as it may be, `reason` in a few words: as good as a test. */
  missed(key: string, reason: string): void;
}

const REMEMBERED_MS = { alive: 12 * 3_600_000, retired: 24 * 3_600_000, unknown: 5 * 60_000 } as const;
/**
 * A test that was not heard says nothing that will still be so in a moment; packets get lost. Each one more in a row is
 * remembered twice as long, up to the time of what is unknown: a zone that is gone must not slow every survey.
 */
const UNHEARD_MS = 5_000;
/** A resolver that answers every name with its own page retires every list at once, and may be well again soon. */
const FOREIGN_MS = 5 * 60_000;

interface Memory {
  readonly verdict: ZoneVerdict;
  readonly keptMs: number;
  readonly untilMs: number;
}

/** Creates a {@link ZoneHealth} that remembers one verdict a key. Keys name a zone and an IP version. */
export function createZoneHealth(options: { readonly now: () => number }): ZoneHealth {
  const remembered = new Map<string, Memory>();
  const underWay = new Map<string, Promise<ZoneVerdict | undefined>>();

  function recall(key: string): ZoneVerdict | undefined {
    const known = remembered.get(key);
    return known !== undefined && options.now() < known.untilMs ? known.verdict : undefined;
  }

  /** Undefined: the test was cut short by this side, which says nothing about the zone. */
  async function ask(key: string, points: TestPoints, upstream: Upstream, signal: AbortSignal) {
    const answers = await Promise.allSettled([
      upstream.a(points.listed, signal),
      upstream.a(points.clear, signal),
    ]);
    underWay.delete(key);
    const verdict = judge(...answers);
    if (verdict.state === "unknown" && isCutShort(answers, signal)) return undefined;
    remember(key, verdict, memoryOf(verdict, answers, remembered.get(key)));
    return verdict;
  }

  function remember(key: string, verdict: ZoneVerdict, keptMs: number): void {
    remembered.set(key, { verdict, keptMs, untilMs: options.now() + keptMs });
  }

  return {
    recall,
    states() {
      return [...remembered].flatMap(([key, { verdict, untilMs }]) =>
        options.now() < untilMs ? [{ key, state: verdict.state }] : [],
      );
    },
    async test(key, points, upstream, signal) {
      for (;;) {
        const known = recall(key);
        if (known !== undefined) return known;
        if (signal.aborted) return { state: "unknown", reason: "not tested in time" };
        let running = underWay.get(key);
        if (running === undefined) {
          running = ask(key, points, upstream, signal);
          underWay.set(key, running);
        }
        const verdict = await running;
        if (verdict !== undefined) return verdict;
      }
    },
    missed(key, reason) {
      if (recall(key) === undefined)
        remember(key, { state: "unknown", reason }, memoryOfUnheard(remembered.get(key)));
    },
  };
}

type Settled = PromiseSettledResult<DnsAnswer<string>>;

/**
 * A zone whose name has passed to somebody else answers both points in its own way. Only the clear point answered so
 * is a resolver that invents answers for names that do not exist: its fault, not the zone's.
 */
function judge(listed: Settled, clear: Settled): ZoneVerdict {
  if (isForeign(listed) && isForeign(clear))
    return { state: "retired", reason: "answers outside 127.0.0.0/8" };
  try {
    const [shown, hidden] = [answerOf(listed), answerOf(clear)];
    for (const answer of [shown, hidden]) if (answer.found) checkZoneAnswers(answer.records);
    if (hidden.found) return { state: "retired", reason: "lists the clear test point" };
    if (!shown.found) return { state: "unknown", reason: "does not list its test point" };
    return { state: "alive", reason: "" };
  } catch (error) {
    return { state: "unknown", reason: error instanceof UpstreamError ? error.detail : "failed" };
  }
}

/** How long a verdict is believed, in milliseconds; `before` is what was remembered last. */
function memoryOf({ state }: ZoneVerdict, answers: readonly Settled[], before: Memory | undefined): number {
  // No answer came, or the resolver had none to pass on.
  if (state === "unknown" && answers.some(({ status }) => status === "rejected"))
    return memoryOfUnheard(before);
  if (state === "retired" && answers.some(isForeign)) return FOREIGN_MS;
  return REMEMBERED_MS[state];
}

function memoryOfUnheard(before: Memory | undefined): number {
  const isAgain = before?.verdict.state === "unknown";
  return isAgain ? Math.min(before.keptMs * 2, REMEMBERED_MS.unknown) : UNHEARD_MS;
}

function isForeign(answer: Settled): boolean {
  if (answer.status === "rejected" || !answer.value.found) return false;
  return answer.value.records.some((record) => classifyZoneAnswer(record) === "foreign");
}

function answerOf(answer: Settled): DnsAnswer<string> {
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
}

/** A test that ran into its own time limit has found something out; one that the survey ended has not. */
function isCutShort(answers: readonly Settled[], signal: AbortSignal): boolean {
  if (signal.aborted && !(signal.reason instanceof Error && signal.reason.name === "TimeoutError"))
    return true;
  return answers.some((answer) => answer.status === "rejected" && isNeverSent(answer.reason));
}
