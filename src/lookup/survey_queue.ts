/** Weight of the latest survey in the moving mean of how long surveys take. */
const LATEST_SHARE = 0.2;

/** What a survey is taken to last before any has ended. */
const FIRST_GUESS_MS = 2000;

const LEAST_RETRY_MS = 1000;
const MOST_RETRY_MS = 60_000;

/** A place among the surveys: first waiting, then running. */
export interface Place {
  readonly hasTurn: boolean;
  /** Resolves when the turn has come; never for a place that was left before. */
  readonly turn: Promise<void>;
  /** Frees the place, waiting or running; twice is once. `tookMs` is how long its survey took, if there was one. */
  leave(tookMs?: number): void;
}

/** Surveys in the order in which they came: some running, some waiting, no more. */
export interface SurveyQueue {
  /** The next place, or undefined when none is left. */
  take(): Place | undefined;
  readonly running: number;
  readonly waiting: number;
  /** After how long a newcomer may hope for a turn, by how long surveys took lately; 1 s to 60 s. */
  readonly retryAfterMs: number;
}

/** Creates a queue that runs `maxRunning` surveys at once and lets `maxWaiting` more wait their turn, first come first. */
export function createSurveyQueue(options: {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}): SurveyQueue {
  const { maxRunning, maxWaiting } = options;
  /** In order of arrival; each begins its turn when called. */
  const waiting = new Set<() => void>();
  let running = 0;
  let typicalMs = FIRST_GUESS_MS;

  function callNext(): void {
    for (const begin of waiting) {
      if (running >= maxRunning) return;
      begin();
    }
  }

  return {
    take() {
      if (running >= maxRunning && waiting.size >= maxWaiting) return undefined;
      const turn = Promise.withResolvers<void>();
      let state: "waiting" | "running" | "left" = "waiting";
      const begin = () => {
        waiting.delete(begin);
        running += 1;
        state = "running";
        turn.resolve();
      };
      waiting.add(begin);
      callNext();
      return {
        get hasTurn() {
          return state === "running";
        },
        turn: turn.promise,
        leave(tookMs) {
          if (state === "left") return;
          if (state === "running") running -= 1;
          waiting.delete(begin);
          state = "left";
          if (tookMs !== undefined) typicalMs += (tookMs - typicalMs) * LATEST_SHARE;
          callNext();
        },
      };
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting.size;
    },
    get retryAfterMs() {
      const expectedMs = Math.ceil((typicalMs * (waiting.size + 1)) / maxRunning);
      return Math.min(MOST_RETRY_MS, Math.max(LEAST_RETRY_MS, expectedMs));
    },
  };
}
