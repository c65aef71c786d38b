import type { ProblemCode } from "#report";
import type { HttpContext } from "../context.ts";
import { EXPOSED_HEADERS } from "../plugins/security_headers.ts";

/** Every header of an answer, described once. */
export const HEADERS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  "x-request-id": ["The id of this request in the log of the service.", "0198c7d2f3"],
  "Cache-Control": [
    "`private, no-cache` if the answer depends on the caller, `no-store` on errors.",
    "private, no-cache",
  ],
  ETag: [
    "Tag of this body; send it back as If-None-Match. The tag of a report does not depend on `source`.",
    'W/"3q2-7w1Zk0uVb4n5YcXd0A"',
  ],
  "Last-Modified": ["When the sources were queried.", "Thu, 15 Jan 2026 08:30:00 GMT"],
  Vary: ["Request headers that this answer depends on.", "Accept-Encoding"],
  Location: ["The path to request instead.", "/ip/198.51.100.7"],
  Link: [
    "This description (`service-desc`); on pages, other formats (`alternate`) and the summary for language models (`describedby`).",
    '</openapi.json>; rel="service-desc"; type="application/json"',
  ],
  "Content-Language": ["Language of the texts; both if `lang` is unknown.", "en"],
  "x-open-budget-remaining": [
    "Lookups of unknown addresses that this client may still make today without human verification; at most 5 seconds old.",
    "4",
  ],
  "Set-Cookie": [
    "The pass: for half an hour this browser may look up unknown addresses, refresh and rate.",
    "limpid_pass=eyJ4.c2ln; HttpOnly; SameSite=Lax; Path=/; Max-Age=1800; Secure",
  ],
  "X-IP-Verdict": [
    "`pass`, `unknown`, or `deny` and what denied: a word of the policy, or `min`.",
    "deny vpn",
  ],
  "X-IP-Source": ["Where the answer is from: `memory`, `database`, `tables` (alone), or `none`.", "database"],
  "X-IP-Purity": ["Purity of the visitor's address, 0 to 100. Read it with X-IP-Confidence.", "67"],
  "X-IP-Level": ["Band of the purity.", "neutral"],
  "X-IP-Confidence": ["How much source coverage backs the purity.", "high"],
  "X-IP-Type": ["What the network behind the address is used for.", "hosting"],
  "X-IP-Flags": [
    "The kinds of addresses that it belongs to, in the words of the policy, or `none`.",
    "vpn,hosting",
  ],
  "X-IP-Error": ["Why nobody was judged: a code, and the parameter.", "invalid_parameter deny"],
  "X-Accel-Buffering": ["Tells proxies not to hold the events back.", "no"],
  RateLimit: [
    "What is left of each limit that applied, and seconds until there is more (draft-ietf-httpapi-ratelimit-headers-11).",
    '"lookup";r=29;t=60',
  ],
  "RateLimit-Policy": ["Quota and window in seconds of each limit that applied.", '"lookup";q=30;w=60'],
  "WWW-Authenticate": ["How to authenticate (RFC 6750).", 'Bearer realm="metrics"'],
  "Retry-After": ["Whole seconds to wait before the next request.", "12"],
  "Access-Control-Allow-Origin": ["Pages of any site may read this answer.", "*"],
  "Access-Control-Expose-Headers": ["Headers that those pages may read.", EXPOSED_HEADERS],
  "Content-Security-Policy": ["What a browser may load for this answer.", "default-src 'none'"],
  "X-Content-Type-Options": ["Always `nosniff`.", "nosniff"],
  "Referrer-Policy": ["Always `no-referrer`.", "no-referrer"],
};

/** Headers of an answer that pages of any site may read. */
export const SHARED = ["Access-Control-Allow-Origin"];

/** Headers of a request that costs a lookup. */
export const LIMITED = ["RateLimit"];

/** The header of a request that may start a survey. */
export const BUDGET = "x-open-budget-remaining";

/** On every answer, so no response names it. */
export const EVERY_ANSWER = "every answer";

/** Errors may have it too if the 200 of the operation names it; then they do not name it themselves. */
export const EVERY_STATUS: readonly string[] = [...SHARED, ...LIMITED, BUDGET];

/**
 * Headers that come together with another header, or on every answer. A response names only the other header; otherwise
 * the document would be a third longer.
 */
export const ACCOMPANIES: Readonly<Record<string, string>> = {
  "x-request-id": EVERY_ANSWER,
  "Cache-Control": EVERY_ANSWER,
  "Content-Security-Policy": EVERY_ANSWER,
  "X-Content-Type-Options": EVERY_ANSWER,
  "Referrer-Policy": EVERY_ANSWER,
  "Content-Language": EVERY_ANSWER,
  Vary: "ETag",
  "Access-Control-Expose-Headers": "Access-Control-Allow-Origin",
  Link: "Access-Control-Allow-Origin",
  "RateLimit-Policy": "RateLimit",
};

/** The problems of each status: the codes, and what they mean. */
export const PROBLEMS: Readonly<
  Record<number, { readonly codes: readonly ProblemCode[]; readonly description: string }>
> = {
  400: {
    codes: ["invalid_ip", "invalid_parameter"],
    description: "Not an address, or a known parameter with an invalid value or given twice.",
  },
  401: { codes: ["unauthorized"], description: "The operator's token is missing or wrong." },
  403: {
    codes: ["verification_required", "forbidden"],
    description:
      "A person must open `reportUrl` in a browser and solve the verification there once. Then repeat the request. `forbidden`: only pages of this site may send it.",
  },
  404: {
    codes: ["not_found", "not_in_mirror"],
    description: "Does not exist. On a mirror: not in its copy; `reportUrl` is the page on the full service.",
  },
  413: { codes: ["too_large"], description: "The body is longer than 16 kB." },
  414: { codes: ["too_large"], description: "The URL is longer than 2048 characters." },
  429: {
    codes: ["rate_limited", "open_rate_limited"],
    description:
      "Too many requests of this client, or of all clients without verification. After the delay in Retry-After the limit no longer applies.",
  },
  500: {
    codes: ["internal"],
    description: "The service failed. The hint names the request and nothing else.",
  },
  503: {
    codes: ["overloaded"],
    description: "Too busy to query the sources. Wait as many seconds as Retry-After says.",
  },
};

export const SECURITY_SCHEMES = {
  pass: {
    type: "apiKey",
    in: "cookie",
    name: "limpid_pass",
    description:
      "Set by `/api/verify` when a person has passed the human verification; signed, valid for 30 minutes. No endpoint that only reads needs it, but it lifts the daily allowance and permits `refresh=1`.",
  },
  operator: {
    type: "http",
    scheme: "bearer",
    description: "Set by the operator of the service; for `/metrics` only.",
  },
};

/** The tag of pages and of their files, which no program calls. */
export const PAGES = "Pages";

export const TAGS = [
  { name: "Reports", description: "What is known and concluded about one address." },
  { name: "Caller", description: "The address that a request comes from." },
  {
    name: "Verification",
    description: "The human verification: for the pages of this site, not for programs.",
  },
  { name: "Service", description: "The service about itself." },
  { name: PAGES, description: "For browsers and crawlers. `/openapi.json` leaves them out." },
  { name: "Operator", description: "For the operator of the service." },
];

/** Version of the interface, not of the program. */
const INTERFACE_VERSION = "1.0.0";

/** The facts about a service that its description states. */
export type DescribedService = Pick<HttpContext, "baseUrl" | "limits" | "contact">;

/** The Info Object: the limits in force, and the operator's contact. */
export function describeInfo({
  limits,
  contact,
  baseUrl,
}: DescribedService): Readonly<Record<string, unknown>> {
  return {
    title: "limpid",
    version: INTERFACE_VERSION,
    summary: "Tells how clean an IP address is, and shows its reasoning.",
    description: describeUse(limits, contact),
    contact:
      contact === undefined ? { name: "Operator of this service", url: baseUrl } : describeContact(contact),
    license: { name: "MIT", identifier: "MIT" },
  };
}

/** The Contact Object: an e-mail address, a URL, or else a name. */
function describeContact(contact: string): Readonly<Record<string, string>> {
  const email = contact.replace(/^mailto:/, "");
  if (/^[^\s@/:]+@[^\s@/:]+$/.test(email)) return { name: "Operator", email };
  const isUrl = /^https?:\/\//.test(contact) && URL.canParse(contact);
  return isUrl ? { name: "Operator", url: contact } : { name: contact };
}

function describeUse(limits: HttpContext["limits"], contact: string | undefined): string {
  const { lookupsPerMinute, newPerMinute, refreshPerMinute } = limits;
  const { openPerDay, openPerMinute, openDailyTotal } = limits;
  const isOpen = openPerDay > 0 && openPerMinute > 0 && openDailyTotal > 0;
  return [
    "One address in, one report out: purity from 0 to 100, every deduction behind it, what each source said or failed",
    "to say, and what no address can tell. A report without risk signals must not be read as safe: pass `unknowns` on",
    "with any conclusion and cite `reportUrl`. No key and no sign-up.",
    "\n\nEvery GET also answers HEAD; pages of any site may read JSON and text. Limits per client (IPv4 address or IPv6",
    `/64): ${lookupsPerMinute} lookups a minute, of which ${newPerMinute} of addresses that are not known yet, and`,
    `${refreshPerMinute} refreshes a minute.`,
    isOpen
      ? `Without human verification, ${openPerDay} unknown addresses a day; for all clients together, ${openPerMinute} a minute (then 429 \`open_rate_limited\`) and ${openDailyTotal} a day. After that 403`
      : "Unknown addresses need human verification: without it 403",
    "`verification_required`: open `reportUrl` in a browser and solve the verification once. The service then answers",
    "calls for that address from the database, and what is in the database costs no allowance. Unknown parameters are",
    "ignored.",
    "Do not use this interface for range scans, bulk or scheduled checks.",
    ...(contact === undefined ? [] : [`If you need them, contact the operator: ${contact}`]),
  ].join(" ");
}
