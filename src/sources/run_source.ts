import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { SourceRun } from "#evidence";
import {
  type Breaker,
  type DailyBudget,
  isDeadline,
  type Reservation,
  type Upstream,
  UpstreamError,
  type Waiter,
} from "#upstream";
import { answered, classifyError, failed, isNeverSent, type Outcome, skipped } from "./outcome.ts";
import { describeRun, findSkip, type Source, type SourceSettings } from "./source.ts";
import { askTable } from "./table_survey.ts";
import type { ZoneHealth, ZoneVerdict } from "./zone_health.ts";

const SURVEY_DEADLINE = new UpstreamError("timeout", "survey deadline");

/** Everything that a run needs from outside. `now` returns milliseconds since the epoch. */
export interface RunPorts {
  readonly upstream: Upstream;
  readonly datasets: Datasets;
  readonly breaker: Breaker;
  readonly zones: ZoneHealth;
  readonly budget: DailyBudget;
  readonly settings: SourceSettings;
  readonly now: () => number;
  /**
   * Resolves when the free sources have answered: true = their answers are enough for this address. A scarce source
   * waits for the result, and is skipped if it is true. Absent = every source is asked.
   */
  readonly isConclusive?: () => Promise<boolean>;
}

/**
 * Asks one source about one address and reports what happened. Never rejects: every failure becomes a `failed` run
 * with its reason and without an observation. `signal` is the deadline of the survey.
 */
export async function runSource(
  source: Source,
  address: Address,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<SourceRun> {
  const skip = findSkip(source, address, ports.settings) ?? (await findSettledSkip(source, ports));
  const startedMs = ports.now();
  const outcome = skip ?? (await reach(source, address, ports, signal));
  return { ...describeRun(source), ms: Math.max(0, Math.round(ports.now() - startedMs)), ...outcome };
}

async function findSettledSkip(source: Source, ports: RunPorts): Promise<Outcome | undefined> {
  if (source.scarce !== true || ports.isConclusive === undefined) return undefined;
  return (await ports.isConclusive()) ? skipped("settled") : undefined;
}

/** Asks the source unless its circuit breaker, its zone's self-test or its daily budget forbids it. */
async function reach(
  source: Source,
  address: Address,
  ports: RunPorts,
  survey: AbortSignal,
): Promise<Outcome> {
  if (source.local === true) return askTable(source, address, ports);
  if (survey.aborted) return failed(SURVEY_DEADLINE);
  if (!ports.breaker.admit(source.id))
    return skipped(ports.breaker.isToldToWait(source.id) ? "told_to_wait" : "paused");

  const zoneKey = `${source.id}/${address.version}`;
  const verdict = ports.zones.recall(zoneKey);
  if (verdict !== undefined && verdict.state !== "alive") return outcomeOfVerdict(verdict);

  const reservation = await reserveInTime(ports.budget, source.id, survey);
  if (reservation === "late") return failed(SURVEY_DEADLINE);
  if (reservation === undefined) return skipped("daily_budget");
  return askSource(source, address, ports, survey, { zoneKey, verdict, reservation });
}

/** Reserves a request in the daily budget. A slow database must not delay the survey: a late reservation is released. */
function reserveInTime(
  budget: DailyBudget,
  id: string,
  survey: AbortSignal,
): Promise<Reservation | undefined | "late"> {
  return new Promise((resolve) => {
    const giveUp = () => resolve("late");
    survey.addEventListener("abort", giveUp, { once: true });
    void budget.reserve(id).then((reservation) => {
      survey.removeEventListener("abort", giveUp);
      if (survey.aborted) reservation?.release();
      resolve(survey.aborted ? "late" : reservation);
    });
  });
}

/** The state of a live source before {@link askSource} asks it. */
interface AskState {
  /** Key of the source's zone and IP version in {@link ZoneHealth}. */
  readonly zoneKey: string;
  /** The remembered result of the zone's self-test; undefined = a test is due, if the source has one. */
  readonly verdict: ZoneVerdict | undefined;
  /** The request in the daily budget; released when nothing was sent. */
  readonly reservation: Reservation;
}

/**
 * The rank with which a source waits for its first free slot in a survey; lower ranks go first. Sources that ask more
 * than once come before those that ask once, then the quick DNS lists. A source that failed last time comes last,
 * because it may hold its slot until its time limit.
 */
export function rankSource(
  source: Pick<Source, "id" | "sequential" | "zone">,
  breaker: Pick<Breaker, "isFailing">,
): Exclude<Waiter["rank"], 0> {
  if (breaker.isFailing(source.id)) return 4;
  if (source.sequential === true) return 1;
  return source.zone === undefined ? 2 : 3;
}

/**
 * Sends the source's requests and then, where one is due, the self-test of its zone, within one time limit. The limit
 * starts when the source gets its first slot. The self-test waits for the request to end, so that a zone that does not
 * answer uses one slot only. Never rejects.
 */
async function askSource(
  source: Source,
  address: Address,
  ports: RunPorts,
  survey: AbortSignal,
  { zoneKey, verdict: remembered, reservation }: AskState,
): Promise<Outcome> {
  const secret = ports.settings.secrets.get(source.id) || undefined;
  const isTestDue = source.selfTest !== undefined && remembered === undefined;
  const timer = createTimeLimit(source.timeoutMs);
  const signal = AbortSignal.any([survey, timer.signal]);
  const rank = rankSource(source, ports.breaker);
  const { upstream, isSent, requestedWaitMs } = observeRequests(ports.upstream, {
    get rank() {
      return timer.hasStarted ? 0 : rank;
    },
    onWait: timer.hold,
    onStart: timer.start,
  });
  const ask = async () => source.ask(address, { upstream, datasets: ports.datasets }, signal, secret);
  try {
    const [[answer], verdict] = await withinLimit(signal, async () => {
      const settled = await Promise.allSettled([ask()]);
      if (source.selfTest === undefined || !isTestDue) return [settled, remembered] as const;
      const points = source.selfTest(address.version, secret);
      return [settled, await ports.zones.test(zoneKey, points, upstream, signal)] as const;
    });
    if (verdict?.state === "retired") {
      ports.breaker.succeeded(source.id);
      return outcomeOfVerdict(verdict);
    }
    if (answer.status === "rejected") throw answer.reason;
    const observation = source.read(answer.value, address);
    ports.breaker.succeeded(source.id);
    if (verdict?.state === "unknown") return outcomeOfVerdict(verdict);
    return answered(observation, source.freshDays, ports.now());
  } catch (thrown) {
    const error = withLongerWait(classifyError(thrown), requestedWaitMs());
    ports.breaker.failed(source.id, error);
    if (!isSent() || isNeverSent(error)) reservation.release();
    else if (isTestDue && error.kind === "timeout" && isDeadline(signal))
      ports.zones.recordSilence(zoneKey, error.detail);
    return failed(survey.aborted && error.kind === "timeout" ? SURVEY_DEADLINE : error);
  } finally {
    timer.stop();
  }
}

/** The outcome of a source whose zone has not passed its self-test. */
function outcomeOfVerdict(verdict: ZoneVerdict): Outcome {
  if (verdict.state === "retired") return skipped("zone_retired", verdict.reason);
  return failed(new UpstreamError("unavailable", `self-test failed: ${verdict.reason}`));
}

/** A time limit that does not run while the source waits for its first slot. */
function createTimeLimit(timeoutMs: number) {
  const limit = new AbortController();
  const abort = () => limit.abort(new DOMException("The source took too long", "TimeoutError"));
  let hasStarted = false;
  let timer: Timer | undefined = setTimeout(abort, timeoutMs);
  return {
    signal: limit.signal,
    get hasStarted() {
      return hasStarted;
    },
    hold() {
      if (hasStarted) return;
      clearTimeout(timer);
      timer = undefined;
    },
    start() {
      hasStarted = true;
      timer ??= setTimeout(abort, timeoutMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

/** Wraps an upstream. Records whether a request was sent, and how long the last HTTP answer asked us to wait. */
function observeRequests(upstream: Upstream, waiter: Waiter) {
  let isSent = false;
  let waitMs: number | undefined;
  const observe = (method: Upstream["a"]): Upstream["a"] => {
    return (name, signal) => {
      isSent = true;
      return method(name, signal, waiter);
    };
  };
  const observed: Upstream = {
    async http(request, signal) {
      isSent = true;
      const answer = await upstream.http(request, signal, waiter);
      waitMs = answer.retryAfterMs;
      return answer;
    },
    a: observe(upstream.a),
    aaaa: observe(upstream.aaaa),
    txt: observe(upstream.txt),
    ptr: observe(upstream.ptr),
  };
  return { upstream: observed, isSent: () => isSent, requestedWaitMs: () => waitMs };
}

/** Extends the wait that a body asks for by the wait that the headers ask for: the longer time is used. */
function withLongerWait(error: UpstreamError, requestedMs: number | undefined): UpstreamError {
  if (requestedMs === undefined || requestedMs <= (error.retryAfterMs ?? -1)) return error;
  return new UpstreamError(error.kind, error.detail, { retryAfterMs: requestedMs });
}

/**
 * Waits for `work`, but not for work that ignores its signal. Work that obeys the signal describes the failure better,
 * so it gets one turn of the event loop to reject first.
 * @throws {UpstreamError} kind `timeout` when the signal fires and `work` has not ended.
 */
function withinLimit<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () =>
      reject(new UpstreamError("timeout", isDeadline(signal) ? "no answer in time" : "cancelled"));
    signal.addEventListener("abort", () => setTimeout(giveUp, 0), { once: true });
    work().then(resolve, reject);
  });
}
