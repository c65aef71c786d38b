import * as v from "valibot";
import { createKeyedHash } from "#limits";
import type { ChallengeRepository } from "#store";
import {
  CHALLENGE_MS,
  CLOCK_SKEW_MS,
  type Verification,
  type VerificationResult,
  type VerificationSubject,
} from "./verification.ts";

/** The time that siteverify has to answer. */
const TIMEOUT_MS = 5000;

/** A token of Turnstile has at most 2048 characters, by its documentation. */
const TOKEN = /^[\x21-\x7e]{1,2048}$/;

/**
 * Our token: its expiry time in milliseconds since the epoch, and an HMAC in base64url. `cdata` may hold 255 letters,
 * digits, `_` and `-`.
 */
const WIDGET_TOKEN = /^v1-([1-9][0-9]{0,15})-([A-Za-z0-9_-]{43})$/;

/** Error codes for a failure of the service, not of the visitor. */
const SERVICE_ERRORS = new Set([
  "internal-error",
  "missing-input-secret",
  "invalid-input-secret",
  "bad-request",
]);

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const AnswerSchema = v.object({
  success: v.boolean(),
  action: v.nullish(v.string()),
  cdata: v.nullish(v.string()),
  "error-codes": v.nullish(v.array(v.string())),
});

/**
 * Creates the verification by Cloudflare Turnstile. The page gives the widget a signed token of subject and time as
 * its `cData`; the answer of Turnstile must contain the same token and the action. No client address is sent.
 */
export function createTurnstileVerification(options: {
  readonly siteKey: string;
  readonly secretKey: string;
  readonly secret: string;
  readonly challenges: ChallengeRepository;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Posts a form to siteverify and returns its JSON. Rejects when there is no answer. */
  readonly siteverify: (form: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<unknown>;
  /** Default 5000. */
  readonly timeoutMs?: number;
}): Verification {
  const { siteKey, secretKey, secret, challenges, now, siteverify, timeoutMs = TIMEOUT_MS } = options;
  const widgetTokens = createKeyedHash(secret, "turnstile invitation 1");
  const uses = createKeyedHash(secret, "turnstile use 1");

  async function query(token: string): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs);
    // Ends the wait even if `siteverify` ignores its signal.
    const timeout = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    return await Promise.race([siteverify({ secret: secretKey, response: token }, signal), timeout]);
  }

  /** True for the first use of a token in any process. */
  function use(token: string, at: number): Promise<boolean> {
    const id = `turnstile:${uses.of([token]).toString("base64url")}`;
    return challenges.use(id, at + CHALLENGE_MS + CLOCK_SKEW_MS, at);
  }

  async function check(subject: VerificationSubject, token: string): Promise<VerificationResult> {
    const parsed = v.safeParse(AnswerSchema, await query(token));
    if (!parsed.success) return "unavailable";
    const answer = parsed.output;
    const codes = answer["error-codes"] ?? [];
    if (!answer.success) {
      if (codes.some((code) => SERVICE_ERRORS.has(code))) return "unavailable";
      if (!codes.includes("timeout-or-duplicate")) return "failed";
      // Turnstile does not distinguish the two. The database knows whether the token was accepted before.
      return (await use(token, now())) ? "expired" : "replayed";
    }
    if (answer.action !== subject.action) return "failed";
    const [, expires, mac] = WIDGET_TOKEN.exec(answer.cdata ?? "") ?? [];
    if (expires === undefined || mac === undefined) return "failed";
    if (!widgetTokens.isOf(mac, [subject.address, subject.action, expires])) return "failed";
    const at = now();
    if (at >= Number(expires)) return "expired";
    return (await use(token, at)) ? "passed" : "replayed";
  }

  return {
    describeWidget({ address, action }) {
      const expires = String(now() + CHALLENGE_MS);
      const mac = widgetTokens.of([address, action, expires]).toString("base64url");
      return { kind: "turnstile", siteKey, token: `v1-${expires}-${mac}` };
    },
    createChallenge: async () => undefined,
    async verify(subject, payload) {
      if (!TOKEN.test(payload)) return "failed";
      try {
        return await check(subject, payload);
      } catch {
        return "unavailable";
      }
    },
  };
}
