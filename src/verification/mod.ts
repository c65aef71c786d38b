/**
 * The human verification (ALTCHA or Cloudflare Turnstile) and the passes of visitors who passed it. Clock, randomness,
 * network and the database are arguments.
 */
export { ALTCHA_COST, createAltchaVerification } from "./altcha.ts";
export * from "./passes.ts";
export { createTurnstileVerification } from "./turnstile.ts";
export {
  VERIFICATION_ACTIONS,
  type Verification,
  type VerificationSubject,
} from "./verification.ts";
