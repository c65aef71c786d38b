import { LRUCache } from "lru-cache";
import type { Address } from "#address";
import type { Answer } from "#lookup";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";

/** A client of whose address nothing is stored is not looked for again before this. */
const REST_MS = 10_000;

const MAX_CLIENTS = 10_000;

/** What is known already of the address a visitor comes from. Asks nobody, costs nothing. */
export type OwnReports = (exchange: Exchange, own: Address) => Promise<Answer | undefined>;

/** Builds {@link OwnReports} for the front page, which anybody may open as often as they like: so misses are remembered. */
export function createOwnReports(deps: Pick<HttpDeps, "findKnown" | "now">): OwnReports {
  const missed = new LRUCache<string, number>({ max: MAX_CLIENTS });
  return async ({ client }, own) => {
    const missedAt = missed.get(client.key);
    if (missedAt !== undefined && deps.now() - missedAt < REST_MS) return undefined;
    const answer = await deps.findKnown(own);
    if (answer === undefined) missed.set(client.key, deps.now());
    else missed.delete(client.key);
    return answer;
  };
}
