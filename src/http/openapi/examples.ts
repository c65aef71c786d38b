import { assess } from "#lookup";
import { renderLine, renderText, reportUrlOf } from "#render";
import type { Conclusion, Language, Problem, ProblemCode, Report } from "#report";
import { describeProblem, HttpProblem, type ProblemDetails } from "../problem.ts";
import { localizeAnswer } from "../report_replies.ts";
import COMPONENTS from "./components.json" with { type: "json" };
import SURVEYS from "./example_surveys.json" with { type: "json" };
import type { DescribedService } from "./info.ts";

/** An example of the shared table. */
export interface Example {
  readonly summary?: string;
  readonly value: unknown;
  /** The value in Chinese, which the Chinese docs page shows. */
  readonly "x-zh"?: unknown;
}

type Survey = Parameters<typeof assess>[0];

/**
 * Answers of a few invented sources, enough to show each part of a report: a residential line without complaints, and an
 * open proxy in a data centre, listed and reported, where one source did not answer.
 */
const CLEAN = SURVEYS.clean as Survey;
const BAD = SURVEYS.bad as Survey;

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

const CLEAN_SUMMARY = "A residential line without complaints";
const BAD_SUMMARY = "An open proxy in a data centre";

/**
 * Examples of answers by name, as this service writes them and as today's rules judge them; `isFull` adds the long
 * ones: the Chinese reports, a whole text and a comparison.
 */
export function listExamples(service: DescribedService, isFull: boolean): Readonly<Record<string, Example>> {
  const { baseUrl } = service;
  const clean = localizeExample(CLEAN, baseUrl, "en");
  const chinese = localizeExample(CLEAN, baseUrl, "zh");
  const bad = localizeExample(BAD, baseUrl, "en");
  const url = reportUrlOf(baseUrl, CLEAN.address, "zh");
  const compare = (report: Report, language: Language) => ({
    reports: [report],
    problems: [{ ip: "198.51.100.256", problem: exampleProblem("invalid_ip", service, language) }],
  });
  return {
    ...(isFull
      ? {
          clean_zh: { summary: CLEAN_SUMMARY, value: chinese },
          bad_zh: { summary: BAD_SUMMARY, value: localizeExample(BAD, baseUrl, "zh") },
          text: { summary: CLEAN_SUMMARY, value: renderText(clean), "x-zh": renderText(chinese) },
          comparison: {
            summary: "A report, and an address without one",
            value: compare(clean, "en"),
            "x-zh": compare(chinese, "zh"),
          },
        }
      : {}),
    clean_en: { summary: CLEAN_SUMMARY, value: clean },
    bad_en: { summary: BAD_SUMMARY, value: bad },
    ...listProblemExamples(service, isFull),
    line_bad: { summary: BAD_SUMMARY, value: renderLine(bad) },
    events: { summary: "The end of a survey", value: `event: report\ndata: {"url":"${url}"}\n\n` },
  };
}

/** The problems that responses show, in English, and for people in Chinese too; a 403 has one for each reason. */
function listProblemExamples(service: DescribedService, isFull: boolean): Readonly<Record<string, Example>> {
  const codes = Object.values(COMPONENTS.problems).flatMap(
    (problem) => problem.codes as readonly ProblemCode[],
  );
  return Object.fromEntries(
    [...new Set(codes)].flatMap((code) =>
      (code in REASONS ? REASONS[code as keyof typeof REASONS] : [undefined]).map((reason) => [
        reason ?? code,
        {
          value: exampleProblem(code, service, "en", reason),
          ...(isFull ? { "x-zh": exampleProblem(code, service, "zh", reason) } : {}),
        },
      ]),
    ),
  );
}

/** A public address without any fact of its own: the rules take the addresses of the examples for special-purpose ones. */
const ASSESSED_ADDRESS = "81.2.69.10";

/** What an example shows of two long lists. */
const SHOWN = ["ai", "exclusivity", "unheard_sources"];

/** The example of the home page: a VPN exit in a data centre, about which every source answered. */
export function exampleReport(baseUrl: string, language: Language): Report {
  return localizeWhole(SURVEYS.exit as Survey, baseUrl, language);
}

/** The invented earlier scores of {@link exampleReport}, and its own. */
export const EXAMPLE_HISTORY: readonly Conclusion[] = SURVEYS.history;

function localizeWhole(survey: Survey, baseUrl: string, language: Language): Report {
  const assessment = { ...assess({ ...survey, address: ASSESSED_ADDRESS }), address: survey.address };
  const answer = { assessment, tier: "store", stale: false, votes: [], liveAnswers: 3 } as const;
  return localizeAnswer({ baseUrl }, answer, language);
}

function localizeExample(survey: Survey, baseUrl: string, language: Language): Report {
  const report = localizeWhole(survey, baseUrl, language);
  const isShown = ({ id }: { readonly id: string }) => SHOWN.includes(id);
  return {
    ...report,
    scenarios: report.scenarios.filter(isShown),
    unknowns: report.unknowns.filter(isShown),
  };
}

/** An error body as this service writes it; `reason` is that of a 403. */
function exampleProblem(
  code: ProblemCode,
  service: DescribedService,
  language: Language,
  reason = "client_day",
): Problem {
  return describeProblem(new HttpProblem(code, detailsOf(code, service, reason, language)), language);
}

function detailsOf(
  code: ProblemCode,
  { baseUrl, limits, contact }: DescribedService,
  reason: string,
  language: Language,
): ProblemDetails {
  const reportUrl = reportUrlOf(baseUrl, "198.51.100.7", language);
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
      return { data: {}, reportUrl: reportUrlOf("https://primary.example", "198.51.100.7", language) };
    case "overloaded":
      return { retryAfterMs: 1000 };
    case "internal":
      return { data: { requestId: "0198c7d2f3" } };
    default:
      return {};
  }
}
