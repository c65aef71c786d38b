/** What a human check is for. Bound to the address: a check for one opens nothing for another. */
export const CHECK_ACTIONS = ["lookup", "refresh", "feedback"] as const;
export type CheckAction = (typeof CHECK_ACTIONS)[number];

/** The matter a check is bound to. */
export interface CheckMatter {
  /** Normalised address text. */
  readonly address: string;
  readonly action: CheckAction;
}

/** What became of a solution. Everything but `passed` sets nothing and opens nothing. */
export type CheckResult = "passed" | "failed" | "expired" | "replayed" | "unavailable";

/** What the page needs to show the check. */
export type CheckInvitation =
  | { readonly kind: "altcha" }
  | { readonly kind: "turnstile"; readonly siteKey: string; readonly token: string };

/** The human check: self-hosted proof of work, or Cloudflare Turnstile. */
export interface Verification {
  readonly kind: "altcha" | "turnstile";
  /** What the page shows; for turnstile with a signed token of matter and moment, to be given back as its `cdata`. */
  invite(matter: CheckMatter): CheckInvitation;
  /** A new challenge as the ALTCHA widget reads it (a JSON document), or undefined where the verifier is another. */
  challenge(matter: CheckMatter): Promise<unknown>;
  /** Judges what the widget gave; accepted once by any process on the database. Never rejects. */
  verify(matter: CheckMatter, payload: string): Promise<CheckResult>;
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

/** Keyed hashes that stand for clients where something is kept; they change daily and cannot be turned back. */
export interface ClientNames {
  /** Name of a client on a day (days since the epoch, UTC). */
  nameOf(key: string, day: number): string;
  /** Name of a client as a voter on a day, whatever its browsers and passes; never equal to its `nameOf`. */
  voterOf(key: string, day: number): string;
}
