import * as v from "valibot";
import {
  type Compared as ComparedAddress,
  renderBriefComparison,
  renderCaveats,
  renderComparison,
  type UnansweredSource,
} from "#render";
import { type Language, ProblemSchema, type Report, ReportSchema } from "#report";
import { type Compared, compareAddresses } from "../compare.ts";
import type { HttpContext } from "../context.ts";
import {
  declareCount,
  ipText,
  LEAST_CANDIDATES,
  lang,
  MOST_CANDIDATES,
  toCandidates,
} from "../parameters.ts";
import { localizeAnswer } from "../report_replies.ts";
import { detail, fitBrief, RISK_SCHEMA, ScenarioScoresSchema, scenarioScores } from "./brief.ts";
import {
  describeObject,
  describeRefusal,
  listUnavailableSources,
  OpenLeftSchema,
  readCharged,
  refusalResult,
  type Tool,
  type ToolRefusal,
  type ToolResult,
  UnavailableSourcesSchema,
} from "./tool.ts";

const InputSchema = v.strictObject({
  ips: v.pipe(
    v.array(ipText),
    v.minLength(LEAST_CANDIDATES),
    v.maxLength(MOST_CANDIDATES),
    v.description("2 to 5 candidates; an address given twice is looked up once."),
    declareCount<string[]>(),
    v.transform((ips: string[]) => toCandidates(ips)),
    v.check((candidates) => candidates.length >= LEAST_CANDIDATES),
  ),
  lang,
  detail,
});

const { entries } = ReportSchema.pipe[0];

/** The parts of a report that a comparison shows. `lookup_ip` returns the rest. */
const FullSummarySchema = v.object({
  ip: entries.ip,
  version: entries.version,
  queriedAt: entries.queriedAt,
  source: entries.source,
  stale: entries.stale,
  usageType: entries.usageType,
  nativeType: entries.nativeType,
  flags: entries.flags,
  flagAgreement: entries.flagAgreement,
  geo: entries.geo,
  asn: entries.asn,
  risk: entries.risk,
  scenarios: entries.scenarios,
  scenarioApplicable: entries.scenarioApplicable,
  scenarioNote: entries.scenarioNote,
  reportUrl: entries.reportUrl,
  listedOn: v.pipe(
    v.array(v.string()),
    v.description("Blocklists that list the address; without those that mean no risk."),
  ),
  unavailableLists: v.pipe(
    v.array(v.string()),
    v.description("Blocklists that did not answer: whether they list the address is unknown."),
  ),
  failedSources: v.pipe(
    v.array(v.object({ name: v.string(), why: v.string() })),
    v.description("Sources that were queried for this address and did not answer."),
  ),
});

/** A report of a comparison: the full summary, or its brief form. */
const SummarySchema = v.object({
  ...v.partial(FullSummarySchema).entries,
  risk: v.object({ ...RISK_SCHEMA.entries, factors: v.exactOptional(RISK_SCHEMA.entries.factors) }),
  reportUrl: entries.reportUrl,
  scenarioScores: v.exactOptional(ScenarioScoresSchema),
});

const OutputSchema = v.object({
  results: v.pipe(
    v.array(
      v.object({
        ip: v.pipe(v.string(), v.description("As the call wrote it.")),
        report: v.exactOptional(SummarySchema),
        problem: v.exactOptional(
          v.object({
            ...ProblemSchema.pipe[0].entries,
            retryAfterSeconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
          }),
        ),
      }),
    ),
    v.description(
      "One for each address, in the order of the call: its `report`, or the `problem` that prevented it.",
    ),
  ),
  unknowns: v.array(
    v.object({ id: v.string(), label: v.exactOptional(v.string()), detail: v.exactOptional(v.string()) }),
  ),
  unavailableSources: UnavailableSourcesSchema,
  openLookupsLeft: OpenLeftSchema,
});

/** The result for one address of a comparison. */
type Outcome = { readonly ip: string } & (
  | { readonly report: Report; readonly refusal?: never }
  | { readonly refusal: ToolRefusal; readonly report?: never }
);

/** `compare_ips`: compares a few addresses. Each costs one lookup; the refusal of one does not affect the others. */
export function compareTool(context: HttpContext): Tool {
  const { lookupsPerMinute, openPerDay } = context.limits;
  return {
    definition: {
      name: "compare_ips",
      title: "Compare IP addresses",
      description: [
        `2 to ${MOST_CANDIDATES} IP addresses side by side: purity, band, confidence, deductions, flags, suitability and`,
        "blocklists of each, with the same data as lookup_ip. For choosing among a few candidates, not for lists or",
        "ranges. The result is brief, under 3 kB; `detail` = full adds deductions, flags, lists and sources of each.",
        `Cost: each address is one of ${lookupsPerMinute} lookups a minute, and each that is not stored yet counts`,
        `towards ${openPerDay} a day without human verification (\`openLookupsLeft\`). Addresses that are refused have a`,
        "`problem` instead of a `report`; the others are answered. Private and reserved addresses are answered without",
        "any source and suit nothing.",
        "No risk signals does NOT mean safe, and the highest purity is not safe either. Read `confidence` beside",
        "`purity`: a difference means little if few sources answered for one of the addresses. Pass on",
        "`unknowns` and `unavailableSources`, and cite the `reportUrl` of each address.",
      ].join(" "),
      inputSchema: describeObject(InputSchema),
      outputSchema: describeObject(OutputSchema),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async call(requestContext, args) {
      const { ips, detail: form = "brief" } = await readCharged(context, requestContext, InputSchema, args);
      const compared = await compareAddresses(context, requestContext, ips);
      const { language, openLeft = 0 } = requestContext;
      const outcomes = compared.map((one) => toOutcome(context, one, language));
      const reports = outcomes.flatMap(({ report }) => (report === undefined ? [] : [report]));
      const refusal = outcomes.find((outcome) => outcome.refusal !== undefined)?.refusal;
      if (form === "brief" && reports.length > 0)
        return fitBrief((most) => compareBriefly(outcomes, { language, openLeft, most }));
      const text = renderComparison(outcomes.map(toRendered), language);
      if (reports.length === 0 && refusal !== undefined) return refuseAll(refusal, outcomes, text, language);
      const unknowns = gatherUnknowns(reports);
      const unavailableSources = gatherUnavailable(reports);
      const caveats = renderCaveats({ language, unanswered: unavailableSources, unknowns, openLeft });
      return {
        content: [{ type: "text", text: `${text}\n${caveats}` }],
        structuredContent: {
          results: outcomes.map(({ ip, report, refusal: problem }) =>
            report === undefined ? { ip, problem } : { ip, report: summarise(report) },
          ),
          unknowns,
          unavailableSources,
          openLookupsLeft: openLeft,
        },
      };
    },
  };
}

function toOutcome(context: HttpContext, one: Compared, language: Language): Outcome {
  const ip = one.asked;
  if ("problem" in one) return { ip, refusal: describeRefusal(one.problem, language) };
  return { ip, report: localizeAnswer(context, one.answer, language) };
}

/** The result of a comparison without any report: the first refusal, then each address with its own refusal. */
function refuseAll(
  refusal: ToolRefusal,
  outcomes: readonly Outcome[],
  text: string,
  language: Language,
): ToolResult {
  const [first, _] = refusalResult(refusal, language).content;
  const results = outcomes.map(({ ip, refusal: problem }) => ({ ip, problem }));
  return {
    content: [
      { type: "text", text: `${first?.text ?? ""}\n${text}` },
      { type: "text", text: JSON.stringify({ ...refusal, results }) },
    ],
    isError: true,
  };
}

function compareBriefly(
  outcomes: readonly Outcome[],
  {
    language,
    openLeft,
    most,
  }: { readonly language: Language; readonly openLeft: number; readonly most: number },
): ToolResult {
  const reports = outcomes.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const unknowns = gatherUnknowns(reports);
  const failed = gatherUnavailable(reports).filter(({ state }) => state === "failed");
  const compared = outcomes.map((one) =>
    one.report === undefined
      ? { ip: one.ip, refusal: one.refusal.error }
      : { ip: one.ip, report: one.report },
  );
  const text = renderBriefComparison(compared, { language, unknowns, most: Math.min(most, 3) });
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      results: outcomes.map(({ ip, report, refusal }) =>
        report === undefined ? { ip, problem: refusal } : { ip, report: summariseBriefly(report) },
      ),
      unknowns: [...new Set(unknowns.map(({ id }) => id))].map((id) => ({ id })),
      unavailableSources: failed.slice(0, most).map(({ name, state }) => ({ name, state })),
      openLookupsLeft: openLeft,
    },
  };
}

function summariseBriefly(report: Report): v.InferOutput<typeof SummarySchema> {
  const { purity, level, confidence } = report.risk;
  return {
    risk: { purity, level, confidence },
    ...(report.scenarioApplicable
      ? { scenarioScores: scenarioScores(report) }
      : { scenarioApplicable: false }),
    reportUrl: report.reportUrl,
  };
}

function toRendered({ ip, report, refusal }: Outcome): ComparedAddress {
  if (report !== undefined) return { ip, report, failed: listFailed(report) };
  const parts = [refusal.error, refusal.hint, refusal.reportUrl].filter((part) => part !== undefined);
  return { ip, refusal: parts.join(" ") };
}

function summarise(report: Report): v.InferOutput<typeof FullSummarySchema> {
  const { blocklists } = report;
  return {
    ...v.parse(v.omit(FullSummarySchema, ["listedOn", "unavailableLists", "failedSources"]), report),
    listedOn: blocklists.filter(({ listed, benign }) => listed && !benign).map(({ label }) => label),
    unavailableLists: blocklists.filter(({ unavailable }) => unavailable).map(({ label }) => label),
    failedSources: listFailed(report).map(({ name, why }) => ({ name, why })),
  };
}

function listFailed(report: Report): UnansweredSource[] {
  return listUnavailableSources(report).filter(({ state }) => state === "failed");
}

/** Lists the sources that are missing in at least one report, each once. */
function gatherUnavailable(reports: readonly Report[]): UnansweredSource[] {
  const all = reports.flatMap(listUnavailableSources);
  return [...new Map(all.map((one) => [`${one.name} ${one.state} ${one.why}`, one])).values()];
}

/** Lists the unknowns of all reports, each once. They depend on which sources answered. */
function gatherUnknowns(reports: readonly Report[]): Report["unknowns"] {
  const all = reports.flatMap(({ unknowns }) => unknowns);
  return [...new Map(all.map((one) => [`${one.id} ${one.detail}`, one])).values()];
}
