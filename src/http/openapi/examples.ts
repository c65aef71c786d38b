import { renderLine, renderText, reportUrlOf } from "#render";
import type { Assessment, Language, Problem, ProblemCode, Report, ScenarioId, ScenarioLevel } from "#report";
import { describeProblem, HttpProblem, type ProblemDetails } from "../problem.ts";
import { localizeAnswer } from "../report_replies.ts";
import type { DescribedService } from "./components.ts";

/** An example of the shared table. */
export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

/** One of the five unknowns of every report, to keep the examples short. */
const UNKNOWNS = ["exclusivity"];

const NO_FLAGS = {
  isProxy: false,
  isVpn: false,
  isTor: false,
  isHosting: false,
  isMobile: false,
  isRelay: false,
  isBogon: false,
  isSearchEngineBot: false,
};

function rate(
  id: ScenarioId,
  score: number,
  level: ScenarioLevel,
  reason: string,
): Assessment["scenarios"][number] {
  return { id, score, level, reasons: [{ id: reason, data: {} }] };
}

/** A residential line without complaints. */
const CLEAN: Assessment = {
  address: "198.51.100.7",
  version: 4,
  surveyedAt: "2026-01-15T08:30:00.000Z",
  scoringVersion: 2,
  usage: "residential",
  native: "native",
  flags: NO_FLAGS,
  agreement: {},
  geo: { country: "NL", city: "Utrecht", timezone: "Europe/Amsterdam" },
  asn: { asn: 64500, name: "EXAMPLE-ACCESS", org: "Example Access", route: "198.51.100.0/24" },
  registry: { rir: "ripencc", country: "NL", netName: "EXAMPLE-NET", cidr: "198.51.100.0/24" },
  purity: 100,
  band: "pristine",
  confidence: "high",
  verdict: { id: "no_signals", data: { heard: 3, planned: 3 } },
  factors: [],
  scenarios: [
    rate("ai", 100, "excellent", "no_signals"),
    rate("social", 100, "excellent", "no_signals"),
    rate("streaming", 100, "excellent", "no_signals"),
    {
      id: "email",
      score: 30,
      level: "poor",
      reasons: [{ id: "policy_listed", data: { lists: ["Example Policy List"] } }],
    },
  ],
  listings: [
    { zone: "bl.example", label: "Example Blocklist", listed: false, benign: false, unavailable: false },
    { zone: "policy.example", label: "Example Policy List", listed: true, benign: true, unavailable: false },
  ],
  abuse: [],
  exposure: { observed: false, ports: [], vulns: [] },
  sources: [
    { id: "geo", name: "Example Geo", kind: "free", state: "answered", ms: 0, dataDate: "2026-01-02" },
    { id: "bl", name: "Example Blocklist", kind: "free", state: "answered", ms: 31 },
    { id: "scan", name: "Example Scanner", kind: "commercial", state: "empty", ms: 120 },
  ],
  unknowns: UNKNOWNS.map((id) => ({ id, data: {} })),
};

/** An open proxy in a data centre, listed and reported; one source did not answer. */
const BAD: Assessment = {
  address: "203.0.113.66",
  version: 4,
  surveyedAt: "2026-01-15T08:30:00.000Z",
  scoringVersion: 2,
  usage: "hosting",
  native: "broadcast",
  flags: { ...NO_FLAGS, isProxy: true, isHosting: true },
  agreement: { isProxy: 2, isHosting: 3 },
  geo: { country: "DE", city: "Frankfurt am Main", timezone: "Europe/Berlin" },
  asn: { asn: 64501, name: "EXAMPLE-HOST", org: "Example Hosting", route: "203.0.113.0/24" },
  registry: { rir: "arin", country: "US", netName: "EXAMPLE-HOST-NET", cidr: "203.0.113.0/24" },
  purity: 14,
  band: "risky",
  confidence: "medium",
  verdict: { id: "proxy", data: { heard: 3, planned: 4 } },
  factors: [
    { id: "proxy", category: "anonymity", points: 40, data: { families: ["alpha", "beta"], agreement: 2 } },
    {
      id: "hosting",
      category: "network",
      points: 20,
      data: { families: ["alpha", "beta", "gamma"], agreement: 3 },
    },
    { id: "broadcast", category: "location", points: 6, data: { registered: "US", located: "DE" } },
    {
      id: "blocklists",
      category: "lists",
      points: 16,
      data: { lists: ["Example Blocklist"], listed: 1, answered: 2 },
    },
    { id: "abuse_score", category: "abuse", points: 4, data: { sources: ["Example Reports"], score: 12 } },
  ],
  scenarios: [
    rate("ai", 18, "unusable", "proxy"),
    rate("social", 0, "unusable", "proxy"),
    rate("streaming", 0, "unusable", "proxy"),
    rate("email", 0, "unusable", "proxy"),
  ],
  listings: [
    { zone: "bl.example", label: "Example Blocklist", listed: true, benign: false, unavailable: false },
    { zone: "policy.example", label: "Example Policy List", listed: false, benign: false, unavailable: true },
  ],
  abuse: [{ source: "Example Reports", score: 12, reports: 3 }],
  exposure: { observed: true, ports: [22, 443], vulns: [] },
  sources: [
    { id: "geo", name: "Example Geo", kind: "free", state: "answered", ms: 0, dataDate: "2026-01-02" },
    { id: "bl", name: "Example Blocklist", kind: "free", state: "answered", ms: 28 },
    { id: "reports", name: "Example Reports", kind: "commercial", state: "answered", ms: 143 },
    { id: "policy", name: "Example Policy List", kind: "free", state: "failed", ms: 1500, error: "timeout" },
  ],
  unknowns: [
    ...UNKNOWNS.map((id) => ({ id, data: {} })),
    { id: "unheard_sources", data: { sources: ["Example Policy List"] } },
  ],
};

/** The reasons of each code with status 403. */
const REASONS = {
  verification_required: ["client_day", "total_day", "refresh"],
  forbidden: ["failed", "expired", "replayed", "unavailable", "feedback", "cross_site"],
} as const;

/** The code of a reason for a 403. */
export function codeOfReason(reason: string): ProblemCode | undefined {
  const codes = ["verification_required", "forbidden"] as const;
  return codes.find((code) => (REASONS[code] as readonly string[]).includes(reason));
}

/** The problems that responses show, in English; a 403 has one for each reason. */
const PROBLEM_EXAMPLES: readonly (readonly [code: ProblemCode, reason?: string])[] = [
  ["invalid_ip"],
  ["invalid_parameter"],
  ["unauthorized"],
  ...REASONS.verification_required.map((reason) => ["verification_required", reason] as const),
  ...REASONS.forbidden.map((reason) => ["forbidden", reason] as const),
  ["not_found"],
  ["not_in_mirror"],
  ["too_large"],
  ["rate_limited"],
  ["open_rate_limited"],
  ["internal"],
  ["overloaded"],
];

const CLEAN_SUMMARY = "A residential line without complaints";
const BAD_SUMMARY = "An open proxy in a data centre";

/** Examples of answers by name, as this service writes them. */
export function listExamples(service: DescribedService): Readonly<Record<string, Example>> {
  const { baseUrl } = service;
  const examples: Record<string, Example> = {};
  for (const language of ["zh", "en"] as const) {
    const clean = localizeExample(CLEAN, baseUrl, language);
    const bad = localizeExample(BAD, baseUrl, language);
    examples[`clean_${language}`] = { summary: CLEAN_SUMMARY, value: clean };
    examples[`bad_${language}`] = { summary: BAD_SUMMARY, value: bad };
  }
  for (const [code, reason] of PROBLEM_EXAMPLES)
    examples[reason ?? code] = { value: exampleProblem(code, service, reason) };
  examples.text = { summary: CLEAN_SUMMARY, value: renderText(localizeExample(CLEAN, baseUrl, "en")) };
  examples.comparison = {
    value: {
      reports: [localizeExample(CLEAN, baseUrl, "en")],
      problems: [{ ip: "198.51.100.256", problem: exampleProblem("invalid_ip", service) }],
    },
  };
  examples.line_bad = { value: renderLine(localizeExample(BAD, baseUrl, "en")) };
  const url = reportUrlOf(baseUrl, CLEAN.address, "zh");
  examples.events = { value: `event: report\ndata: {"url":"${url}"}\n\n` };
  return examples;
}

function localizeExample(assessment: Assessment, baseUrl: string, language: Language): Report {
  const answer = { assessment, tier: "store", stale: false, votes: [], heard: 3 } as const;
  return localizeAnswer({ baseUrl }, answer, language);
}

/** An error body as this service writes it in English; `reason` is that of a 403. */
function exampleProblem(code: ProblemCode, service: DescribedService, reason = "client_day"): Problem {
  return describeProblem(new HttpProblem(code, detailsOf(code, service, reason)), "en");
}

function detailsOf(
  code: ProblemCode,
  { baseUrl, limits, contact }: DescribedService,
  reason: string,
): ProblemDetails {
  const reportUrl = reportUrlOf(baseUrl, "198.51.100.7", "en");
  const operator = contact === undefined ? {} : { contact };
  switch (code) {
    case "invalid_ip":
      return { data: { input: "198.51.100.256" } };
    case "invalid_parameter":
      return { data: { parameter: "refresh", value: "2", allowed: ["1"] } };
    case "verification_required":
      if (reason === "refresh") return { data: { reason }, reportUrl: `${reportUrl}?refresh=1` };
      return {
        data: {
          reason,
          limit: reason === "client_day" ? limits.openPerDay : limits.openDailyTotal,
          ...operator,
        },
        reportUrl,
      };
    case "forbidden":
      return { data: { reason }, ...(reason === "cross_site" ? {} : { reportUrl }) };
    case "rate_limited":
      return { data: { limit: limits.lookupsPerMinute, ...operator }, retryAfterMs: 12_000 };
    case "open_rate_limited":
      return { data: { limit: limits.openPerMinute, ...operator }, retryAfterMs: 7000 };
    case "not_in_mirror":
      return { data: {}, reportUrl: reportUrlOf("https://primary.example", "198.51.100.7", "en") };
    case "overloaded":
      return { retryAfterMs: 1000 };
    case "internal":
      return { data: { requestId: "0198c7d2f3" } };
    default:
      return {};
  }
}
