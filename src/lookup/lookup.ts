import type { Address } from "#address";
import type { Assessment, Tier } from "#report";

/** An answer about an address, and which tier gave it. */
export interface Answer {
  readonly tier: Tier;
  readonly stale: boolean;
  readonly assessment: Assessment;
}

/**
 * What became of a lookup: an answer, a client that may not start a survey now, or a service that is
 * too busy to ask the world.
 */
export type LookupResult =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "denied"; readonly retryAfterMs: number }
  | { readonly kind: "overloaded"; readonly retryAfterMs: number };

/** Asked at most once, and only for the caller that would start a survey, before it starts. */
export type Admit = () =>
  | { readonly admitted: true }
  | { readonly admitted: false; readonly retryAfterMs: number };

/** What the caller wants beside the address. `refresh` passes by cache and store. */
export interface LookupOptions {
  readonly refresh: boolean;
  readonly admit: Admit;
}

/** Looks an address up through the tiers: cache, store, survey. Rejects only when `signal` aborts. */
export type Lookup = (address: Address, options: LookupOptions, signal: AbortSignal) => Promise<LookupResult>;
