/** Every page in its main variants, for the tests that check all pages. */
import { localizeProblem } from "#locale";
import {
  type CheckPageParts,
  renderCheckPage,
  renderComparePage,
  renderDocsPage,
  renderExamplePage,
  renderHomePage,
  renderMethodPage,
  renderProblemPage,
  renderReportPage,
  renderSurveyPage,
} from "#render";
import type { Conclusion, Language, Method, ProblemCode, Report } from "#report";
import { describeMethod } from "#scoring";
import { SOURCES } from "#sources";
import { SERVER } from "../fixtures/assessments.ts";
import SMALL_INTERFACE from "../fixtures/small_interface.json" with { type: "json" };
import SMALL_METHOD from "../fixtures/small_method.json" with { type: "json" };
import { fullReport } from "./full_reports.ts";
import { goldenReport } from "./golden_reports.ts";
import { hostileReport } from "./hostile_report.ts";

const ORIGIN = "https://limpid.example";
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 3);
const UNKNOWN = { confidence: null, coverage: null };

/** Five conclusions of two scoring versions, newest first, as the store returns them. */
export const HISTORY: readonly Conclusion[] = [
  {
    surveyedAt: START + 60 * DAY_MS,
    purity: 37,
    band: "suspicious",
    scoringVersion: 2,
    confidence: "high",
    coverage: 0.91,
  },
  {
    surveyedAt: START + 45 * DAY_MS,
    purity: 41,
    band: "suspicious",
    scoringVersion: 2,
    confidence: "medium",
    coverage: 0.57,
  },
  { surveyedAt: START + 20 * DAY_MS, purity: 72, band: "clean", scoringVersion: 1, ...UNKNOWN },
  { surveyedAt: START + 9 * DAY_MS, purity: 88, band: "clean", scoringVersion: 1, ...UNKNOWN },
  { surveyedAt: START, purity: 92, band: "pristine", scoringVersion: 1, ...UNKNOWN },
];

/** A stored report with everything that a page can show. */
export const storedReport = (language: Language): Report => goldenReport("server", language);

/** The page of a problem, as the service renders it. */
export function problemPage(
  code: ProblemCode,
  status: number,
  language: Language,
  data: Parameters<typeof localizeProblem>[2] & object = {},
  reportUrl?: string,
): string {
  const { error, hint } = localizeProblem(code, language, data);
  const seconds = data.retryAfterSeconds;
  return renderProblemPage(
    { error, code, hint, ...(reportUrl === undefined ? {} : { reportUrl }) },
    status,
    language,
    typeof seconds === "number" ? { retryAfterSeconds: seconds } : { requested: "/nothing" },
  );
}

/** The page of a human check. */
function checkPage(language: Language, changes: Partial<CheckPageParts>): string {
  return renderCheckPage({
    ip: "2001:db8::7",
    action: "lookup",
    language,
    sentence: "The allowance is used up.",
    hint: "Open the page once.",
    provider: { kind: "altcha" },
    reportPath: `${language === "en" ? "/en" : ""}/ip/2001:db8::7`,
    ...changes,
  });
}

const DOCS_LIMITS = {
  lookupsPerMinute: 30,
  newPerMinute: 10,
  refreshPerMinute: 5,
  openPerDay: 4,
  openPerMinute: 15,
  openDailyTotal: 600,
};

const WRITERS = {
  report: (language) => renderReportPage(storedReport(language)),
  report_example: (language) => renderExamplePage(storedReport(language), []),
  report_own: (language) => renderReportPage(storedReport(language), { history: HISTORY, own: true }),
  report_worst: (language) => renderReportPage(fullReport("vpn_abused", language)),
  report_failing: (language) => renderReportPage(fullReport("silent", language, "failing")),
  report_ipv6: (language) => renderReportPage(fullReport("home_ipv6", language)),
  report_bogon: (language) => renderReportPage(fullReport("bogon", language, "none")),
  report_tor: (language) => renderReportPage(fullReport("tor", language)),
  report_hostile: (language) => renderReportPage(hostileReport(language), { history: HISTORY, own: true }),
  home: (language) => renderHomePage({ language, origin: ORIGIN, example: storedReport(language) }),
  home_known: (language) =>
    renderHomePage({
      language,
      origin: ORIGIN,
      address: SERVER.address,
      report: storedReport(language),
      example: fullReport("vpn", language, "none"),
    }),
  compare_empty: (language) => renderComparePage({ reports: [], asked: [], language, problems: [] }),
  compare: (language) =>
    renderComparePage({
      reports: [
        storedReport(language),
        fullReport("home_ipv6", language),
        fullReport("bogon", language, "none"),
      ],
      asked: [SERVER.address, "2a02:8010:64f2::10", "10.0.0.1", "300.1.1.1", "example.com"],
      ignored: ["example.com"],
      language,
      problems: [
        {
          asked: "300.1.1.1",
          problem: { ...localizeProblem("invalid_ip", language, { input: "300.1.1.1" }), code: "invalid_ip" },
        },
      ],
    }),
  compare_hostile: (language) =>
    renderComparePage({
      reports: [hostileReport(language)],
      asked: ["</textarea><img src=x onerror=alert(1)>"],
      language,
      problems: [
        {
          asked: "</dt><script>alert(1)</script>",
          problem: { error: "<b>", hint: "<i>", code: "rate_limited", reportUrl: "javascript:alert(1)" },
        },
      ],
    }),
  invalid_ip: (language) => problemPage("invalid_ip", 400, language, { input: "<script>alert(1)</script>" }),
  not_found: (language) => problemPage("not_found", 404, language),
  rate_limited: (language) =>
    problemPage("rate_limited", 429, language, { limit: 30, retryAfterSeconds: 34 }),
  overloaded: (language) => problemPage("overloaded", 503, language, { retryAfterSeconds: 1 }),
  internal: (language) => problemPage("internal", 500, language, { requestId: "0190-abc" }),
  not_in_mirror: (language) =>
    problemPage("not_in_mirror", 404, language, {}, `${ORIGIN}/ip/${SERVER.address}`),
  survey: (language) => renderSurveyPage("2001:db8::7", language),
  check_lookup: (language) => checkPage(language, {}),
  check_refresh: (language) => checkPage(language, { action: "refresh", problemReason: "expired" }),
  check_feedback: (language) =>
    checkPage(language, {
      action: "feedback",
      provider: { kind: "turnstile", siteKey: "1x00", token: "a_b-c" },
    }),
  docs: (language) =>
    renderDocsPage({ description: SMALL_INTERFACE, limits: DOCS_LIMITS, language, origin: ORIGIN }),
  method: (language) => renderMethodPage(describeMethod(SOURCES), language, ORIGIN),
  method_small: (language) => renderMethodPage(SMALL_METHOD as unknown as Method, language, ORIGIN),
} as const satisfies Record<string, (language: Language) => string>;

export type PageName = keyof typeof WRITERS;
export const PAGE_NAMES = Object.keys(WRITERS) as readonly PageName[];

/** Writes a page in one language. */
export function writePage(name: PageName, language: Language): string {
  return WRITERS[name](language);
}
