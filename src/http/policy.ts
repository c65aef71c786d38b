const OURS =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Where Turnstile's script and frame come from: https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
const TURNSTILE = "https://challenges.cloudflare.com";

/** Our own style sheets and images; no script, nothing inline, no frame around us. */
export const PLAIN_POLICY = OURS;

/** Our own scripts too, the worker of the human check, and their questions to us. */
const SCRIPT_POLICY = `${OURS}; script-src 'self'; connect-src 'self'; worker-src 'self'`;

const TURNSTILE_POLICY = `${OURS}; script-src 'self' ${TURNSTILE}; connect-src 'self'; frame-src ${TURNSTILE}`;

/**
 * What a page may load, read off the page itself: scripts only where it names one. Text from outside is escaped in
 * pages, so it cannot name any.
 */
export function policyOf(page: string): string {
  return /<script [^>]*src="\/static\//.test(page) ? SCRIPT_POLICY : PLAIN_POLICY;
}

/** The page of the human check alone may load what Turnstile needs. */
export function checkPolicyOf(verifier: "altcha" | "turnstile"): string {
  return verifier === "turnstile" ? TURNSTILE_POLICY : SCRIPT_POLICY;
}
