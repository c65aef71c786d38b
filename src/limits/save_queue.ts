/** While the database fails, it is tried this often. */
const RETRY_MS = 1000;

/** Writes kept during an outage; the oldest are dropped first. */
const MAX_SAVES = 4096;

/** A write that fails this often while the database can be read is dropped, because it blocks all others. */
const MAX_TRIES = 600;

/** Writes that run in the background and are retried until they succeed. No method throws or rejects. */
export interface SaveQueue {
  /** True from a failure until the database works again and every write is saved. */
  readonly isFailing: boolean;
  /** Notes that a call to the database failed. */
  reportFailure(error: unknown): void;
  /** Adds a write; {@link SaveQueue.flush} runs it. */
  queueSave(run: () => Promise<void>): void;
  /** Runs the writes in order. A write that fails stays in the queue. */
  flush(): Promise<void>;
  /** Checks in the background, at most once a second, whether a failing database works again. */
  retry(): void;
}

/** Options of {@link createSaveQueue}. */
export interface SaveQueueOptions {
  /** Rejects while the database cannot be read. */
  readonly check: () => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls `then` after `ms`. Absent = only {@link SaveQueue.retry} tries a failing database again. */
  readonly after?: (ms: number, then: () => void) => void;
  /** Called once when the database begins to fail. Neither this nor `onRecovery` may throw. */
  readonly onOutage: (error: unknown) => void;
  readonly onRecovery?: () => void;
}

/** Creates an empty {@link SaveQueue}. */
export function createSaveQueue(options: SaveQueueOptions): SaveQueue {
  const { now } = options;
  const saves: { readonly run: () => Promise<void>; tries: number }[] = [];
  let failures = 0;
  let isFailing = false;
  let isFlushing = false;
  let isRetryPlanned = false;
  let retryAt = 0;

  function reportFailure(error: unknown): void {
    failures += 1;
    retryAt = now() + RETRY_MS;
    planRetry();
    if (isFailing) return;
    isFailing = true;
    options.onOutage(error);
  }

  /** Tries again after a while, also without a request. */
  function planRetry(): void {
    if (options.after === undefined || isRetryPlanned) return;
    isRetryPlanned = true;
    options.after(RETRY_MS, () => {
      isRetryPlanned = false;
      if (isFailing) void flush().then(() => isFailing && planRetry());
    });
  }

  async function flush(): Promise<void> {
    if (isFlushing) return;
    isFlushing = true;
    try {
      let failuresBefore = failures;
      if (isFailing) await options.check();
      for (let [save] = saves; save !== undefined; [save] = saves) {
        failuresBefore = failures;
        save.tries += 1;
        if (save.tries <= MAX_TRIES) await save.run();
        // A full queue may have dropped it meanwhile.
        if (saves[0] === save) saves.shift();
      }
      // The outage ends only now: before the last write, the counts in the database are too low.
      if (isFailing && failures === failuresBefore) {
        isFailing = false;
        options.onRecovery?.();
      }
    } catch (error) {
      reportFailure(error);
    } finally {
      isFlushing = false;
    }
  }

  return {
    get isFailing() {
      return isFailing;
    },
    reportFailure,
    queueSave(run) {
      if (saves.length === MAX_SAVES) saves.shift();
      saves.push({ run, tries: 0 });
    },
    flush,
    retry() {
      const at = now();
      const waitMs = retryAt - at;
      // A longer wait means that the clock was set back.
      if (waitMs > 0 && waitMs <= RETRY_MS) return;
      retryAt = at + RETRY_MS;
      void flush();
    },
  };
}
