import { databasePath } from "./open_database.ts";
import type { StoreOptions } from "./open_store.ts";
import { type DatabasePruning, pruneDatabase } from "./prune_database.ts";
import type { PruneAnswer, PruneWork } from "./prune_worker.ts";
import { StoreError } from "./store.ts";

/**
 * {@link pruneDatabase} for one who serves meanwhile: an embedded database is pruned in a thread of its own, because
 * libSQL lets nothing else run on the one that waits for the disk.
 * @throws {StoreError} when the database does not answer.
 */
export function pruneInThread(
  options: Omit<StoreOptions, "migrations">,
  order: { readonly before: number; readonly signal: AbortSignal },
): Promise<DatabasePruning> {
  if (databasePath(options.url) === undefined) return pruneDatabase(options, order);
  const { url, token } = options;
  const { before, signal } = order;
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./prune_worker.ts", import.meta.url).href);
    // Asked and not terminated: a thread that ends inside a native call takes the process with it.
    const stop = () => worker.postMessage("stop");
    const finish = () => {
      signal.removeEventListener("abort", stop);
      worker.terminate();
    };
    worker.onmessage = ({ data }: MessageEvent<PruneAnswer>) => {
      finish();
      if (data.kind === "done") resolve(data.pruning);
      else reject(new StoreError(data.problem));
    };
    worker.onerror = ({ message }) => {
      finish();
      reject(new StoreError(`Cannot prune database "${databasePath(url)}": ${message}`));
    };
    signal.addEventListener("abort", stop, { once: true });
    const work: PruneWork = { url, before, ...(token === undefined ? {} : { token }) };
    worker.postMessage(work);
    if (signal.aborted) stop();
  });
}
