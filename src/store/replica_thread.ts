import type { ReplicaAnswer, ReplicaOrder } from "./replica_messages.ts";

/** The thread that owns a replica's file, as seen from the one that serves. */
export interface ReplicaThread {
  /** Never rejects: an order that is not answered fails, and the thread is lost with it. One order at a time. */
  ask(order: ReplicaOrder): Promise<ReplicaAnswer>;
  /** Bytes came for it, so that it is at work and may take longer. */
  noteHeard(): void;
  /** `lost`: native code holds it and its files. */
  state(): "alive" | "lost" | "ended";
  /** Lets go of the file and ends, as soon as no order is under way, which may be never; waits `patienceMs` for that. */
  end(patienceMs: number): Promise<void>;
}

/**
 * Starts a thread that is given up when it has answered nothing, and nothing has come for it, for `silenceMs`.
 * It is never terminated while it obeys: a native call whose thread has gone when it fails takes the process with it.
 */
export function startReplicaThread(silenceMs: number): ReplicaThread {
  const worker = new Worker(new URL("./replica_worker.ts", import.meta.url).href);
  let state: "alive" | "lost" | "ended" = "alive";
  let isBusy = false;
  let isEnding = false;
  let silence: Timer | undefined;
  let settle: ((answer: ReplicaAnswer) => void) | undefined;
  let free = Promise.resolve();
  let release = () => {};
  const gone = Promise.withResolvers<void>();

  function finish(answer: ReplicaAnswer): void {
    clearTimeout(silence);
    settle?.(answer);
    settle = undefined;
  }

  function setFree(answer: ReplicaAnswer): void {
    isBusy = false;
    finish(answer);
    release();
    if (state === "lost") terminate();
  }

  function terminate(): void {
    state = "ended";
    worker.terminate();
  }

  function ask(order: ReplicaOrder): Promise<ReplicaAnswer> {
    if (state !== "alive" || isBusy || isEnding)
      return Promise.resolve({ kind: "failed", problem: "the replica's thread takes no orders" });
    return pass(order);
  }

  function pass(order: ReplicaOrder): Promise<ReplicaAnswer> {
    isBusy = true;
    free = new Promise((resolve) => {
      release = resolve;
    });
    return new Promise((resolve) => {
      settle = resolve;
      silence = setTimeout(() => {
        state = "lost";
        finish({ kind: "failed", problem: `the replica's thread was silent for ${silenceMs} ms` });
      }, silenceMs);
      worker.postMessage(order);
    });
  }

  worker.onmessage = ({ data }: MessageEvent<ReplicaAnswer>) => setFree(data);
  worker.onerror = (event) => {
    event.preventDefault();
    state = "ended";
    setFree({ kind: "failed", problem: `the replica's thread ended: ${event.message}` });
  };
  worker.addEventListener("close", () => {
    state = "ended";
    gone.resolve();
    setFree({ kind: "failed", problem: "the replica's thread ended" });
  });

  return {
    ask,
    noteHeard() {
      if (settle !== undefined) silence?.refresh();
    },
    state: () => state,
    async end(patienceMs) {
      isEnding = true;
      await Promise.race([free, Bun.sleep(patienceMs)]);
      if (isBusy) state = "lost";
      if (state !== "alive") return;
      await pass({ kind: "close" });
      terminate();
      await Promise.race([gone.promise, Bun.sleep(patienceMs)]);
    },
  };
}
