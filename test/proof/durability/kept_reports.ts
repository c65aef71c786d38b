import type { StoredReport } from "#store";
import { BASE_MS, reportAt, surveyOf } from "./deeds.ts";

/** How many reports a database that is to be damaged holds. */
export const REPORTS = 240;

/** The `n`-th of them and its survey. */
export function keptAt(n: number): [report: StoredReport, survey: string] {
  const at = BASE_MS + n;
  return [reportAt(`192.0.2.${n}`, at, n % 101), surveyOf(at)];
}
