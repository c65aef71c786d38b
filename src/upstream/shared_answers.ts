import { linkAbort, raceAbort } from "./abort.ts";
import type { HttpAnswer } from "./upstream.ts";

/** A small memory of answers that all sessions of a world share; one question at a time for each key. */
export interface SharedAnswers {
  /**
   * The remembered answer, or the one being fetched, or a new one. The fetch outlives the session that started it
   * as long as somebody waits for it, and is aborted when nobody does.
   */
  ask(
    key: string,
    keepMs: number,
    fetchAnswer: (signal: AbortSignal) => Promise<HttpAnswer>,
    signal: AbortSignal,
  ): Promise<HttpAnswer>;
  readonly size: number;
}

interface Kept {
  readonly answer: HttpAnswer;
  readonly untilMs: number;
}

interface Flight {
  readonly controller: AbortController;
  readonly answer: Promise<HttpAnswer>;
  waiters: number;
}

/** Creates {@link SharedAnswers} of at most `maxEntries`; the oldest goes first. `signal` ends every fetch. */
export function createSharedAnswers(
  now: () => number,
  maxEntries: number,
  signal: AbortSignal,
): SharedAnswers {
  const kept = new Map<string, Kept>();
  const flights = new Map<string, Flight>();

  function keep(key: string, answer: HttpAnswer, keepMs: number): void {
    kept.delete(key);
    for (const oldest of kept.keys()) {
      if (kept.size < maxEntries) break;
      kept.delete(oldest);
    }
    kept.set(key, { answer, untilMs: now() + keepMs });
  }

  function startFlight(
    key: string,
    keepMs: number,
    fetchAnswer: (signal: AbortSignal) => Promise<HttpAnswer>,
  ): Flight {
    const controller = new AbortController();
    const unlink = linkAbort(controller, [signal]);
    const answer = fetchAnswer(controller.signal)
      .then((fetched) => {
        if (fetched.status === 200) keep(key, fetched, keepMs);
        return fetched;
      })
      .finally(() => {
        unlink();
        if (flights.get(key) === flight) flights.delete(key);
      });
    // Whoever waits sees the failure through raceAbort; without anybody it must not be unhandled.
    answer.catch(() => {});
    const flight: Flight = { controller, answer, waiters: 0 };
    flights.set(key, flight);
    return flight;
  }

  return {
    async ask(key, keepMs, fetchAnswer, waiterSignal) {
      const known = kept.get(key);
      if (known !== undefined && now() < known.untilMs) return known.answer;
      const flight = flights.get(key) ?? startFlight(key, keepMs, fetchAnswer);
      flight.waiters += 1;
      try {
        return await raceAbort(flight.answer, waiterSignal);
      } finally {
        flight.waiters -= 1;
        if (flight.waiters === 0 && flights.get(key) === flight) {
          flights.delete(key);
          flight.controller.abort();
        }
      }
    },
    get size() {
      return kept.size;
    },
  };
}
