import * as v from "valibot";
import { renderBriefReport, renderCaveats, renderText } from "#render";
import { lookUp } from "../answer_report.ts";
import type { HttpContext } from "../context.ts";
import { ip } from "../parameters.ts";
import { localizeAnswer } from "../report_replies.ts";
import { BRIEF_OR_FULL, briefReport, detail, fitBrief } from "./brief.ts";
import { createTool, lang, listUnanswered, type Tool } from "./tool.ts";

/** `lookup_ip`: returns the report of one address. */
export function lookupTool(context: HttpContext): Tool {
  const { lookupsPerMinute, newPerMinute, openPerDay } = context.limits;
  return createTool(
    context,
    {
      name: "lookup_ip",
      title: "Look up an IP address",
      description: [
        "How clean one IP address is, with the reasoning: purity 0-100 (higher is cleaner), band, confidence, every",
        "deduction, proxy/VPN/Tor/relay/hosting flags, blocklists, abuse history, suitability for AI services, social",
        "sign-up, streaming, gaming, e-commerce and e-mail, and what each source said. The result is brief, under 3 kB;",
        "`detail` = full adds every sentence, blocklist and source (up to 40 kB): ask for it only when you need it.",
        `Cost: one of ${lookupsPerMinute} lookups a minute. An address that is already stored costs nothing else; one`,
        `that is not is queried from all sources (some seconds), counts towards ${newPerMinute} a minute and, without human`,
        `verification, towards ${openPerDay} a day (\`openLookupsLeft\`). No bulk and no range scans.`,
        "Private, reserved and other special-purpose addresses are answered without any source and cost no",
        "allowance: `scenarioApplicable` is false and `scenarioNote` says what the block is for.",
        "A source with `ok` false, and a blocklist with `unavailable` true, did not answer: that is unknown, not clean.",
        "No risk signals does NOT mean safe: never call an address safe. With any conclusion pass on `unknowns` and",
        "`unavailableSources`, give `confidence` beside `purity`, and cite `reportUrl`.",
        "When refused with code verification_required do not retry: give the person the reportUrl to open once in a",
        "browser, after which the same call works. When refused with retryAfterSeconds wait that long.",
        "It does not know the address of the person you talk to: ask for it.",
      ],
      input: v.strictObject({ ip, lang, detail }),
      output: v.object(BRIEF_OR_FULL),
      hasCost: true,
    },
    async (requestContext, { ip: address, detail: form = "brief" }) => {
      const { answer, refusal } = await lookUp(context, requestContext, { address, refresh: false });
      if (refusal !== undefined) throw refusal.response;
      const { language, openLeft = 0 } = requestContext;
      const report = localizeAnswer(context, answer, language);
      const { all, missing } = listUnanswered(answer, report);
      if (form === "brief")
        return fitBrief((most) => ({
          content: [{ type: "text", text: renderBriefReport({ report, missing, openLeft, most }) }],
          structuredContent: briefReport(report, { missing, openLeft, most }),
        }));
      const caveats = renderCaveats({ language, unanswered: all, unknowns: report.unknowns, openLeft });
      return {
        content: [{ type: "text", text: `${renderText(report)}\n${caveats}` }],
        structuredContent: { ...report, unavailableSources: all, openLookupsLeft: openLeft },
      };
    },
  );
}
