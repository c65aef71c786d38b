import { assess } from "#lookup";
import { renderLine, renderText, reportUrlOf } from "#render";
import type { Language, Problem, ProblemCode, Report } from "#report";
import { describeProblem, HttpProblem, type ProblemDetails } from "../problem.ts";
import { localizeAnswer } from "../report_replies.ts";
import type { DescribedService } from "./components.ts";

/** An example of the shared table. */
export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

type Survey = Parameters<typeof assess>[0];
type SourceRun = Survey["runs"][number];

/** A source of an example. Weight and evidence decide how much its answer, or its silence, counts. */
function run(
  id: string,
  name: string,
  matters: SourceRun["matters"],
  outcome: Pick<SourceRun, "state"> & Partial<SourceRun>,
): SourceRun {
  return { id, name, kind: "free", family: id, matters, weight: 3, local: false, ms: 31, ...outcome };
}

/** The answers of a few invented sources: enough to show each part of a report. */
function survey(address: string, runs: readonly SourceRun[]): Survey {
  return { address, version: 4, surveyedAt: "2026-01-15T08:30:00.000Z", runs };
}

const NO_FLAGS = { isProxy: false, isVpn: false, isTor: false, isHosting: false } as const;
const LIST = { id: "bl.example", label: "Example Blocklist" };

/** A residential line without complaints. */
const CLEAN = survey("198.51.100.7", [
  run("geo", "Example Geo", ["network", "location", "registry"], {
    state: "answered",
    local: true,
    ms: 0,
    observation: {
      usage: "residential",
      geo: { country: "NL", city: "Utrecht", timezone: "Europe/Amsterdam" },
      asn: { asn: 64_500, name: "EXAMPLE-ACCESS", route: "198.51.100.0/24" },
      registry: { rir: "ripencc", country: "NL", cidr: "198.51.100.0/24" },
    },
  }),
  run("vendor", "Example Vendor", ["anonymity", "abuse"], {
    state: "answered",
    kind: "commercial",
    ms: 120,
    observation: { flags: NO_FLAGS },
  }),
  run("bl", LIST.label, ["lists"], { state: "empty", zone: LIST }),
]);

/** An open proxy in a data centre, listed and reported; one source did not answer. */
const BAD = survey("203.0.113.66", [
  run("geo", "Example Geo", ["network", "location", "registry"], {
    state: "answered",
    local: true,
    ms: 0,
    observation: {
      usage: "hosting",
      geo: { country: "DE", city: "Frankfurt am Main", timezone: "Europe/Berlin" },
      asn: { asn: 64_501, name: "EXAMPLE-HOST", route: "203.0.113.0/24" },
      registry: { rir: "arin", country: "US", cidr: "203.0.113.0/24" },
    },
  }),
  run("vendor", "Example Vendor", ["anonymity", "abuse"], {
    state: "answered",
    kind: "commercial",
    ms: 143,
    observation: {
      flags: { ...NO_FLAGS, isProxy: true, isHosting: true },
      abuse: { score: 12, reports: 3, lastSeen: "2026-01-14T00:00:00Z" },
    },
  }),
  run("bl", LIST.label, ["lists"], {
    state: "answered",
    ms: 28,
    zone: LIST,
    observation: {
      listings: [{ zone: LIST.id, label: LIST.label, listed: true, codes: ["abuse"], meanings: ["abuse"] }],
    },
  }),
  run("scan", "Example Scanner", ["exposure"], { state: "failed", ms: 1500, error: "timeout" }),
]);

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

/**
 * Examples of answers by name, as this service writes them and as today's rules judge them; `isFull` adds the long
 * ones: the Chinese reports, a whole text and a comparison.
 */
export function listExamples(service: DescribedService, isFull: boolean): Readonly<Record<string, Example>> {
  const { baseUrl } = service;
  const clean = localizeExample(CLEAN, baseUrl, "en");
  const bad = localizeExample(BAD, baseUrl, "en");
  const url = reportUrlOf(baseUrl, CLEAN.address, "zh");
  return {
    ...(isFull
      ? {
          clean_zh: { summary: CLEAN_SUMMARY, value: localizeExample(CLEAN, baseUrl, "zh") },
          bad_zh: { summary: BAD_SUMMARY, value: localizeExample(BAD, baseUrl, "zh") },
          text: { summary: CLEAN_SUMMARY, value: renderText(clean) },
          comparison: {
            value: {
              reports: [clean],
              problems: [{ ip: "198.51.100.256", problem: exampleProblem("invalid_ip", service) }],
            },
          },
        }
      : {}),
    clean_en: { summary: CLEAN_SUMMARY, value: clean },
    bad_en: { summary: BAD_SUMMARY, value: bad },
    ...Object.fromEntries(
      PROBLEM_EXAMPLES.map(([code, reason]) => [
        reason ?? code,
        { value: exampleProblem(code, service, reason) },
      ]),
    ),
    line_bad: { value: renderLine(bad) },
    events: { value: `event: report\ndata: {"url":"${url}"}\n\n` },
  };
}

/** A public address without any fact of its own: the rules take the addresses of the examples for special-purpose ones. */
const ASSESSED_ADDRESS = "81.2.69.10";

/** What an example shows of two long lists. */
const SHOWN = ["ai", "email", "exclusivity", "unheard_sources"];

function localizeExample(survey: Survey, baseUrl: string, language: Language): Report {
  const assessment = { ...assess({ ...survey, address: ASSESSED_ADDRESS }), address: survey.address };
  const answer = { assessment, tier: "store", stale: false, votes: [], liveAnswers: 3 } as const;
  const report = localizeAnswer({ baseUrl }, answer, language);
  const isShown = ({ id }: { readonly id: string }) => SHOWN.includes(id);
  return {
    ...report,
    scenarios: report.scenarios.filter(isShown),
    unknowns: report.unknowns.filter(isShown),
  };
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
