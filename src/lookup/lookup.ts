import type { Address } from "#address";
import type { Assessment, Tier } from "#report";
import type { VoteSum } from "#store";

/** An answer about an address, and which tier gave it. */
export interface Answer {
  readonly tier: Tier;
  readonly stale: boolean;
  readonly assessment: Assessment;
  /** What visitors said of the address; the same array until that changes. */
  readonly votes: readonly VoteSum[];
  /** How many live sources stand behind it. */
  readonly heard: number;
}

/**
 * What became of a lookup: an answer, a client that may not start a survey now (its {@link Admit} said so and knows
 * why), a mirror that must leave it to its primary, or a service that is too busy to ask the world.
 */
export type LookupResult =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "denied" }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "overloaded"; readonly retryAfterMs: number };

/** Leave to start a survey; `giveBack` undoes what it cost, for a survey that was not begun or that nobody live answered. */
export type Admission =
  | { readonly admitted: true; readonly giveBack: () => void }
  | { readonly admitted: false };

/** Asked at most once, and only for the caller that would start a survey, before it starts. Never rejects. */
export type Admit = () => Promise<Admission>;

/** What a watcher of a survey sees. Who joins late is told what has happened so far. */
export type SurveyEvent =
  | { readonly kind: "queued" }
  | { readonly kind: "started"; readonly sources: readonly { readonly id: string; readonly name: string }[] }
  | {
      readonly kind: "source";
      readonly id: string;
      readonly name: string;
      readonly state: "answered" | "empty" | "skipped" | "failed";
      readonly ms: number;
    };

/** What the caller wants beside the address. `refresh` passes by cache and store. */
export interface LookupOptions {
  readonly refresh: boolean;
  readonly admit: Admit;
  /** Told of the survey's progress, if there is one; must not throw. */
  readonly watch?: (event: SurveyEvent) => void;
}

/** What is known of an address already, in memory or the database: asks nobody, costs nothing. Never rejects. */
export type Peek = (address: Address) => Promise<Answer | undefined>;

/** What can be said of an address at once, for a lookup that is no refresh: from memory, or a database at hand. */
export type Hit = (address: Address) => Answer | undefined;

/** Looks an address up through the tiers: cache, store, survey. Rejects only when `signal` aborts. */
export type Lookup = (address: Address, options: LookupOptions, signal: AbortSignal) => Promise<LookupResult>;
