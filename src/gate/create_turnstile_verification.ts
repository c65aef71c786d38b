import * as v from "valibot";
import type { ChallengeRepository } from "#store";
import { CHECK_MS, USED_MS } from "./check_times.ts";
import { createKeyedHash } from "./keyed_hash.ts";
import type { CheckMatter, CheckResult, Verification } from "./verification.ts";

/** A siteverify that has not answered by then is given up. */
const TIMEOUT_MS = 5000;

/** Longest token of Turnstile, by its documentation. */
const TOKEN = /^[\x21-\x7e]{1,2048}$/;

/** `cdata` may hold letters, digits, `_` and `-` only, 255 at most: end of the check, and HMAC in base64url. */
const INVITATION = /^v1-([1-9][0-9]{0,15})-([A-Za-z0-9_-]{43})$/;

/** Codes that say that the service, not the visitor, is in trouble. */
const TROUBLE = new Set(["internal-error", "missing-input-secret", "invalid-input-secret", "bad-request"]);

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const AnswerSchema = v.object({
  success: v.boolean(),
  action: v.nullish(v.string()),
  cdata: v.nullish(v.string()),
  "error-codes": v.nullish(v.array(v.string())),
});

/** What the check stands on. */
export interface TurnstileOptions {
  readonly siteKey: string;
  readonly secretKey: string;
  /** The service's own secret. */
  readonly secret: string;
  readonly challenges: ChallengeRepository;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Posts a form to siteverify and gives its JSON; rejects for whatever is no answer. */
  readonly siteverify: (form: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<unknown>;
  /** Default 5000. */
  readonly timeoutMs?: number;
}

/**
 * Creates the check by Cloudflare Turnstile. The page gives the widget a signed token of matter and moment as its
 * `cData`; Turnstile's answer must show it again, and the action. No client address is sent. Whatever is no clear
 * success opens nothing.
 */
export function createTurnstileVerification(options: TurnstileOptions): Verification {
  const { siteKey, secretKey, secret, challenges, now, siteverify, timeoutMs = TIMEOUT_MS } = options;
  const invitations = createKeyedHash(secret, "turnstile invitation 1");
  const uses = createKeyedHash(secret, "turnstile use 1");

  async function ask(token: string): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs);
    // A port that does not heed the signal shall not keep the visitor waiting either.
    const timeout = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    return await Promise.race([siteverify({ secret: secretKey, response: token }, signal), timeout]);
  }

  /** True for the first use of a token by anybody. */
  function use(token: string, at: number): Promise<boolean> {
    const id = `turnstile:${uses.of([token]).toString("base64url")}`;
    return challenges.use(id, at + CHECK_MS + USED_MS, at);
  }

  async function judge(matter: CheckMatter, token: string): Promise<CheckResult> {
    const parsed = v.safeParse(AnswerSchema, await ask(token));
    if (!parsed.success) return "unavailable";
    const answer = parsed.output;
    const codes = answer["error-codes"] ?? [];
    if (!answer.success) {
      if (codes.some((code) => TROUBLE.has(code))) return "unavailable";
      if (!codes.includes("timeout-or-duplicate")) return "failed";
      // Turnstile does not say which of the two; here it is known whether the token was accepted before.
      return (await use(token, now())) ? "expired" : "replayed";
    }
    if (answer.action !== matter.action) return "failed";
    const [, expires, mac] = INVITATION.exec(answer.cdata ?? "") ?? [];
    if (expires === undefined || mac === undefined) return "failed";
    if (!invitations.isOf(mac, [matter.address, matter.action, expires])) return "failed";
    const at = now();
    if (at >= Number(expires)) return "expired";
    return (await use(token, at)) ? "passed" : "replayed";
  }

  return {
    kind: "turnstile",
    invite({ address, action }) {
      const expires = String(now() + CHECK_MS);
      const mac = invitations.of([address, action, expires]).toString("base64url");
      return { kind: "turnstile", siteKey, token: `v1-${expires}-${mac}` };
    },
    challenge: async () => undefined,
    async verify(matter, payload) {
      if (!TOKEN.test(payload)) return "failed";
      try {
        return await judge(matter, payload);
      } catch {
        return "unavailable";
      }
    },
  };
}
