import { LRUCache } from "lru-cache";
import type { Address } from "#address";
import type { Answer } from "#lookup";
import type { Operation, Reports } from "./context.ts";
import type { RequestContext } from "./plugins/request_context.ts";
import { answerFromTables } from "./report_replies.ts";

/** How long a miss in the database for a client's own address is remembered. */
const MISS_REST_MS = 10_000;

const MAX_CLIENTS = 10_000;

/** Finds what is known of a client's own address: the stored report, or what the local tables say. It costs nothing. */
export type FindOwn = (requestContext: RequestContext, own: Address) => Promise<Answer>;

/** Creates a {@link FindOwn}. It remembers misses, because anyone can ask often. */
export function createOwnFinder({ findKnown, assessTables, now }: Reports & Operation): FindOwn {
  const missed = new LRUCache<string, number>({ max: MAX_CLIENTS });
  return async ({ client }, own) => {
    const missedAt = missed.get(client.key);
    const isMissed = missedAt !== undefined && now() - missedAt < MISS_REST_MS;
    const known = isMissed ? undefined : await findKnown(own);
    if (known !== undefined) missed.delete(client.key);
    else if (!isMissed) missed.set(client.key, now());
    return known ?? answerFromTables(await assessTables(own));
  };
}
