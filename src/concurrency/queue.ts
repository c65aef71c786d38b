/** A place in a {@link Queue}: first waiting, then running. */
export interface Place {
  readonly hasTurn: boolean;
  /** Resolves when the turn comes; never resolves when the place was released before. */
  readonly turn: Promise<void>;
  /** Frees the place, waiting or running. A second call does nothing. */
  release(): void;
}

/** Bounds how much work runs at once (a semaphore) and how much waits. Work of one rank runs in order of arrival. */
export type Queue = ReturnType<typeof createQueue>;

/** Creates a queue that runs `maxRunning` places at once and lets `maxWaiting` more wait. */
export function createQueue(options: { readonly maxRunning: number; readonly maxWaiting?: number }) {
  const { maxRunning, maxWaiting = Number.POSITIVE_INFINITY } = options;
  /** For each rank, in order of arrival: the functions that start the turn of a place. */
  const lines: Set<() => void>[] = [];
  let running = 0;
  let waiting = 0;

  function startNext(): void {
    for (const line of lines) {
      for (const start of line ?? []) {
        if (running >= maxRunning) return;
        start();
      }
    }
  }

  return {
    /** Takes the next place, or returns undefined when the queue is full. Lower ranks run first; default 0. */
    enter(rank = 0): Place | undefined {
      if (running >= maxRunning && waiting >= maxWaiting) return undefined;
      lines[rank] ??= new Set();
      const line = lines[rank];
      const turn = Promise.withResolvers<void>();
      let state: "waiting" | "running" | "released" = "waiting";
      const start = () => {
        line.delete(start);
        waiting -= 1;
        running += 1;
        state = "running";
        turn.resolve();
      };
      line.add(start);
      waiting += 1;
      startNext();
      return {
        get hasTurn() {
          return state === "running";
        },
        turn: turn.promise,
        release() {
          if (state === "running") running -= 1;
          if (line.delete(start)) waiting -= 1;
          state = "released";
          startNext();
        },
      };
    },
    get running(): number {
      return running;
    },
    get waiting(): number {
      return waiting;
    },
  };
}

/**
 * Lets one caller start at a time, with a pause of `intervalMs` between two starts. Without it, work with the same deadline starts together and ends
 * together, and blocks the event loop at both times. `now` is in milliseconds of a monotonic clock; `after` calls
 * `then` after `ms`.
 */
export function createThrottle(options: {
  readonly intervalMs: number;
  readonly now: () => number;
  readonly after: (ms: number, then: () => void) => void;
}) {
  const { intervalMs, now, after } = options;
  const waiting: (() => void)[] = [];
  let freeAt = Number.NEGATIVE_INFINITY;
  let isTicking = false;

  /** Sets one timer after another, because several late timers would all fire at once. */
  function tick(ms: number): void {
    isTicking = true;
    after(ms, () => {
      waiting.shift()?.();
      if (waiting.length > 0) return tick(intervalMs);
      isTicking = false;
      freeAt = now() + intervalMs;
    });
  }

  return {
    /** Resolves when the caller may start: at once after the pause, else in order of arrival. */
    wait(): Promise<void> {
      const at = now();
      if (!isTicking && at >= freeAt) {
        freeAt = at + intervalMs;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (!isTicking) tick(freeAt - at);
      });
    },
  };
}

/** Heavy work that leaves processor time to the rest of the process. */
export type Pace = ReturnType<typeof createPace>;

/**
 * Runs work one after another, and rests after each for as long as it took, at most for `maxRestMs`. Where a control group
 * limits the processor, work without a rest uses up the time of every period, and the whole process stops until the next.
 */
export function createPace(options: { readonly maxWaiting: number; readonly maxRestMs: number }) {
  const { maxWaiting, maxRestMs } = options;
  const queue = createQueue({ maxRunning: 1, maxWaiting });
  const restSince = (startedAt: number) => Math.min(performance.now() - startedAt, maxRestMs);
  let resumedAt = 0;
  return {
    /** Returns undefined, and starts nothing, when `maxWaiting` others wait. */
    async run<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
      const place = queue.enter();
      if (place === undefined) return undefined;
      await place.turn;
      const startedAt = performance.now();
      resumedAt = startedAt;
      try {
        return await work();
      } finally {
        setTimeout(() => place.release(), restSince(startedAt)).unref();
      }
    },
    /** Rests within long work, for as long as it has run since it began or last rested. */
    async rest(): Promise<void> {
      await Bun.sleep(restSince(resumedAt));
      resumedAt = performance.now();
    },
  };
}

/**
 * Creates a single flight: calls with the same key at the same time share one run of the work. A result is not kept: a
 * call after the end starts the work again.
 */
export function createSingleFlight<Result>() {
  const running = new Map<string, Promise<Result>>();
  return {
    /** Joins the work that runs under `key`, or starts it. */
    run(key: string, work: () => Promise<Result>): Promise<Result> {
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = work().finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}

/** Waits for `work`, and gives undefined if it does not end within `ms`; the work continues. */
export async function within<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(timeout.resolve, ms, undefined);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work`. When `signal` aborts first, rejects with its reason; the work continues. */
export function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
