import type { RefusalReason } from "./feeds/feed_error.ts";

/**
 * The state of one feed. `ready` = its entries speak; otherwise `problem` says why not. Moments and ages in
 * milliseconds; age counts from when the publisher last confirmed the data.
 */
export interface FeedState {
  readonly id: string;
  readonly ready: boolean;
  /** `fresh` up to twice its cadence, `expired` when it no longer speaks, `absent` before the first download. */
  readonly freshness: "fresh" | "ageing" | "expired" | "absent";
  readonly problem?: string;
  readonly ageMs?: number;
  /** Date of the data (YYYY-MM-DD): as the list says, else the day of its download. */
  readonly date?: string;
  readonly rows?: number;
  readonly stripped?: number;
  readonly bytes?: number;
  readonly fetchedAt?: number;
  readonly dueAt?: number;
  /** The last failure since the last success. */
  readonly error?: { readonly at: number; readonly problem: string; readonly reason?: RefusalReason };
}
