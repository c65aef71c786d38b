import type { Answer, LookupOptions, LookupResult, SurveyEvent } from "./lookup.ts";
import { createProgress } from "./progress.ts";
import type { Place, SurveyQueue } from "./survey_queue.ts";

/** How shared work ended; `isOwed` when it cost the world nothing, so that its leave is given back. */
export interface Landing {
  readonly answer: Answer;
  readonly isOwed: boolean;
}

/** Work that everyone shares who asks for the same meanwhile. Times in milliseconds. */
export interface Flights {
  /**
   * Joins the work under `key`, or starts it: a place in the queue first, then leave, then the work when its turn
   * comes. Whoever waits asks for leave only when all before have been denied or have gone; once begun, the work runs
   * to its end even if everybody goes. Rejects when `signal` aborts, or when the work or the caller's `admit` throws.
   */
  join(
    key: string,
    work: (watch: (event: SurveyEvent) => void) => Promise<Landing>,
    options: Pick<LookupOptions, "admit" | "watch">,
    signal: AbortSignal,
  ): Promise<LookupResult>;
}

/** What flights are built on. */
export interface FlightsOptions {
  readonly queue: SurveyQueue;
  /** The longest that anybody waits for the turn. */
  readonly maxWaitMs: number;
  readonly now: () => number;
  /** Calls back in `ms`; what it returns calls that off. */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly onBrokenWatcher: (error: unknown) => void;
}

type Work = Parameters<Flights["join"]>[1];

interface Waiter {
  readonly admit: LookupOptions["admit"];
  readonly givesUpAt: number;
  /** Resolves when it no longer waits, whatever the reason. */
  readonly gone: Promise<void>;
  readonly end: (result: LookupResult) => void;
  readonly fail: (error: unknown) => void;
}

interface Flight {
  readonly board: (
    options: Pick<LookupOptions, "admit" | "watch">,
    signal: AbortSignal,
  ) => Promise<LookupResult>;
  readonly depart: () => Promise<void>;
}

/** Creates the {@link Flights} over one queue. */
export function createFlights(options: FlightsOptions): Flights {
  const flights = new Map<string, Flight>();
  return {
    join(key, work, wish, signal) {
      const known = flights.get(key);
      if (known !== undefined) return known.board(wish, signal);
      const place = options.queue.take();
      if (place === undefined) {
        return Promise.resolve({ kind: "overloaded", retryAfterMs: options.queue.retryAfterMs });
      }
      const flight = openFlight(place, work, options, () => flights.delete(key));
      flights.set(key, flight);
      const result = flight.board(wish, signal);
      void flight.depart();
      return result;
    },
  };
}

/** `onEnd` is called before anybody is told the end: nobody may board a flight that tells nobody anything any more. */
function openFlight(place: Place, work: Work, options: FlightsOptions, onEnd: () => void): Flight {
  const { queue, maxWaitMs, now } = options;
  const progress = createProgress(options.onBrokenWatcher);
  /** In order of arrival, so that the first is also the first to give up. */
  const waiters = new Set<Waiter>();
  let stopTimer: (() => void) | undefined;
  let isQueued = false;

  function watchTheTime(): void {
    const [first] = waiters;
    if (first === undefined || stopTimer !== undefined || place.hasTurn) return;
    stopTimer = options.after(Math.max(1, first.givesUpAt - now()), () => {
      stopTimer = undefined;
      if (place.hasTurn) return;
      for (const waiter of waiters) {
        if (waiter.givesUpAt > now()) break;
        waiter.end({ kind: "overloaded", retryAfterMs: queue.retryAfterMs });
      }
      watchTheTime();
    });
  }

  function board(
    { admit, watch }: Pick<LookupOptions, "admit" | "watch">,
    signal: AbortSignal,
  ): Promise<LookupResult> {
    return new Promise((resolve, reject) => {
      const gone = Promise.withResolvers<void>();
      let stopWatching: (() => void) | undefined;
      const leave = () => {
        waiters.delete(waiter);
        signal.removeEventListener("abort", onAbort);
        stopWatching?.();
        gone.resolve();
      };
      const waiter: Waiter = {
        admit,
        givesUpAt: now() + maxWaitMs,
        gone: gone.promise,
        end(result) {
          leave();
          resolve(result);
        },
        fail(error) {
          leave();
          reject(error);
        },
      };
      const onAbort = () => waiter.fail(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      waiters.add(waiter);
      if (watch !== undefined) {
        stopWatching = progress.join(watch);
        // What it was told at once may have made it leave.
        if (!waiters.has(waiter)) stopWatching();
      }
      watchTheTime();
    });
  }

  /** What undoes the leave of one who waits; undefined, and the waiter told so, when he got none. */
  async function askLeave(waiter: Waiter): Promise<(() => void) | undefined> {
    try {
      const admission = await waiter.admit();
      if (admission.admitted) return admission.giveBack;
      waiter.end({ kind: "denied" });
    } catch (error) {
      waiter.fail(error);
    }
    return undefined;
  }

  /** Waits for the turn as long as `payer` does. */
  async function queueUp(payer: Waiter): Promise<void> {
    if (place.hasTurn) return;
    if (!isQueued) progress.tell({ kind: "queued" });
    isQueued = true;
    await Promise.race([place.turn, payer.gone]);
  }

  /** Nobody pays for work that began without him: leave of one who has gone is given back, and the next is asked. */
  async function depart(): Promise<void> {
    for (let [payer] = waiters; payer !== undefined; [payer] = waiters) {
      const giveBack = await askLeave(payer);
      if (giveBack === undefined) continue;
      if (waiters.has(payer)) await queueUp(payer);
      if (waiters.has(payer)) return fly(giveBack);
      giveBack();
    }
    end();
  }

  async function fly(giveBack: () => void): Promise<void> {
    const startedAt = now();
    let conclude: (waiter: Waiter) => void;
    let isOwed = true;
    try {
      const landing = await work(progress.tell);
      isOwed = landing.isOwed;
      conclude = (waiter) => waiter.end({ kind: "answer", answer: landing.answer });
    } catch (error) {
      conclude = (waiter) => waiter.fail(error);
    }
    end(now() - startedAt);
    // Before anybody is told, so that what they have left is told right.
    if (isOwed) giveBack();
    for (const waiter of waiters) conclude(waiter);
  }

  function end(tookMs?: number): void {
    stopTimer?.();
    onEnd();
    place.leave(tookMs);
  }

  return { board, depart };
}
