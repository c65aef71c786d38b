/**
 * The human verification (ALTCHA or Cloudflare Turnstile) and the passes of visitors who passed it. Clock, randomness,
 * network and the database are arguments.
 */
export {
  ALTCHA_COST,
  type AltchaCost,
  type AltchaOptions,
  createAltchaVerification,
} from "./create_altcha_verification.ts";
export { createPasses, PASS_COOKIE, PASS_MS, type PassesOptions } from "./create_passes.ts";
export { createTurnstileVerification, type TurnstileOptions } from "./create_turnstile_verification.ts";
export {
  type Pass,
  type Passes,
  VERIFICATION_ACTIONS,
  type Verification,
  type VerificationAction,
  type VerificationResult,
  type VerificationSubject,
  type VerificationWidget,
} from "./verification.ts";
