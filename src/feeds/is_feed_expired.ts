import type { Feed } from "./feed.ts";

/** A list this many cadences old no longer speaks. */
const EXPIRED_CADENCES = 8;

/** Whether a download is too old to claim anything; `checkedAt` and `nowMs` in milliseconds. */
export function isFeedExpired(
  feed: Pick<Feed, "cadenceMs" | "expiresMs">,
  good: { readonly checkedAt: number },
  nowMs: number,
): boolean {
  return nowMs - good.checkedAt > (feed.expiresMs ?? EXPIRED_CADENCES * feed.cadenceMs);
}
