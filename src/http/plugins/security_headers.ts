const OWN =
  "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Host of Turnstile's script and frame: https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
const TURNSTILE = "https://challenges.cloudflare.com";

/** Style sheets and images of this site; no script, nothing inline, no frame around the page. */
export const PLAIN_POLICY = OWN;

/** Also scripts of this site, the worker of the human verification, and requests to this site. */
const SCRIPT_POLICY = `${OWN}; script-src 'self'; connect-src 'self'; worker-src 'self'`;

const TURNSTILE_POLICY = `${OWN}; script-src 'self' ${TURNSTILE}; connect-src 'self'; frame-src ${TURNSTILE}`;

/** Headers that scripts of other sites may read. */
export const EXPOSED_HEADERS =
  "x-open-budget-remaining, RateLimit, RateLimit-Policy, Retry-After, ETag, Link, x-request-id";

/** The security headers of every answer. */
export function securityHeaders(policy: string = PLAIN_POLICY): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": policy,
  };
}

/** Lets scripts of any site read an answer (Fetch standard, CORS). */
export function allowOtherSites(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", EXPOSED_HEADERS);
}

/**
 * Allows a page to load scripts only if it names one of this site. Text from outside is escaped in pages, so it cannot
 * name one.
 */
export function policyOfPage(page: string): string {
  return /<script [^>]*src="\/static\//.test(page) ? SCRIPT_POLICY : PLAIN_POLICY;
}

/** The policy of the page with the human verification: it alone may load what Turnstile needs. */
export function policyOfVerification(kind: "altcha" | "turnstile"): string {
  return kind === "turnstile" ? TURNSTILE_POLICY : SCRIPT_POLICY;
}
