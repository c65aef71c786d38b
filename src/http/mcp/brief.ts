import * as v from "valibot";
import type { UnansweredSource } from "#render";
import { type Report, ReportSchema, SCENARIOS } from "#report";
import { OpenLeftSchema } from "./tool.ts";

/** A brief result is smaller than this, so that it takes little of a model's context. */
const MAX_BRIEF_BYTES = 3000;

/** How many items each list of a brief result has, from the best to the shortest. */
const MOST_ITEMS = [8, 5, 3, 2, 1, 0] as const;

/** The argument that selects the form of a result. */
export const detail = v.exactOptional(
  v.pipe(
    v.picklist(["brief", "full"]),
    v.description(
      "`brief` (the default): the conclusion in less than 3 kB. `full`: every deduction, blocklist, source and sentence, up to 40 kB.",
    ),
  ),
);

/** Makes the richest brief result that is small enough; the shortest one if none is. */
export function fitBrief<Result>(make: (most: number) => Result): Result {
  for (const most of MOST_ITEMS) {
    const result = make(most);
    if (Buffer.byteLength(JSON.stringify(result)) < MAX_BRIEF_BYTES) return result;
  }
  return make(0);
}

const { entries } = ReportSchema.pipe[0];
const { entries: risk } = entries.risk;

/** The fields that a brief and a full result of `lookup_ip` have; the others are only in the full one. */
export const RISK_SCHEMA = v.object({
  ...v.partial(entries.risk).entries,
  purity: risk.purity,
  level: risk.level,
  confidence: risk.confidence,
  factors: v.array(
    v.object({
      ...v.partial(risk.factors.item).entries,
      id: risk.factors.item.entries.id,
      points: risk.factors.item.entries.points,
    }),
  ),
});

const scenario = entries.scenarios.item;

/** The report as `lookup_ip` returns it: whole, or its brief form. */
export const BRIEF_OR_FULL = {
  ...v.partial(v.object(entries)).entries,
  ip: entries.ip,
  version: entries.version,
  queriedAt: entries.queriedAt,
  source: entries.source,
  stale: entries.stale,
  usageType: entries.usageType,
  nativeType: entries.nativeType,
  flags: entries.flags,
  risk: RISK_SCHEMA,
  scenarios: v.array(
    v.object({
      ...v.partial(scenario).entries,
      id: scenario.entries.id,
      score: scenario.entries.score,
      level: scenario.entries.level,
    }),
  ),
  scenarioApplicable: entries.scenarioApplicable,
  reportUrl: entries.reportUrl,
  unknowns: v.pipe(
    v.array(
      v.object({ id: v.string(), label: v.exactOptional(v.string()), detail: v.exactOptional(v.string()) }),
    ),
    v.description("What an address alone can never show. Pass it on with any conclusion."),
  ),
  listedOn: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.description("Brief only: blocklists that list the address, without those that mean no risk."),
    ),
  ),
  sourceStates: v.exactOptional(
    v.pipe(
      v.object({ answered: v.number(), failed: v.number(), skipped: v.number() }),
      v.description(
        "Brief only: number of sources by state. Failed and skipped sources are unknown, not clean.",
      ),
    ),
  ),
  openLookupsLeft: OpenLeftSchema,
};

/** The document of a brief lookup. Its lists have at most `most` items, the heaviest deductions first. */
export function briefReport(
  report: Report,
  {
    failed,
    openLeft,
    most,
  }: { readonly failed: readonly UnansweredSource[]; readonly openLeft: number; readonly most: number },
) {
  const { sources } = report;
  const answered = sources.filter(({ ok }) => ok).length;
  return {
    ip: report.ip,
    version: report.version,
    queriedAt: report.queriedAt,
    source: report.source,
    stale: report.stale,
    usageType: report.usageType,
    nativeType: report.nativeType,
    flags: report.flags,
    ...(report.geo?.country === undefined ? {} : { geo: { country: report.geo.country } }),
    ...(report.asn === undefined ? {} : { asn: { asn: report.asn.asn } }),
    risk: {
      purity: report.risk.purity,
      level: report.risk.level,
      confidence: report.risk.confidence,
      ...(report.risk.range === undefined ? {} : { range: report.risk.range }),
      factors: report.risk.factors
        .toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points))
        .slice(0, most)
        .map(({ id, points }) => ({ id, points })),
    },
    scenarios: report.scenarios.map(({ id, score, level }) => ({ id, score, level })),
    scenarioApplicable: report.scenarioApplicable,
    listedOn: listRisky(report).slice(0, most),
    sourceStates: { answered, failed: failed.length, skipped: sources.length - answered - failed.length },
    unavailableSources: failed.slice(0, most).map(({ name, state }) => ({ name, state })),
    reportUrl: report.reportUrl,
    unknowns: report.unknowns.map(({ id }) => ({ id })),
    ...(report.lang === undefined ? {} : { lang: report.lang }),
    openLookupsLeft: openLeft,
  };
}

function listRisky({ blocklists }: Report): string[] {
  return blocklists.filter(({ listed, benign }) => listed && !benign).map(({ zone }) => zone);
}

/** The scores of a report by use, in the brief form of a comparison. */
export const ScenarioScoresSchema = v.pipe(
  v.partial(v.object(v.entriesFromList(SCENARIOS, scenario.entries.score))),
  v.description("Brief only: the score of each use; null where it is restricted or does not apply."),
);

/** The scores of a report by use. */
export function scenarioScores({ scenarios }: Report): v.InferOutput<typeof ScenarioScoresSchema> {
  return Object.fromEntries(scenarios.map(({ id, score }) => [id, score]));
}
