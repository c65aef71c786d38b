import type { Address } from "#address";
import { MINUTE_MS } from "#common";
import type { Survey } from "#evidence";
import type { Client, LimitState, Refusal } from "#limits";
import type { Assessment, Tier, VoteSum } from "#report";
import { assess } from "./assess.ts";

export const NO_VOTES: readonly VoteSum[] = [];

/** An answer about an address, and which tier gave it. */
export interface Answer {
  readonly tier: Tier;
  readonly stale: boolean;
  readonly assessment: Assessment;
  /** Sums of the visitors' votes on the address; the same array until they change. */
  readonly votes: readonly VoteSum[];
  readonly liveAnswers: number;
}

/** A client's request for the report on an address. `passId` is the id of its verification pass, if it has one. */
export interface LookupRequest {
  readonly address: Address;
  /** Starts a new survey even if the address is known. */
  readonly refresh: boolean;
  readonly client: Client;
  readonly passId?: string;
  /** A refresh asks scarce sources only if the others do not settle the address, as for a new address. */
  readonly isThrifty?: boolean;
  /** Receives the progress of the survey, if there is one. */
  readonly watch?: (event: SurveyEvent) => void;
}

/**
 * The result of a lookup. `limits` are the limits of surveys that apply to this request, in their last state: empty
 * unless the request asked to start a survey, and without the open allowance when that was refunded.
 * `refused`: the client may not start a survey now. `overloaded`: too many surveys wait. `not_in_mirror`: a mirror does
 * not have the report and starts no survey.
 */
export type LookupResult = { readonly limits: readonly LimitState[] } & (
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "overloaded"; readonly retryAfterMs: number }
  | { readonly kind: "not_in_mirror" }
);

/**
 * Progress of a survey. A watcher that joins late first receives the earlier events. `admitted` goes only to the
 * request that starts the survey, before all others: `limits` are what it was charged for.
 */
export type SurveyEvent =
  | { readonly kind: "admitted"; readonly limits: readonly LimitState[] }
  | { readonly kind: "queued" }
  | { readonly kind: "started"; readonly sources: readonly { readonly id: string; readonly name: string }[] }
  | {
      readonly kind: "source";
      readonly id: string;
      readonly name: string;
      readonly state: "answered" | "empty" | "skipped" | "failed";
      readonly ms: number;
    };

/** Looks an address up in memory, then in the database, then by a survey. Rejects only when `signal` aborts. */
export type Lookup = (request: LookupRequest, signal: AbortSignal) => Promise<LookupResult>;

/** Finds the report on an address in memory or in the database. Starts no survey and never rejects. */
export type FindKnown = (address: Address) => Promise<Answer | undefined>;

/** Finds the report on an address in memory, or in a database file that can be read without waiting. */
export type FindKnownSync = (address: Address) => Answer | undefined;

/** The end of a lookup: the tier that answered, or why there is no answer. */
export type LookupEnd = Tier | Exclude<LookupResult["kind"], "answer"> | "failed";

/** Calls `onEnd` after each lookup, except for callers that disconnected. */
export function watchLookup(lookup: Lookup, onEnd: ((end: LookupEnd) => void) | undefined): Lookup {
  if (onEnd === undefined) return lookup;
  return async (request, signal) => {
    try {
      const result = await lookup(request, signal);
      onEnd(result.kind === "answer" ? result.answer.tier : result.kind);
      return result;
    } catch (error) {
      if (!signal.aborted) onEnd("failed");
      throw error;
    }
  };
}

/**
 * Answers about a special-purpose address. The report is the same for a minute: its time is the start of the minute,
 * and its source needs no measurable time. So it has one tag in this minute, although it is never stored.
 */
export async function answerSpecial(
  address: Address,
  survey: (address: Address) => Promise<Survey>,
): Promise<LookupResult> {
  const surveyed = await survey(address);
  const minute = Math.floor(Date.parse(surveyed.surveyedAt) / MINUTE_MS) * MINUTE_MS;
  const assessment = assess({
    ...surveyed,
    surveyedAt: new Date(minute).toISOString(),
    runs: surveyed.runs.map((run) => ({ ...run, ms: 0 })),
  });
  const answer: Answer = { tier: "fresh", stale: false, assessment, votes: NO_VOTES, liveAnswers: 0 };
  return { kind: "answer", answer, limits: [] };
}
