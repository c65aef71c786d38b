import { type DatabasePruning, pruneDatabase } from "./prune_database.ts";

/** What the thread is to do; the word `stop` ends it early. */
export interface PruneWork {
  readonly url: string;
  readonly token?: string;
  readonly before: number;
}

/** What became of it. */
export type PruneAnswer =
  | { readonly kind: "done"; readonly pruning: DatabasePruning }
  | { readonly kind: "failed"; readonly problem: string };

/** The thread that deletes from an embedded database while another one serves. */
declare const self: Worker;

const ending = new AbortController();

self.onmessage = async ({ data }: MessageEvent<PruneWork | "stop">) => {
  if (data === "stop") {
    ending.abort();
    return;
  }
  let answer: PruneAnswer;
  try {
    const { before, ...options } = data;
    answer = { kind: "done", pruning: await pruneDatabase(options, { before, signal: ending.signal }) };
  } catch (error) {
    answer = { kind: "failed", problem: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answer);
};
