/** The reports of the golden files, in every format. */
import type { Language, Report } from "#report";
import { ASSESSMENTS } from "../fixtures/assessments.ts";
import { matchGolden } from "../kit/golden.ts";
import { fullReport, reportOf } from "./full_reports.ts";

/** Kinds of address in the golden files. `many_failed` has every source of the registry, and a third of them failed. */
export const GOLDEN_NAMES = [
  "server",
  "foreign",
  "home_line",
  "home_line_ipv6",
  "tor",
  "vpn_abused",
  "cloud",
  "private",
  "many_failed",
] as const;
export type GoldenName = (typeof GOLDEN_NAMES)[number];

/** A golden report in one language. */
export function goldenReport(name: GoldenName, language: Language): Report {
  switch (name) {
    case "server":
    case "foreign": {
      const report = reportOf(ASSESSMENTS[name], language, { tier: "store", stale: true });
      return { ...report, feedback: { ai: { count: 4, average: 3.5 }, gaming: { count: 12, average: 4.8 } } };
    }
    case "home_line":
      return fullReport("home", language, "none");
    case "home_line_ipv6":
      return fullReport("home_ipv6", language, "none");
    case "tor":
    case "vpn_abused":
    case "cloud":
      return fullReport(name, language, "none");
    case "private":
      return fullReport("bogon", language, "none");
    case "many_failed":
      return fullReport("vpn_no_operator", language, "failing");
  }
}

/** Expects a text to equal the golden file of a format. */
export function matchGoldenFormat(file: string, text: string): void {
  matchGolden(`test/fixtures/golden/formats/${file}`, text);
}
