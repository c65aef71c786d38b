/** What a human check is for. Bound to the address: a check for one opens nothing for another. */
export const VERIFICATION_ACTIONS = ["lookup", "refresh", "feedback"] as const;
export type VerificationAction = (typeof VERIFICATION_ACTIONS)[number];

/** The matter a check is bound to. */
export interface VerificationSubject {
  /** Normalised address text. */
  readonly address: string;
  readonly action: VerificationAction;
}

/** What became of a solution. Everything but `passed` sets nothing and opens nothing. */
export type VerificationResult = "passed" | "failed" | "expired" | "replayed" | "unavailable";

/** What the page needs to show the check. */
export type VerificationWidget =
  | { readonly kind: "altcha" }
  | { readonly kind: "turnstile"; readonly siteKey: string; readonly token: string };

/** The human check: self-hosted proof of work, or Cloudflare Turnstile. */
export interface Verification {
  readonly kind: "altcha" | "turnstile";
  /** What the page shows; for turnstile with a signed token of matter and moment, to be given back as its `cdata`. */
  describeWidget(matter: VerificationSubject): VerificationWidget;
  /** A new challenge as the ALTCHA widget reads it (a JSON document), or undefined where the verifier is another. */
  createChallenge(matter: VerificationSubject): Promise<unknown>;
  /** Judges what the widget gave; accepted once by any process on the database. Never rejects. */
  verify(matter: VerificationSubject, payload: string): Promise<VerificationResult>;
}

/** A verified visitor. `id` is random and names nobody. */
export interface Pass {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Passes of verified visitors as signed cookie values. */
export interface Passes {
  issue(): { readonly pass: Pass; readonly cookie: string };
  /** The pass in a Cookie header, or undefined when there is none, it is forged, or it has ended. */
  read(cookieHeader: string | null): Pass | undefined;
}
