import type { Client } from "./client.ts";

/** Where one limit stands, as the RateLimit headers tell it. */
export interface LimitState {
  readonly policy: "lookup" | "new-ip" | "refresh" | "open-minute" | "open-day";
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Seconds until there is more. */
  readonly resetSeconds: number;
}

/** Who would start a survey, and which. `pass` is the id of a verified visitor's pass. */
export interface SurveyAsk {
  readonly client: Client;
  readonly kind: "new-ip" | "refresh";
  readonly pass?: string;
}

/** Why a survey may not start now. */
export interface Refusal {
  readonly code: "rate_limited" | "open_rate_limited" | "verification_required";
  /** What is used up, for the sentence: the limit a minute, the client's day, or everybody's day. */
  readonly reason: "new_per_minute" | "refresh_per_minute" | "open_per_minute" | "client_day" | "total_day";
  readonly limit: number;
  /** Until an ask could be granted; absent where waiting is not the way. */
  readonly retryAfterMs?: number;
}

/** The answer to an ask. `limits` are those that applied; `remaining` is what the client has left of its open day. */
export type SurveyLeave =
  | {
      readonly admitted: true;
      readonly limits: readonly LimitState[];
      readonly remaining: number;
      /** Undoes the open allowance it cost, once; in the background, never rejects. */
      readonly giveBack: () => void;
    }
  | {
      readonly admitted: false;
      readonly refusal: Refusal;
      readonly limits: readonly LimitState[];
      readonly remaining: number;
    };

/** Who may start a survey: per client and minute, and for the unverified the site's minute and the open day. */
export interface Admissions {
  /** Never rejects: while the database cannot count, this process counts on its own. */
  ask(ask: SurveyAsk): Promise<SurveyLeave>;
  /** What the client has left of its open day, at most some seconds old; a promise only when it must be read. */
  remaining(client: Client): number | Promise<number>;
}
