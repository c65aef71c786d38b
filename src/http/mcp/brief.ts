import * as v from "valibot";
import { nameSource } from "#locale";
import type { Answer } from "#lookup";
import type { BriefText, UnansweredSource } from "#render";
import { type Report, ReportSchema } from "#report";
import { choice, described, optional } from "../parameters.ts";

/** A brief result is smaller than this, so that it takes little of a model's context. */
const MAX_BRIEF_BYTES = 3000;

/** How many items each list of a brief result has, from the best to the shortest. */
const MOST_ITEMS = [8, 5, 3, 2, 1, 0] as const;

/** The argument that selects the form of a result. */
export const detail = choice(
  ["brief", "full"],
  "`brief` (the default): the conclusion in less than 3 kB. `full`: every deduction, blocklist, source and sentence, up to 40 kB.",
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
const { item: factor } = entries.risk.entries.factors;
const { item: scenario } = entries.scenarios;

/** A part of a report: the required fields are in a brief and a full result, the others only in the full one. */
export const RISK_SCHEMA = v.object({
  ...v.partial(entries.risk).entries,
  ...v.pick(entries.risk, ["purity", "level", "confidence"]).entries,
  factors: v.exactOptional(
    v.array(v.object({ ...v.partial(factor).entries, ...v.pick(factor, ["id", "points"]).entries })),
  ),
});

/** What an address cannot show: only ids in a brief result. */
export const UnknownsSchema = described(
  v.array(
    v.object({ id: v.string(), label: v.exactOptional(v.string()), detail: v.exactOptional(v.string()) }),
  ),
  "What an address alone can never show. Pass it on with any conclusion.",
);

/** Fields of a report that every result has unchanged, beside others. */
export const COMMON = [
  "ip",
  "version",
  "queriedAt",
  "source",
  "stale",
  "usageType",
  "nativeType",
  "flags",
] as const satisfies readonly (keyof Report)[];

/** The fields of a report that a brief result of `lookup_ip` has unchanged. */
const COPIED = [...COMMON, "scenarioApplicable", "reportUrl"] as const;

/** An optional list of texts in the output of a tool. */
export function texts(description: string) {
  return optional(v.array(v.string()), description);
}

/** The sources of a report that did not answer, in the output of the tools. */
export const UnavailableSourcesSchema = described(
  v.array(
    v.object({
      name: v.string(),
      state: described(
        v.picklist(["failed", "skipped"]),
        "`failed`: queried and did not answer. `skipped`: not queried, for example because its quota is used up.",
      ),
      why: optional(v.string(), "Only in the full result."),
    }),
  ),
  "Sources that did not answer this time; in a brief result the first of those that count. Their opinion is unknown, which is neither a miss nor a clean result. Name them with any conclusion.",
);

/** The client's remaining allowance, in the output of the tools. */
export const OpenLeftSchema = optional(
  v.pipe(v.number(), v.integer(), v.minValue(0)),
  "Lookups of addresses not yet stored that this client has left today without human verification. Absent if no limits apply to it.",
);

/** The report as `lookup_ip` returns it: whole, or its brief form. */
export const BRIEF_OR_FULL = {
  ...v.partial(v.object(entries)).entries,
  ...v.pick(v.object(entries), COPIED).entries,
  risk: RISK_SCHEMA,
  scenarios: v.array(
    v.object({ ...v.partial(scenario).entries, ...v.pick(scenario, ["id", "score", "level"]).entries }),
  ),
  unknowns: UnknownsSchema,
  listedOn: texts("Brief only: blocklists that list the address, without those that mean no risk."),
  sourceStates: optional(
    v.object({ answered: v.number(), failed: v.number(), skipped: v.number() }),
    "Brief only: number of sources by state. Failed and skipped sources are unknown, not clean.",
  ),
  unavailableSources: UnavailableSourcesSchema,
  openLookupsLeft: OpenLeftSchema,
};

/** Names the first of the missing sources, and always one of them. */
export function nameMissing(missing: readonly UnansweredSource[], most: number) {
  return missing.slice(0, Math.max(most, 1)).map(({ name, state }) => ({ name, state }));
}

/** Takes the named fields that a report has. */
export function pickFields<const Name extends keyof Report>(report: Report, names: readonly Name[]) {
  const present = names.filter((name) => report[name] !== undefined).map((name) => [name, report[name]]);
  return Object.fromEntries(present) as Pick<Report, Name>;
}

/** The document of a brief lookup, with the heaviest deductions first. */
export function briefReport(report: Report, { missing, openLeft, most }: Omit<BriefText, "report">) {
  const { risk, sources, geo, asn, lang } = report;
  const answered = sources.filter(({ ok }) => ok).length;
  const skipped = sources.filter((source) => source.skipped !== undefined).length;
  const heaviest = risk.factors.toSorted((one, other) => Math.abs(other.points) - Math.abs(one.points));
  return {
    ...pickFields(report, COPIED),
    ...(geo?.country === undefined ? {} : { geo: { country: geo.country } }),
    ...(asn === undefined ? {} : { asn: { asn: asn.asn } }),
    risk: {
      purity: risk.purity,
      level: risk.level,
      confidence: risk.confidence,
      ...(risk.range === undefined ? {} : { range: risk.range }),
      factors: heaviest.slice(0, most).map(({ id, points }) => ({ id, points })),
    },
    scenarios: report.scenarios.map(({ id, score, low, level }) => ({
      id,
      score,
      ...(low === undefined ? {} : { low }),
      level,
    })),
    listedOn: listRisky(report)
      .map(({ zone }) => zone)
      .slice(0, most),
    sourceStates: { answered, failed: sources.length - answered - skipped, skipped },
    unavailableSources: nameMissing(missing, most),
    unknowns: report.unknowns.map(({ id }) => ({ id })),
    ...(lang === undefined ? {} : { lang }),
    openLookupsLeft: openLeft,
  };
}

/** The blocklists that list an address and mean a risk. */
export function listRisky({ blocklists }: Report) {
  return blocklists.filter(({ listed, benign }) => listed && !benign);
}

/** The sources of a report that did not answer, and why. `missing` = those that would have counted. */
export type Unanswered = Readonly<ReturnType<typeof listUnanswered>>;

/** Lists the sources of an answer that did not answer. A source that is never queried here is not missing. */
export function listUnanswered({ assessment }: Pick<Answer, "assessment">, { sources, lang }: Report) {
  const unheard = assessment.unknowns.find(({ id }) => id === "unheard_sources")?.data.sources;
  const counted = Array.isArray(unheard) ? unheard.map((name: string) => nameSource(name, lang ?? "zh")) : [];
  const all = sources
    .filter(({ ok }) => !ok)
    .map(
      ({ name, skipped, error }): UnansweredSource =>
        skipped === undefined
          ? { name, state: "failed", why: error ?? "" }
          : { name, state: "skipped", why: skipped },
    );
  const isMissing = ({ name, state }: UnansweredSource) => state === "failed" || counted.includes(name);
  return { all, missing: all.filter(isMissing) };
}
