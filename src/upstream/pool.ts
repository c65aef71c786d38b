import { waitError } from "./abort.ts";
import type { Turn } from "./upstream.ts";

/** A bounded number of things under way; the rest wait in line by rank, within one first come first served. */
export interface Pool {
  /**
   * Runs `work` when a slot is free and frees the slot when it settles. `turn` is told when it has to wait and when it
   * gets its slot; without one the rank is 1.
   * @throws {UpstreamError} kind `timeout` when the signal fires while waiting
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal, turn?: Turn): Promise<T>;
}

/** Creates a {@link Pool} of `size` slots. */
export function createPool(size: number): Pool {
  const lines: Readonly<Record<Turn["rank"], Set<() => void>>> = {
    0: new Set(),
    1: new Set(),
    2: new Set(),
    3: new Set(),
    4: new Set(),
  };
  const inOrder = [lines[0], lines[1], lines[2], lines[3], lines[4]];
  let inFlight = 0;

  function takeSlot(signal: AbortSignal, turn: Turn | undefined): Promise<void> | undefined {
    if (signal.aborted) return Promise.reject(waitError(signal));
    if (inFlight < size) {
      inFlight += 1;
      turn?.begins();
      return undefined;
    }
    const line = lines[turn?.rank ?? 1];
    turn?.waits();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        line.delete(onTurn);
        reject(waitError(signal));
      };
      const onTurn = () => {
        signal.removeEventListener("abort", onAbort);
        turn?.begins();
        resolve();
      };
      line.add(onTurn);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** The slot goes straight to the next in line, so that nobody overtakes. */
  function freeSlot(): void {
    for (const line of inOrder) {
      for (const onTurn of line) {
        line.delete(onTurn);
        onTurn();
        return;
      }
    }
    inFlight -= 1;
  }

  return {
    async run(work, signal, turn) {
      const waiting = takeSlot(signal, turn);
      if (waiting !== undefined) await waiting;
      try {
        return await work();
      } finally {
        freeSlot();
      }
    },
  };
}
