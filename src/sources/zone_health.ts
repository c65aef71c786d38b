import { createSingleFlight } from "#concurrency";
import { type DnsAnswer, isDeadline, type Upstream, UpstreamError } from "#upstream";
import { isNeverSent } from "./outcome.ts";
import { checkZoneRecords, isForeignRecord } from "./read_answer.ts";
import type { TestPoints } from "./source.ts";

/**
 * The result of a DNS list's self-test. `retired` = the list contains the entry that it must not contain, or another
 * server answers in its place. `unknown` = the test failed, or the list does not contain the entry that it must
 * contain.
 */
export interface ZoneVerdict {
  readonly state: "alive" | "retired" | "unknown";
  readonly reason: string;
}

/** Runs the self-tests of DNS lists (RFC 5782 section 5) and remembers each result for some time. */
export type ZoneHealth = ReturnType<typeof createZoneHealth>;

const REMEMBERED_MS = { alive: 12 * 3_600_000, retired: 24 * 3_600_000, unknown: 5 * 60_000 } as const;
/**
 * How long a test without an answer is remembered; short, because packets get lost. The time doubles with each such
 * test in a row, up to the time for `unknown`, so that a zone that no longer exists does not slow down every survey.
 */
const UNANSWERED_MS = 5_000;
/**
 * How long a foreign answer is remembered; short, because a broken resolver retires all lists at once and may recover
 * soon.
 */
const FOREIGN_MS = 5 * 60_000;

interface Memory {
  readonly verdict: ZoneVerdict;
  readonly keptMs: number;
  readonly untilMs: number;
}

/** Creates a {@link ZoneHealth}. A key names a zone and an IP version; one verdict is kept for each key. */
export function createZoneHealth(options: { readonly now: () => number }) {
  const remembered = new Map<string, Memory>();
  const tests = createSingleFlight<ZoneVerdict | undefined>();

  /** The remembered verdict; undefined = a test is due. */
  function recall(key: string): ZoneVerdict | undefined {
    const known = remembered.get(key);
    return known !== undefined && options.now() < known.untilMs ? known.verdict : undefined;
  }

  /** Returns undefined when this process ended the test, because that says nothing about the zone. */
  async function runTest(key: string, points: TestPoints, upstream: Upstream, signal: AbortSignal) {
    const answers = await Promise.allSettled([
      upstream.a(points.listed, signal),
      upstream.a(points.clear, signal),
    ]);
    const verdict = judge(...answers);
    if (verdict.state === "unknown" && wasCutShort(answers, signal)) return undefined;
    remember(key, verdict, memoryMs(verdict, answers, remembered.get(key)));
    return verdict;
  }

  function remember(key: string, verdict: ZoneVerdict, keptMs: number): void {
    remembered.set(key, { verdict, keptMs, untilMs: options.now() + keptMs });
  }

  return {
    recall,
    /** All remembered verdicts. */
    states(): readonly { readonly key: string; readonly state: ZoneVerdict["state"] }[] {
      return [...remembered].flatMap(([key, { verdict, untilMs }]) =>
        options.now() < untilMs ? [{ key, state: verdict.state }] : [],
      );
    },
    /** Tests a zone, or waits for the test that is running. Never rejects. */
    async test(
      key: string,
      points: TestPoints,
      upstream: Upstream,
      signal: AbortSignal,
    ): Promise<ZoneVerdict> {
      for (;;) {
        const known = recall(key);
        if (known !== undefined) return known;
        if (signal.aborted) return { state: "unknown", reason: "not tested in time" };
        const verdict = await tests.run(key, () => runTest(key, points, upstream, signal));
        if (verdict !== undefined) return verdict;
      }
    },
    /** Records that an untested zone did not answer within its time limit, which counts as a failed test. */
    recordSilence(key: string, reason: string): void {
      if (recall(key) === undefined)
        remember(key, { state: "unknown", reason }, unansweredMs(remembered.get(key)));
    },
  };
}

type Settled = PromiseSettledResult<DnsAnswer<string>>;

/**
 * When the zone's name has a new owner, both test points get a foreign answer. When only the clear point gets one, the
 * resolver invents answers for names that do not exist, and the zone itself may work.
 */
function judge(listed: Settled, clear: Settled): ZoneVerdict {
  if (isForeign(listed) && isForeign(clear))
    return { state: "retired", reason: "answers outside 127.0.0.0/8" };
  try {
    const [shown, hidden] = [settledValue(listed), settledValue(clear)];
    for (const answer of [shown, hidden]) if (answer.found) checkZoneRecords(answer.records);
    if (hidden.found) return { state: "retired", reason: "lists the clear test point" };
    if (!shown.found) return { state: "unknown", reason: "does not list its test point" };
    return { state: "alive", reason: "" };
  } catch (error) {
    return { state: "unknown", reason: error instanceof UpstreamError ? error.detail : "failed" };
  }
}

/** How long a verdict is remembered, in milliseconds; `before` is what was remembered last. */
function memoryMs({ state }: ZoneVerdict, answers: readonly Settled[], before: Memory | undefined): number {
  // No answer arrived, or the resolver itself got none.
  if (state === "unknown" && answers.some(({ status }) => status === "rejected")) return unansweredMs(before);
  if (state === "retired" && answers.some(isForeign)) return FOREIGN_MS;
  return REMEMBERED_MS[state];
}

function unansweredMs(before: Memory | undefined): number {
  const isAgain = before?.verdict.state === "unknown";
  return isAgain ? Math.min(before.keptMs * 2, REMEMBERED_MS.unknown) : UNANSWERED_MS;
}

function isForeign(answer: Settled): boolean {
  if (answer.status === "rejected" || !answer.value.found) return false;
  return answer.value.records.some(isForeignRecord);
}

function settledValue(answer: Settled): DnsAnswer<string> {
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
}

/** A test that reached its own time limit has a result; a test that the survey's end interrupted has none. */
function wasCutShort(answers: readonly Settled[], signal: AbortSignal): boolean {
  if (signal.aborted && !isDeadline(signal)) return true;
  return answers.some((answer) => answer.status === "rejected" && isNeverSent(answer.reason));
}
