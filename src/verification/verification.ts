/** What a verification allows. It is valid for one action on one address. */
export const VERIFICATION_ACTIONS = ["lookup", "refresh", "feedback"] as const;
export type VerificationAction = (typeof VERIFICATION_ACTIONS)[number];

/** What a verification is for. */
export interface VerificationSubject {
  /** Normalised address text. */
  readonly address: string;
  readonly action: VerificationAction;
}

/** The result of a verification. Only `passed` allows anything. */
export type VerificationResult = "passed" | "failed" | "expired" | "replayed" | "unavailable";

/** What the page needs to show the widget. */
export type VerificationWidget =
  | { readonly kind: "altcha" }
  | { readonly kind: "turnstile"; readonly siteKey: string; readonly token: string };

/** Checks that the visitor is human: ALTCHA (proof of work on this server) or Cloudflare Turnstile. */
export interface Verification {
  /** Describes the widget. Turnstile gets a signed token of subject and time, which the page sends back as `cdata`. */
  describeWidget(subject: VerificationSubject): VerificationWidget;
  /** Creates a challenge for the ALTCHA widget (a JSON document); undefined where the widget has none. */
  createChallenge(subject: VerificationSubject): Promise<unknown>;
  /**
   * Checks the solution that the widget sent. All processes on one database together accept a solution once. A
   * failure of the database or of Turnstile gives `unavailable`. Never rejects.
   */
  verify(subject: VerificationSubject, payload: string): Promise<VerificationResult>;
}

/** How long a visitor may take to solve a challenge: 10 minutes. */
export const CHALLENGE_MS = 10 * 60_000;

/** A used challenge is stored this much longer than it is valid, for processes whose clocks differ. */
export const CLOCK_SKEW_MS = 60_000;
