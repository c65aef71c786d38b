import { expect } from "bun:test";
import * as v from "valibot";
import type { SourceRun } from "#evidence";
import { ReportSchema } from "#report";
import { LIVE } from "./fault_setup.ts";
import { reportOn, silence } from "./survey_faults.ts";

/** A failed source has exactly the same weight as a source that never answered. */
export function judgeReport(runs: readonly SourceRun[]): void {
  const report = reportOn(runs);
  v.assert(ReportSchema, report);
  const unheard = runs.filter(({ state }) => state === "failed" || state === "skipped");
  for (const run of unheard) {
    expect(report.sources.find(({ name }) => name === run.name)).toMatchObject({ ok: false });
    if (run.zone === undefined) continue;
    expect(report.blocklists?.find(({ zone }) => zone === run.zone?.id)).toMatchObject({
      listed: false,
      unavailable: true,
    });
  }
  const sources = LIVE.filter(({ id }) => unheard.some((run) => run.id === id));
  expect(report.risk).toEqual(reportOn(silence(runs, sources)).risk);
}
