import * as v from "valibot";
import {
  type Compared as ComparedAddress,
  renderBriefComparison,
  renderCaveats,
  renderComparison,
} from "#render";
import { type Language, ProblemSchema, type Report, ReportSchema, SCENARIOS } from "#report";
import { type Compared, compareAddresses } from "../answer_report.ts";
import type { HttpContext } from "../context.ts";
import {
  declareCount,
  described,
  ipText,
  LEAST_CANDIDATES,
  MOST_CANDIDATES,
  optional,
  toCandidates,
} from "../parameters.ts";
import { localizeAnswer } from "../report_replies.ts";
import {
  COMMON,
  detail,
  fitBrief,
  listRisky,
  listUnanswered,
  nameMissing,
  OpenLeftSchema,
  pickFields,
  RISK_SCHEMA,
  texts,
  type Unanswered,
  UnavailableSourcesSchema,
  UnknownsSchema,
} from "./brief.ts";
import {
  allowanceOf,
  createTool,
  describeRefusal,
  lang,
  refusalResult,
  result,
  type Tool,
  type ToolRefusal,
  type ToolResult,
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

/** The parts of a report that a full comparison shows. `lookup_ip` returns the rest. */
const SHOWN = [
  ...COMMON,
  "flagAgreement",
  "geo",
  "asn",
  "risk",
  "scenarios",
  "scenarioApplicable",
  "scenarioNote",
  "reportUrl",
] as const satisfies readonly (keyof Report)[];

/** A report of a comparison: these parts, or its brief form. */
const SummarySchema = v.object({
  ...v.partial(v.pick(v.object(entries), SHOWN)).entries,
  risk: RISK_SCHEMA,
  reportUrl: entries.reportUrl,
  scenarioScores: optional(
    v.partial(v.object(v.entriesFromList(SCENARIOS, entries.scenarios.item.entries.score))),
    "Brief only: the score of each use; null where it is restricted or does not apply.",
  ),
  listedOn: texts("Blocklists that list the address; without those that mean no risk."),
  unavailableLists: texts("Blocklists without a result: whether they list the address is unknown."),
  failedSources: optional(
    v.array(v.object({ name: v.string(), why: v.string() })),
    "Sources that were queried for this address and did not answer.",
  ),
});

const OutputSchema = v.object({
  results: described(
    v.array(
      v.object({
        ip: described(v.string(), "As the call wrote it."),
        report: v.exactOptional(SummarySchema),
        problem: v.exactOptional(
          v.object({
            ...ProblemSchema.pipe[0].entries,
            retryAfterSeconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
          }),
        ),
      }),
    ),
    "One for each address, in the order of the call: its `report`, or the `problem` that prevented it.",
  ),
  unknowns: UnknownsSchema,
  unavailableSources: UnavailableSourcesSchema,
  openLookupsLeft: OpenLeftSchema,
});

/** The result for one address of a comparison. */
type Outcome = { readonly ip: string } & (
  | { readonly report: Report; readonly unanswered: Unanswered; readonly refusal?: never }
  | { readonly refusal: ToolRefusal; readonly report?: never }
);
type Answered = Extract<Outcome, { readonly report: Report }>;

/** `compare_ips`: compares a few addresses. Each costs one lookup; the refusal of one does not affect the others. */
export function compareTool(context: HttpContext): Tool {
  return createTool(
    context,
    { name: "compare_ips", input: InputSchema, output: OutputSchema, hasCost: true },
    async (requestContext, { ips, detail: form = "brief" }) => {
      const compared = await compareAddresses(context, requestContext, ips);
      const { language } = requestContext;
      const openLeft = allowanceOf(requestContext);
      const outcomes = compared.map((one) => toOutcome(context, one, language));
      const answered = outcomes.flatMap((one) => (one.report === undefined ? [] : [one]));
      const [refusal] = outcomes.flatMap((one) => one.refusal ?? []);
      if (answered.length === 0 && refusal !== undefined) return refuseAll(refusal, outcomes, language);
      const unknowns = gather(answered, ({ report }) => report.unknowns);
      if (form === "full") {
        const unanswered = gather(answered, (one) => one.unanswered.all);
        const text = renderComparison(outcomes.map(toRendered), language);
        return result(`${text}\n${renderCaveats({ language, unanswered, unknowns, openLeft })}`, {
          results: listResults(outcomes, summarise),
          unknowns,
          unavailableSources: unanswered,
          openLookupsLeft: openLeft,
        });
      }
      const missing = gather(answered, (one) => one.unanswered.missing);
      const rendered = outcomes.map((one) => (one.report ? one : { ip: one.ip, refusal: one.refusal.error }));
      return fitBrief((most) =>
        result(renderBriefComparison(rendered, { language, unknowns, most: Math.min(most, 3) }), {
          results: listResults(outcomes, summariseBriefly),
          unknowns: [...new Set(unknowns.map(({ id }) => id))].map((id) => ({ id })),
          unavailableSources: nameMissing(missing, most),
          openLookupsLeft: openLeft,
        }),
      );
    },
  );
}

function toOutcome(context: HttpContext, one: Compared, language: Language): Outcome {
  const ip = one.asked;
  if ("problem" in one) return { ip, refusal: describeRefusal(one.problem, language) };
  const report = localizeAnswer(context, one.answer, language);
  return { ip, report, unanswered: listUnanswered(one.answer, report) };
}

/** The result of a comparison without any report: the first refusal, then each address with its own refusal. */
function refuseAll(refusal: ToolRefusal, outcomes: readonly Outcome[], language: Language): ToolResult {
  const [first, _] = refusalResult(refusal, language).content;
  const text = renderComparison(outcomes.map(toRendered), language);
  const results = outcomes.map(({ ip, refusal: problem }) => ({ ip, problem }));
  return {
    content: [
      { type: "text", text: `${first?.text ?? ""}\n${text}` },
      { type: "text", text: JSON.stringify({ ...refusal, results }) },
    ],
    isError: true,
  };
}

type Summarise = (report: Report, unanswered: Unanswered) => v.InferOutput<typeof SummarySchema>;

function listResults(outcomes: readonly Outcome[], summarise: Summarise) {
  return outcomes.map((one) =>
    one.report === undefined
      ? { ip: one.ip, problem: one.refusal }
      : { ip: one.ip, report: summarise(one.report, one.unanswered) },
  );
}

const summariseBriefly: Summarise = ({ risk, scenarios, scenarioApplicable, reportUrl }) => {
  const { purity, level, confidence } = risk;
  const scenarioScores = Object.fromEntries(scenarios.map(({ id, score }) => [id, score]));
  return {
    risk: { purity, level, confidence },
    ...(scenarioApplicable ? { scenarioScores } : { scenarioApplicable }),
    reportUrl,
  };
};

const summarise: Summarise = (report, unanswered) => ({
  ...pickFields(report, SHOWN),
  listedOn: listRisky(report).map(({ label }) => label),
  unavailableLists: report.blocklists.filter(({ unavailable }) => unavailable).map(({ label }) => label),
  failedSources: listFailed(unanswered).map(({ name, why }) => ({ name, why })),
});

function listFailed({ all }: Unanswered) {
  return all.filter(({ state }) => state === "failed");
}

function toRendered(one: Outcome): ComparedAddress {
  if (one.report !== undefined) return { ip: one.ip, report: one.report, failed: listFailed(one.unanswered) };
  const { error, hint, reportUrl } = one.refusal;
  return { ip: one.ip, refusal: [error, hint, reportUrl].filter((part) => part !== undefined).join(" ") };
}

/** Lists what occurs with at least one address, each once: unknowns and sources differ between addresses. */
function gather<Item>(answered: readonly Answered[], list: (one: Answered) => readonly Item[]): Item[] {
  return [...new Map(answered.flatMap(list).map((item) => [JSON.stringify(item), item])).values()];
}
