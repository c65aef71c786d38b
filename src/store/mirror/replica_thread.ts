import type { ReplicaAnswer, ReplicaOrder } from "./replica_worker.ts";

/** Controls, from the main thread, the thread that writes a replica's file. */
export interface ReplicaThread {
  /**
   * Sends one order at a time. Never rejects: without an answer in time, the order fails and the thread counts as
   * lost.
   */
  send(order: ReplicaOrder): Promise<ReplicaAnswer>;
  /** Restarts the timeout, because bytes have arrived for the thread. */
  noteProgress(): void;
  /** `lost`: native code does not return and keeps the files open. */
  state(): "alive" | "lost" | "ended";
  /** Closes the file and ends the thread when no order is running; waits at most `timeoutMs` for that. */
  end(timeoutMs: number): Promise<void>;
}

/**
 * Starts the thread. It is lost when it has not answered, and no bytes have arrived for it, for `timeoutMs`. A thread
 * is never terminated during an order: if a native call fails after its thread has ended, the whole process ends.
 */
export function startReplicaThread(timeoutMs: number): ReplicaThread {
  const worker = new Worker(new URL("./replica_worker.ts", import.meta.url).href);
  let state: "alive" | "lost" | "ended" = "alive";
  let isBusy = false;
  let isEnding = false;
  let timer: Timer | undefined;
  let resolveAnswer: ((answer: ReplicaAnswer) => void) | undefined;
  let idle = Promise.resolve();
  let resolveIdle = () => {};
  const ended = Promise.withResolvers<void>();

  function finish(answer: ReplicaAnswer): void {
    clearTimeout(timer);
    resolveAnswer?.(answer);
    resolveAnswer = undefined;
  }

  function receive(answer: ReplicaAnswer): void {
    isBusy = false;
    finish(answer);
    resolveIdle();
    if (state === "lost") terminate();
  }

  function terminate(): void {
    state = "ended";
    worker.terminate();
  }

  function send(order: ReplicaOrder): Promise<ReplicaAnswer> {
    isBusy = true;
    idle = new Promise((resolve) => {
      resolveIdle = resolve;
    });
    return new Promise((resolve) => {
      resolveAnswer = resolve;
      timer = setTimeout(() => {
        state = "lost";
        finish({ kind: "failed", problem: `the replica's thread did not answer for ${timeoutMs} ms` });
      }, timeoutMs);
      worker.postMessage(order);
    });
  }

  worker.onmessage = ({ data }: MessageEvent<ReplicaAnswer>) => receive(data);
  worker.onerror = (event) => {
    event.preventDefault();
    state = "ended";
    receive({ kind: "failed", problem: `the replica's thread ended: ${event.message}` });
  };
  worker.addEventListener("close", () => {
    state = "ended";
    ended.resolve();
    receive({ kind: "failed", problem: "the replica's thread ended" });
  });

  return {
    send(order) {
      if (state !== "alive" || isBusy || isEnding)
        return Promise.resolve({ kind: "failed", problem: "the replica's thread is busy or has ended" });
      return send(order);
    },
    noteProgress() {
      if (resolveAnswer !== undefined) timer?.refresh();
    },
    state: () => state,
    async end(timeoutMs) {
      isEnding = true;
      await Promise.race([idle, Bun.sleep(timeoutMs)]);
      if (isBusy) state = "lost";
      if (state !== "alive") return;
      await send({ kind: "close" });
      terminate();
      await Promise.race([ended.promise, Bun.sleep(timeoutMs)]);
    },
  };
}
