import { LRUCache } from "lru-cache";
import type { Address } from "#address";
import { isRecent } from "#common";
import type { Answer } from "#lookup";
import type { Operation, Reports } from "./context.ts";
import { answerFromTables } from "./report_replies.ts";

/** How long a miss in the database for a client's own address is remembered. */
const MISS_REST_MS = 10_000;

const MAX_MISSES = 10_000;

/** Finds what is known of a client's own address: the stored report, or what the local tables say. It costs nothing. */
export type FindOwn = (own: Address) => Promise<Answer>;

/** Creates a {@link FindOwn}. It remembers misses in the database, because anyone can ask often. */
export function createOwnFinder(context: Reports & Operation): FindOwn {
  const { findKnown, findKnownSync, assessTables, now } = context;
  const missed = new LRUCache<string, number>({ max: MAX_MISSES });

  async function findUnlessMissed(own: Address): Promise<Answer | undefined> {
    if (isRecent(missed.get(own.text), now(), MISS_REST_MS)) return undefined;
    const known = await findKnown(own);
    if (known === undefined) missed.set(own.text, now());
    return known;
  }

  return async (own) =>
    findKnownSync?.(own) ?? (await findUnlessMissed(own)) ?? answerFromTables(await assessTables(own));
}
