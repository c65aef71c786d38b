import { waitError } from "./abort.ts";

/** A bounded number of things under way; the rest wait in line, first come first served. */
export interface Pool {
  /**
   * Runs `work` when a slot is free and frees the slot when it settles.
   * @throws {UpstreamError} kind `timeout` when the signal fires while waiting
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly inFlight: number;
  readonly waiting: number;
}

/** Creates a {@link Pool} of `size` slots. */
export function createPool(size: number): Pool {
  const line = new Set<() => void>();
  let inFlight = 0;

  function takeSlot(signal: AbortSignal): Promise<void> | undefined {
    if (signal.aborted) return Promise.reject(waitError(signal));
    if (inFlight < size) {
      inFlight += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        line.delete(onTurn);
        reject(waitError(signal));
      };
      const onTurn = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      line.add(onTurn);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** The slot goes straight to the next in line, so that nobody overtakes. */
  function freeSlot(): void {
    for (const onTurn of line) {
      line.delete(onTurn);
      onTurn();
      return;
    }
    inFlight -= 1;
  }

  return {
    async run(work, signal) {
      await takeSlot(signal);
      try {
        return await work();
      } finally {
        freeSlot();
      }
    },
    get inFlight() {
      return inFlight;
    },
    get waiting() {
      return line.size;
    },
  };
}
