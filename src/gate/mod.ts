/**
 * Who may ask: who the client is behind trusted proxies, the sliding windows that limit it, admission to surveys
 * counted in the database, and the human check with its passes. Clock, randomness and everything outside enter as
 * arguments.
 */
export type { Admissions, LimitState, Refusal, SurveyAsk, SurveyLeave } from "./admissions.ts";
export type { Client, ClientRules } from "./client.ts";
export { type AdmissionLimits, type AdmissionsOptions, createAdmissions } from "./create_admissions.ts";
export {
  ALTCHA_COST,
  type AltchaCost,
  type AltchaOptions,
  createAltchaVerification,
} from "./create_altcha_verification.ts";
export { createClientNames } from "./create_client_names.ts";
export { createGate, type Gate, type GateOptions } from "./create_gate.ts";
export { createPasses, PASS_COOKIE, PASS_MS, type PassesOptions } from "./create_passes.ts";
export { createTurnstileVerification, type TurnstileOptions } from "./create_turnstile_verification.ts";
export { createWindow, type WindowOptions } from "./create_window.ts";
export { readClient } from "./read_client.ts";
export {
  CHECK_ACTIONS,
  type CheckAction,
  type CheckInvitation,
  type CheckMatter,
  type CheckResult,
  type ClientNames,
  type Pass,
  type Passes,
  type Verification,
} from "./verification.ts";
export type { Taken, Window } from "./window.ts";
