import * as v from "valibot";
import { parseAddress } from "#address";
import { type Compared, renderCaveats, renderComparison, type UnansweredSource } from "#render";
import { type Language, ProblemSchema, type Report, ReportSchema } from "#report";
import { takeLookup } from "../admit.ts";
import { type Candidate, compareAddresses } from "../compare_addresses.ts";
import type { Exchange } from "../exchange.ts";
import type { HttpDeps } from "../http_deps.ts";
import { MOST_CANDIDATES, wrongCount } from "../read_candidates.ts";
import { speakAnswer } from "../speak_answer.ts";
import { describeObject } from "./describe_object.ts";
import { ip } from "./lookup_tool.ts";
import { LEAST_COMPARED, lang, readArguments } from "./read_arguments.ts";
import type { Members } from "./read_message.ts";
import { type Refusal, refusalOf, sayRefusal } from "./say_refusal.ts";
import type { Tool, ToolResult } from "./tool.ts";
import { listUnavailableSources, OpenLeftSchema, UnavailableSourcesSchema } from "./unavailable_sources.ts";

const InputSchema = v.strictObject({
  ips: v.pipe(
    v.array(ip),
    v.minLength(LEAST_COMPARED),
    v.maxLength(MOST_CANDIDATES),
    v.description("2 to 5 candidates; one that is named twice is looked up once."),
  ),
  lang,
});

const { entries } = ReportSchema.pipe[0];

/** What of a report is worth comparing; the rest is one `lookup_ip` away, and then stored. */
const SummarySchema = v.object({
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
    v.description("Blocklists that could not be heard: whether they list the address is unknown."),
  ),
  failedSources: v.pipe(
    v.array(v.object({ name: v.string(), why: v.string() })),
    v.description("Sources that were asked of this address and not heard."),
  ),
});

const OutputSchema = v.object({
  results: v.pipe(
    v.array(
      v.object({
        ip: v.pipe(v.string(), v.description("As it was asked.")),
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
      "One for each address, in the order asked: its `report`, or the `problem` that stood in the way.",
    ),
  ),
  unknowns: entries.unknowns,
  unavailableSources: UnavailableSourcesSchema,
  openLookupsLeft: OpenLeftSchema,
});

/** One address of a comparison and what became of it. */
type Outcome = { readonly ip: string } & (
  | { readonly report: Report; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly report?: never }
);

/** `compare_ips`: a few candidates side by side. Each is a lookup of its own; what is refused refuses only itself. */
export function compareTool(deps: HttpDeps): Tool {
  const { lookupsPerMinute, openPerDay } = deps.limits;

  function tell(candidate: Candidate, language: Language): Outcome {
    const ip = candidate.asked;
    if ("problem" in candidate) return { ip, refusal: refusalOf(candidate.problem, language) };
    return { ip, report: speakAnswer(deps, candidate.answer, language) };
  }

  return {
    definition: {
      name: "compare_ips",
      title: "Compare IP addresses",
      description: [
        `2 to ${MOST_CANDIDATES} IP addresses side by side: purity, band, confidence, deductions, flags, suitability and`,
        "blocklists of each, with the same data as lookup_ip. For choosing among a few candidates, not for lists or",
        "ranges.",
        `Cost: each address is one of ${lookupsPerMinute} lookups a minute, and each that is not stored yet counts`,
        `towards ${openPerDay} a day without human verification (\`openLookupsLeft\`). Addresses that are refused have a`,
        "`problem` instead of a `report`; the others are answered. Private and reserved addresses are answered without",
        "asking anyone and suit nothing.",
        "No risk signals does NOT mean safe, and the highest purity is not safe either. Read `confidence` beside",
        "`purity`: a difference between an address that was widely heard and one that was not means little. Pass on",
        "`unknowns` and `unavailableSources`, and cite the `reportUrl` of each address.",
      ].join(" "),
      inputSchema: describeObject(InputSchema),
      outputSchema: describeObject(OutputSchema),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async call(exchange, args) {
      const candidates = await compareAddresses(deps, exchange, readAsked(deps, exchange, args));
      const { language, openLeft = 0 } = exchange;
      const outcomes = candidates.map((candidate) => tell(candidate, language));
      const reports = outcomes.flatMap(({ report }) => (report === undefined ? [] : [report]));
      const refusal = outcomes.find((outcome) => outcome.refusal !== undefined)?.refusal;
      const text = renderComparison(outcomes.map(toCompared), language);
      if (reports.length === 0 && refusal !== undefined) return refuseAll(refusal, outcomes, text, language);
      const unknowns = gatherUnknowns(reports);
      const unavailableSources = gatherUnavailable(reports);
      const caveats = renderCaveats({ language, unanswered: unavailableSources, unknowns, openLeft });
      return {
        content: [{ type: "text", text: `${text}\n${caveats}` }],
        structuredContent: {
          results: outcomes.map(({ ip, report, refusal }) =>
            report === undefined ? { ip, problem: refusal } : { ip, report: summarise(report) },
          ),
          unknowns,
          unavailableSources,
          openLookupsLeft: openLeft,
        },
      };
    },
  };
}

/** One address counts once however it is written. Malformed arguments cost a lookup, as a malformed query does. */
function readAsked(deps: HttpDeps, exchange: Exchange, args: Members): string[] {
  try {
    const { ips } = readArguments(InputSchema, args);
    const asked = new Map(ips.map((one) => [parseAddress(one)?.text ?? one, one] as const));
    if (asked.size < LEAST_COMPARED) throw wrongCount(LEAST_COMPARED);
    return [...asked.values()];
  } catch (error) {
    takeLookup(deps, exchange);
    throw error;
  }
}

/** None was looked up: what stood in the way of the first, and of each. */
function refuseAll(
  refusal: Refusal,
  outcomes: readonly Outcome[],
  text: string,
  language: Language,
): ToolResult {
  const [said] = sayRefusal(refusal, language).content;
  const results = outcomes.map((outcome) => ({ ip: outcome.ip, problem: outcome.refusal }));
  return {
    content: [
      { type: "text", text: `${said?.text ?? ""}\n${text}` },
      { type: "text", text: JSON.stringify({ ...refusal, results }) },
    ],
    isError: true,
  };
}

function toCompared({ ip, report, refusal }: Outcome): Compared {
  if (report === undefined)
    return {
      ip,
      refusal: [refusal.error, refusal.hint, refusal.reportUrl]
        .filter((part) => part !== undefined)
        .join(" "),
    };
  return { ip, report, failed: listFailed(report) };
}

function summarise(report: Report): v.InferOutput<typeof SummarySchema> {
  const { blocklists } = report;
  return {
    ...v.parse(v.omit(SummarySchema, ["listedOn", "unavailableLists", "failedSources"]), report),
    listedOn: blocklists.filter(({ listed, benign }) => listed && !benign).map(({ label }) => label),
    unavailableLists: blocklists.filter(({ unavailable }) => unavailable).map(({ label }) => label),
    failedSources: listFailed(report).map(({ name, why }) => ({ name, why })),
  };
}

function listFailed(report: Report): UnansweredSource[] {
  return listUnavailableSources(report).filter(({ state }) => state === "failed");
}

/** Those of all reports, each once. */
function gatherUnavailable(reports: readonly Report[]): UnansweredSource[] {
  const all = reports.flatMap(listUnavailableSources);
  return [...new Map(all.map((one) => [`${one.name} ${one.state} ${one.why}`, one])).values()];
}

/** Those of all reports, each once; which sources were not heard may differ from one to another. */
function gatherUnknowns(reports: readonly Report[]): Report["unknowns"] {
  const all = reports.flatMap(({ unknowns }) => unknowns);
  return [...new Map(all.map((one) => [`${one.id} ${one.detail}`, one])).values()];
}
