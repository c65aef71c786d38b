import type { Client } from "./client.ts";

/** The state of one limit, as the RateLimit headers show it. */
export interface LimitState {
  readonly policy: "lookup" | "new-ip" | "refresh" | "open-minute" | "open-day";
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Seconds until `remaining` grows. */
  readonly resetSeconds: number;
}

/** A client that wants to start a survey. `passId` is the id of its verification pass, if it has one. */
export interface AdmissionRequest {
  readonly client: Client;
  readonly kind: "new-ip" | "refresh";
  readonly passId?: string;
}

/** Why a survey may not start now. */
export interface Refusal {
  readonly code: "rate_limited" | "open_rate_limited" | "verification_required";
  /** The limit that is used up: the client's minute, the minute of all open lookups, the client's day, or the total day. */
  readonly reason: "new_per_minute" | "refresh_per_minute" | "open_per_minute" | "client_day" | "total_day";
  readonly limit: number;
  /** Milliseconds until a request can be admitted; absent when waiting does not help. */
  readonly retryAfterMs?: number;
}

/**
 * The survey may start. `limits` are all limits that it was charged for; `remaining` is the client's open lookups of
 * the day.
 */
export interface Admitted {
  readonly admitted: true;
  readonly limits: readonly LimitState[];
  readonly remaining: number;
}

/** The survey may not start, and nothing was charged. `limits` are the client's minute and the limit that refused. */
export interface Refused {
  readonly admitted: false;
  readonly refusal: Refusal;
  readonly limits: readonly LimitState[];
  readonly remaining: number;
}

export type Admission = Admitted | Refused;

/**
 * Decides who may start a survey. Each client has a limit per minute. Clients without a pass also share a limit per
 * minute, and have an open allowance per day: one for each client and one for all together. No method rejects: while
 * the database is away, this process decides alone.
 */
export interface Admissions {
  /** Admits the request and charges its limits, or refuses it. */
  request(request: AdmissionRequest): Promise<Admission>;
  /**
   * Gives an admission back to the open allowance, in the background; a second call does nothing. The client's own
   * minute stays charged. @returns the limits that still apply.
   */
  refund(admission: Admitted): readonly LimitState[];
  /**
   * Open lookups that the client can still make today: the rest of its own allowance, or of the total of all clients if
   * that is smaller; at most 5 seconds old. Returns a promise only when it must read the database.
   */
  remaining(client: Client): number | Promise<number>;
}

/** Admits every request and counts nothing: for commands of the operator. */
export const ADMIT_ALL: Admissions = {
  request: () => Promise.resolve({ admitted: true, limits: [], remaining: 0 }),
  refund: () => [],
  remaining: () => 0,
};

/** The limits of surveys. A limit of 0 admits nobody. */
export interface AdmissionLimits {
  /** Open lookups (new addresses without a pass) of one client a day. */
  readonly openPerDay: number;
  /** Open lookups of all clients a minute. */
  readonly openPerMinute: number;
  /** Open lookups of all clients a day. */
  readonly openDailyTotal: number;
  /** New addresses a minute: for each client, with or without a pass, and for each pass. */
  readonly newPerMinute: number;
  /** Refreshes a minute: for each client, and for each pass. */
  readonly refreshPerMinute: number;
}
