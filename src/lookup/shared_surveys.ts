import type { StartTimer } from "#common";
import type { Place, Queue } from "#concurrency";
import type { Admissions, Admitted, LimitState } from "#limits";
import type { Answer, LookupRequest, LookupResult, SurveyEvent } from "./answer.ts";

/** Weight of the latest survey in the moving average of survey durations. */
const LATEST_SHARE = 0.2;

const FIRST_ESTIMATE_MS = 2000;

const MIN_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** The result of a survey. `isRefundable`: no live source answered, or none was queried; the admission is refunded. */
export interface SurveyOutcome {
  readonly answer: Answer;
  readonly isRefundable: boolean;
}

/** Runs the survey and reports its progress to `watch`. */
export type SurveyWork = (watch: (event: SurveyEvent) => void) => Promise<SurveyOutcome>;

/** Dependencies of {@link createSharedSurveys}. Times in milliseconds. */
export interface SharedSurveysOptions {
  readonly queue: Queue;
  /** Surveys that run at once in the queue. */
  readonly maxRunning: number;
  readonly admissions: Pick<Admissions, "request" | "refund">;
  /** The longest time that a request waits for its turn. */
  readonly maxWaitMs: number;
  readonly now: () => number;
  /** Calls `then` after `ms`. The returned function cancels the call. */
  readonly after: StartTimer;
  readonly onBrokenWatcher: (error: unknown) => void;
}

/** One request that waits for the result. */
interface Caller {
  readonly request: LookupRequest;
  readonly waitsUntil: number;
  /** The admission that it was charged for, if any. */
  admission?: Admitted;
  limits: readonly LimitState[];
  watcher?: Watcher;
  /** Resolves when the caller no longer waits. */
  readonly stopped: Promise<void>;
  readonly finish: (result: Unlimited<LookupResult>) => void;
  readonly fail: (error: unknown) => void;
}

/** A result without its limits. */
type Unlimited<Result> = Result extends unknown ? Omit<Result, "limits"> : never;

/** Creates the single flight of surveys over one queue: requests for the same address at the same time share one survey. */
export function createSharedSurveys(options: SharedSurveysOptions) {
  const surveys = new Map<string, ReturnType<typeof createSharedSurvey>>();
  const estimate = createRetryEstimate(options.maxRunning);
  return {
    /**
     * Joins the survey of the same address and kind, or starts it: takes a place in the queue, asks for the admission,
     * waits for the turn, and runs `work`. Only one request is charged for the survey: the first. When it is refused,
     * or leaves before the survey starts, the next one is charged. A survey that has started runs to its end even if
     * every caller has left. Rejects when `signal` aborts, or when `work` or the admission of this request throws.
     */
    join(request: LookupRequest, work: SurveyWork, signal: AbortSignal): Promise<LookupResult> {
      const key = `${request.refresh ? "refresh" : "new"} ${request.address.text}`;
      const running = surveys.get(key);
      if (running !== undefined) return running.join(request, signal);
      const place = options.queue.enter();
      if (place === undefined) {
        const retryAfterMs = estimate.retryAfterMs(options.queue.waiting);
        return Promise.resolve({ kind: "overloaded", retryAfterMs, limits: [] });
      }
      const survey = createSharedSurvey(place, work, { ...options, estimate }, () => surveys.delete(key));
      surveys.set(key, survey);
      const result = survey.join(request, signal);
      void survey.start();
      return result;
    },
  };
}

/** `onEnd` is called before the callers get their results: from then on a new request starts a new survey. */
function createSharedSurvey(
  place: Place,
  work: SurveyWork,
  options: SharedSurveysOptions & { readonly estimate: ReturnType<typeof createRetryEstimate> },
  onEnd: () => void,
) {
  const { queue, admissions, estimate, maxWaitMs, now } = options;
  const progress = createProgress(options.onBrokenWatcher);
  /** In order of arrival, so the first caller is also the first whose wait ends. */
  const callers = new Set<Caller>();
  let cancelTimer: (() => void) | undefined;
  let isQueued = false;

  function join(request: LookupRequest, signal: AbortSignal): Promise<LookupResult> {
    return new Promise((resolve, reject) => {
      const stopped = Promise.withResolvers<void>();
      const stop = () => {
        callers.delete(caller);
        signal.removeEventListener("abort", onAbort);
        caller.watcher?.stop();
        stopped.resolve();
      };
      const caller: Caller = {
        request,
        waitsUntil: now() + maxWaitMs,
        limits: [],
        stopped: stopped.promise,
        finish(result) {
          stop();
          resolve({ ...result, limits: caller.limits });
        },
        fail(error) {
          stop();
          reject(error);
        },
      };
      const onAbort = () => caller.fail(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      callers.add(caller);
      if (request.watch !== undefined) {
        caller.watcher = progress.join(request.watch);
        // The caller may have left while it received the earlier events.
        if (!callers.has(caller)) caller.watcher.stop();
      }
      setWaitTimer();
    });
  }

  /** Sets the timer that ends the callers that have waited too long for the turn. */
  function setWaitTimer(): void {
    const [first] = callers;
    if (first === undefined || cancelTimer !== undefined || place.hasTurn) return;
    cancelTimer = options.after(Math.max(1, first.waitsUntil - now()), () => {
      cancelTimer = undefined;
      if (place.hasTurn) return;
      for (const caller of callers) {
        if (caller.waitsUntil > now()) break;
        refund(caller);
        caller.finish({ kind: "overloaded", retryAfterMs: estimate.retryAfterMs(queue.waiting) });
      }
      setWaitTimer();
    });
  }

  /**
   * Starts the survey for the first caller that is admitted and still waits when the turn comes. No other caller is
   * charged.
   */
  async function start(): Promise<void> {
    for (let [starter] = callers; starter !== undefined; [starter] = callers) {
      await admit(starter);
      if (callers.has(starter)) await waitForTurn(starter);
      if (callers.has(starter)) return run(starter);
      refund(starter);
    }
    end();
  }

  /** Asks for the caller's admission. A refused caller gets its result. */
  async function admit(caller: Caller): Promise<void> {
    const { client, refresh, passId } = caller.request;
    try {
      const admission = await admissions.request({
        client,
        kind: refresh ? "refresh" : "new-ip",
        ...(passId === undefined ? {} : { passId }),
      });
      caller.limits = admission.limits;
      if (!admission.admitted) return caller.finish({ kind: "refused", refusal: admission.refusal });
      caller.admission = admission;
      caller.watcher?.send({ kind: "admitted", limits: admission.limits });
    } catch (error) {
      caller.fail(error);
    }
  }

  /** Refunds the caller's admission, for a survey that did not start or is refundable. A second call does nothing. */
  function refund(caller: Caller): void {
    if (caller.admission !== undefined) caller.limits = admissions.refund(caller.admission);
  }

  /** Waits until the survey may run or the caller stops waiting. */
  async function waitForTurn(starter: Caller): Promise<void> {
    if (place.hasTurn) return;
    if (!isQueued) progress.report({ kind: "queued" });
    isQueued = true;
    await Promise.race([place.turn, starter.stopped]);
  }

  async function run(starter: Caller): Promise<void> {
    const startedAt = now();
    let outcome: SurveyOutcome | undefined;
    let failure: unknown;
    try {
      outcome = await work(progress.report);
    } catch (error) {
      failure = error;
    }
    estimate.record(now() - startedAt);
    end();
    // The refund is first, because the results of the callers show the limits after it.
    if (outcome?.isRefundable !== false) refund(starter);
    for (const caller of callers) {
      if (outcome === undefined) caller.fail(failure);
      else caller.finish({ kind: "answer", answer: outcome.answer });
    }
  }

  function end(): void {
    cancelTimer?.();
    onEnd();
    place.release();
  }

  return { join, start };
}

/** Estimates, from the moving average of survey durations, when a request that a full queue refused can be repeated. */
function createRetryEstimate(maxRunning: number) {
  let typicalMs = FIRST_ESTIMATE_MS;
  return {
    /** Records how long a survey took. */
    record(tookMs: number): void {
      typicalMs += (tookMs - typicalMs) * LATEST_SHARE;
    },
    /** Milliseconds until a new request can expect a turn after `waiting` others: 1 to 60 seconds. */
    retryAfterMs(waiting: number): number {
      const expectedMs = Math.ceil((typicalMs * (waiting + 1)) / maxRunning);
      return Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, expectedMs));
    },
  };
}

interface Watcher {
  /** Sends an event to this watcher alone. */
  readonly send: (event: SurveyEvent) => void;
  readonly stop: () => void;
}

/**
 * Creates the events of one survey and their watchers. No method throws: a watcher that throws gets no more events and
 * does not disturb the others.
 */
function createProgress(onBroken: (error: unknown) => void) {
  const events: SurveyEvent[] = [];
  const watchers = new Set<Watcher>();

  return {
    /** Sends an event to every watcher. */
    report(event: SurveyEvent): void {
      events.push(event);
      for (const watcher of watchers) watcher.send(event);
    },
    /** Sends the earlier events to a new watcher, then the later ones until it stops. */
    join(watch: (event: SurveyEvent) => void): Watcher {
      const watcher: Watcher = {
        send(event) {
          if (!watchers.has(watcher)) return;
          try {
            watch(event);
          } catch (error) {
            watchers.delete(watcher);
            onBroken(error);
          }
        },
        stop: () => void watchers.delete(watcher),
      };
      watchers.add(watcher);
      for (const event of events) watcher.send(event);
      return watcher;
    },
  };
}
