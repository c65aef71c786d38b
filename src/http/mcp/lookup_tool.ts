import * as v from "valibot";
import { renderCaveats, renderText } from "#render";
import { ReportSchema } from "#report";
import type { HttpDeps } from "../http_deps.ts";
import { lookUp } from "../look_up.ts";
import { readAddress } from "../read_address.ts";
import { speakAnswer } from "../speak_answer.ts";
import { describeObject } from "./describe_object.ts";
import { lang, readArguments } from "./read_arguments.ts";
import type { Tool } from "./tool.ts";
import { listUnavailableSources, OpenLeftSchema, UnavailableSourcesSchema } from "./unavailable_sources.ts";

/** One address, as people and programs write it. */
export const ip = v.pipe(
  v.string(),
  v.maxLength(64),
  v.description(
    "One full IPv4 or IPv6 address, without port, prefix length or zone; IPv6 may stand in square brackets, ::ffff:a.b.c.d counts as IPv4.",
  ),
  v.examples(["198.51.100.7", "2001:db8::7"]),
);

const InputSchema = v.strictObject({ ip, lang });

const OutputSchema = v.object({
  ...ReportSchema.pipe[0].entries,
  unavailableSources: UnavailableSourcesSchema,
  openLookupsLeft: OpenLeftSchema,
});

/** `lookup_ip`: the report of one address. */
export function lookupTool(deps: HttpDeps): Tool {
  const { lookupsPerMinute, newPerMinute, openPerDay } = deps.limits;
  return {
    definition: {
      name: "lookup_ip",
      title: "Look up an IP address",
      description: [
        "How clean one IP address is, with the reasoning: purity 0-100 (higher is cleaner), band, confidence, every",
        "deduction, proxy/VPN/Tor/relay/hosting flags, blocklists, abuse history, suitability for AI services, social",
        "sign-up, streaming, gaming, e-commerce and e-mail, and what each source said.",
        `Cost: one of ${lookupsPerMinute} lookups a minute. An address that is already stored costs nothing else; one`,
        `that is not is asked of all sources (some seconds), counts towards ${newPerMinute} a minute and, without human`,
        `verification, towards ${openPerDay} a day (\`openLookupsLeft\`). No bulk and no range scans.`,
        "Private, reserved and other special-purpose addresses are answered without asking anyone and cost no",
        "allowance: `scenarioApplicable` is false and `scenarioNote` says what the block is for.",
        "A source with `ok` false, and a blocklist with `unavailable` true, was not heard: that is unknown, not clean.",
        "No risk signals does NOT mean safe: never call an address safe. With any conclusion pass on `unknowns` and",
        "`unavailableSources`, give `confidence` beside `purity`, and cite `reportUrl`.",
        "When refused with code verification_required do not retry: give the person the reportUrl to open once in a",
        "browser, after which the same call works. When refused with retryAfterSeconds wait that long.",
        "It cannot tell the address of the person you talk to: ask them for it.",
      ].join(" "),
      inputSchema: describeObject(InputSchema),
      outputSchema: describeObject(OutputSchema),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
    async call(exchange, args) {
      const { answer } = await lookUp(deps, exchange, () => ({
        address: readAddress(readArguments(InputSchema, args).ip),
        refresh: false,
      }));
      const { language, openLeft = 0 } = exchange;
      const report = speakAnswer(deps, answer, language);
      const unanswered = listUnavailableSources(report);
      const caveats = renderCaveats({ language, unanswered, unknowns: report.unknowns, openLeft });
      return {
        content: [{ type: "text", text: `${renderText(report)}\n${caveats}` }],
        structuredContent: { ...report, unavailableSources: unanswered, openLookupsLeft: openLeft },
      };
    },
  };
}
