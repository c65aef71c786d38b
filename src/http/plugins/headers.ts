import { type FamilyOrigins, prefixOf, reportPathOf } from "#render";
import type { Language } from "#report";

/** User agents of programs that print what they receive. */
const TERMINAL_CLIENTS =
  /^(?:curl|wget|httpie|xh|fetch libfetch|libfetch|go-http-client|ddclient|mikrotik|aria2|lwp::simple|python-requests|python-urllib|powershell|winhttp)\b/i;

/** Whether the client of a page that also exists as plain text wants the text (RFC 9110, 12.5.1). */
export function prefersText(headers: Headers): boolean {
  const accept = headers.get("accept") ?? "";
  const page = qualityOf(accept, "text/html") ?? 0;
  const text = qualityOf(accept, "text/plain") ?? 0;
  if (page > 0 || text > 0) return text > page;
  return TERMINAL_CLIENTS.test(headers.get("user-agent") ?? "");
}

/** Whether a client wants errors as pages: browsers name the media type, programs do not. */
export function prefersPage(headers: Headers): boolean {
  return (qualityOf(headers.get("accept") ?? "", "text/html") ?? 0) > 0;
}

/** The weight that a header such as Accept gives to exactly this value; undefined when it does not name it. */
function qualityOf(header: string, value: string): number | undefined {
  for (const part of header.split(",", 32)) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    if (name !== value) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    return Number.isFinite(quality) ? quality : 0;
  }
  return undefined;
}

/** Whether a client accepts gzip: `gzip`, `x-gzip` or `*` with a weight above 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(headers: Headers): boolean {
  const header = headers.get("accept-encoding") ?? "";
  // What browsers and curl send.
  if (header.startsWith("gzip,") || header === "gzip") return true;
  return (qualityOf(header, "gzip") ?? qualityOf(header, "x-gzip") ?? qualityOf(header, "*") ?? 0) > 0;
}

/**
 * Whether the client holds this body: `If-None-Match` has its tag, compared weakly, or `*` (RFC 9110, 13.1.2). No date
 * is compared: a rating, a correction or a new scoring version changes the report of an old survey.
 */
export function isCurrent(request: Headers, answer: Headers): boolean {
  const etag = answer.get("etag");
  const ifNoneMatch = request.get("if-none-match");
  if (ifNoneMatch === null || etag === null) return false;
  const wanted = ["*", etag, etag.startsWith("W/") ? etag.slice(2) : `W/${etag}`];
  return ifNoneMatch.split(",").some((part) => wanted.includes(part.trim()));
}

/** Style sheets and images of this site; no script, nothing inline, no frame around the page. */
export const PLAIN_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Host of Turnstile's script and frame: https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
const TURNSTILE = "https://challenges.cloudflare.com";

/** Also scripts of this site, which connect to nothing. */
const QUIET_POLICY = `${PLAIN_POLICY}; script-src 'self'`;

/** Also the worker of the human verification, and requests to this site. */
const SCRIPT_POLICY = `${QUIET_POLICY}; connect-src 'self'; worker-src 'self'`;

const TURNSTILE_POLICY = `${PLAIN_POLICY}; script-src 'self' ${TURNSTILE}; connect-src 'self'; frame-src ${TURNSTILE}`;

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
 * Allows a page to load scripts only if it names one of this site, and to connect only if that is more than the switch of
 * the theme. Text from outside is escaped in pages, so it cannot name one. `families`: the origins of a page that asks
 * for both of the visitor's addresses.
 */
export function policyOfPage(page: string, families?: FamilyOrigins): string {
  if (!/<script [^>]*src="\/static\//.test(page)) return PLAIN_POLICY;
  if (!page.includes('<script type="module" src="/static/')) return QUIET_POLICY;
  if (families === undefined || !page.includes('src="/static/families.js"')) return SCRIPT_POLICY;
  return SCRIPT_POLICY.replace("connect-src 'self'", `$& ${families.ipv4} ${families.ipv6}`);
}

/** The policy of the page with the human verification: it alone may load what Turnstile needs. */
export function policyOfVerification(kind: "altcha" | "turnstile"): string {
  return kind === "turnstile" ? TURNSTILE_POLICY : SCRIPT_POLICY;
}

/**
 * The Link header of a page (RFC 8288): the summary of the site for language models, and with an address the other
 * formats of its report. Relations as of https://llmstxt.org/changes.md, version 2.
 */
export function linkHeader(language: Language, address?: string): string {
  const links = [`<${prefixOf(language)}/llms.txt>; rel="describedby"; type="text/markdown"`];
  if (address !== undefined) {
    links.unshift(
      `<${reportPathOf(address, language, ".txt")}>; rel="alternate"; type="text/plain"`,
      `<${reportPathOf(address, language, ".md")}>; rel="alternate"; type="text/markdown"`,
      `<${reportPathOf(address, language, ".json")}>; rel="alternate"; type="application/json"`,
    );
  }
  return links.join(", ");
}
