import type { StoredReport } from "#store";
import { makeReport } from "../../store/make_report.ts";
import { BASE_MS, surveyOf } from "./deeds.ts";

/** How many reports a database that is to be damaged holds. */
export const REPORTS = 240;

const SOURCES = ["alpha", "beta", "gamma"].map((id) => ({
  id,
  name: id.toUpperCase(),
  kind: "free" as const,
}));

/** The `n`-th of them and its survey, in the form that surveys have. */
export function keptAt(n: number): [report: StoredReport, survey: string] {
  const at = BASE_MS + n;
  const report = makeReport(`192.0.2.${n}`, at, n % 101);
  const sources = SOURCES.map((source, index) => ({ ...source, state: "answered" as const, ms: n + index }));
  const runs = sources.map((source) => ({ ...source, observation: { words: surveyOf(at) } }));
  return [
    { ...report, assessment: { ...report.assessment, sources } },
    JSON.stringify({ address: report.address, surveyedAt: at, runs }),
  ];
}
