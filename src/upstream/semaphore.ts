import { type Waiter, waitError } from "./upstream.ts";

/** Limits how many requests run at once. The others wait by rank, and within one rank first come, first served. */
export interface Semaphore {
  /**
   * Runs `work` when a slot is free and frees the slot when it settles. `waiter` is told when it has to wait and when
   * it gets its slot. Without a waiter the rank is 1.
   * @throws {UpstreamError} kind `timeout` when the signal fires while waiting
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal, waiter?: Waiter): Promise<T>;
}

/** Creates a {@link Semaphore} with `size` slots. */
export function createSemaphore(size: number): Semaphore {
  const queues: Readonly<Record<Waiter["rank"], Set<() => void>>> = {
    0: new Set(),
    1: new Set(),
    2: new Set(),
    3: new Set(),
    4: new Set(),
  };
  const inOrder = [queues[0], queues[1], queues[2], queues[3], queues[4]];
  let used = 0;

  function takeSlot(signal: AbortSignal, waiter: Waiter | undefined): Promise<void> | undefined {
    if (signal.aborted) return Promise.reject(waitError(signal));
    if (used < size) {
      used += 1;
      waiter?.onStart();
      return undefined;
    }
    const queue = queues[waiter?.rank ?? 1];
    waiter?.onWait();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        queue.delete(onSlot);
        reject(waitError(signal));
      };
      const onSlot = () => {
        signal.removeEventListener("abort", onAbort);
        waiter?.onStart();
        resolve();
      };
      queue.add(onSlot);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Hands the slot to the next in the queue directly, so that nobody overtakes. */
  function freeSlot(): void {
    for (const queue of inOrder) {
      for (const onSlot of queue) {
        queue.delete(onSlot);
        onSlot();
        return;
      }
    }
    used -= 1;
  }

  return {
    async run(work, signal, waiter) {
      const waiting = takeSlot(signal, waiter);
      if (waiting !== undefined) await waiting;
      try {
        return await work();
      } finally {
        freeSlot();
      }
    },
  };
}
