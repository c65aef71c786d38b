import { type DatabasePruning, pruneDatabase } from "./prune_database.ts";

/** The work of this thread. The message `stop` ends it early. */
export interface PruneWork {
  readonly url: string;
  readonly token?: string;
  readonly before: number;
}

/** The result of the work. */
export type PruneAnswer =
  | { readonly kind: "done"; readonly pruning: DatabasePruning }
  | { readonly kind: "failed"; readonly problem: string };

/** The thread that prunes an embedded database while the main thread serves. */
declare const self: Worker;

const stopping = new AbortController();

self.onmessage = async ({ data }: MessageEvent<PruneWork | "stop">) => {
  if (data === "stop") {
    stopping.abort();
    return;
  }
  let answer: PruneAnswer;
  try {
    const { before, ...options } = data;
    answer = { kind: "done", pruning: await pruneDatabase(options, { before, signal: stopping.signal }) };
  } catch (error) {
    answer = { kind: "failed", problem: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answer);
};
