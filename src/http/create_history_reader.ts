import type { Conclusion, HttpDeps } from "./http_deps.ts";

/** After a failure the shelf is left alone this long: a page must not wait for a database that is away. */
const REST_MS = 5000;

/** Reads what was concluded of an address before; undefined while the database cannot be read. Never rejects. */
export type HistoryReader = (address: string) => Promise<readonly Conclusion[] | undefined>;

/** Builds {@link HistoryReader} for pages, which go without rather than wait. */
export function createHistoryReader(deps: Pick<HttpDeps, "shelf" | "now" | "log">): HistoryReader {
  let restUntil = Number.NEGATIVE_INFINITY;
  return async (address) => {
    if (deps.now() < restUntil) return undefined;
    try {
      return await deps.shelf.history(address);
    } catch (error) {
      restUntil = deps.now() + REST_MS;
      deps.log("error", "history_unreadable", { message: String(error) });
      return undefined;
    }
  };
}
