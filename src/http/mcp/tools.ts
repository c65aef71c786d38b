import * as v from "valibot";
import { toolTextsOf } from "#locale";
import {
  CLOSING_LINES,
  describeRule,
  renderBriefReport,
  renderCaveats,
  renderRule,
  renderText,
} from "#render";
import { lookUp } from "../answer_report.ts";
import type { HttpContext } from "../context.ts";
import { described, ip, MOST_CANDIDATES, optional } from "../parameters.ts";
import { contactOf, showAllowance } from "../plugins/limits.ts";
import { localizeAnswer } from "../report_replies.ts";
import { BRIEF_OR_FULL, briefReport, detail, fitBrief, listUnanswered, OpenLeftSchema } from "./brief.ts";
import { allowanceOf, createTool, lang, result, type Tool } from "./tool.ts";

/** `lookup_ip`: returns the report of one address. */
export function lookupTool(context: HttpContext): Tool {
  return createTool(
    context,
    {
      name: "lookup_ip",
      input: v.strictObject({ ip, lang, detail }),
      output: v.object(BRIEF_OR_FULL),
      hasCost: true,
    },
    async (requestContext, { ip: address, detail: form = "brief" }) => {
      const { answer, refusal } = await lookUp(context, requestContext, { address, refresh: false });
      if (refusal !== undefined) throw refusal.response;
      const { language } = requestContext;
      const openLeft = allowanceOf(requestContext);
      const report = localizeAnswer(context, answer, language);
      const { all, missing } = listUnanswered(answer, report);
      if (form === "brief")
        return fitBrief((most) => {
          const options = { missing, openLeft, most };
          return result(renderBriefReport({ report, ...options }), briefReport(report, options));
        });
      const caveats = renderCaveats({ language, unanswered: all, unknowns: report.unknowns, openLeft });
      const whole = { ...report, unavailableSources: all, openLookupsLeft: openLeft };
      return result(`${renderText(report)}\n${caveats}`, whole);
    },
  );
}

const FactorSchema = v.object({
  id: v.string(),
  label: v.string(),
  category: v.string(),
  categoryLabel: v.string(),
  meaning: described(v.string(), "What the rule looks at."),
  weights: described(v.array(v.string()), "Every number of the rule, as sentences."),
  points: optional(v.number(), "Positive deducts from purity, negative gives back, at full weight."),
  floor: optional(v.number(), "A minimum risk that nothing offsets."),
  steps: optional(
    v.array(v.object({ from: v.number(), points: v.number() })),
    "Points by measure; the highest step reached counts.",
  ),
  cap: optional(v.number(), "The most its category deducts."),
  share: optional(v.number(), "The part of other deductions it gives back."),
  weighing: described(v.array(v.string()), "How evidence is weighed, the same for every rule."),
  loneShare: described(v.number(), "The weight of one family alone."),
  subnetShare: described(v.number(), "The weight of what is known of the IPv6 /64 only."),
  halfLifeDays: described(v.number(), "Days after which a dated report has half its weight."),
  forgottenDays: described(v.number(), "Days after which a dated report has no weight."),
  scoringVersion: v.number(),
  methodUrl: v.pipe(v.string(), v.url()),
});

/** `explain_factor`: returns the meaning and the weight of a rule. Queries no source and costs nothing. */
export function factorTool(context: HttpContext): Tool {
  const ids = [...context.method.rules.map(({ id }) => id), ...CLOSING_LINES];
  return createTool(
    context,
    {
      name: "explain_factor",
      input: v.strictObject({
        id: described(v.picklist(ids), "A factor's `id`, as in `risk.factors` of a report."),
        lang,
      }),
      output: FactorSchema,
      hasCost: false,
    },
    async ({ language }, { id }) => {
      const rule = describeRule(context.method, id, language, context.baseUrl);
      if (rule === undefined) throw new Error(`Cannot explain factor "${id}": the method has no such rule`);
      return result(renderRule(rule, language), { ...rule });
    },
  );
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const LimitsSchema = v.object({
  lookupsPerMinute: described(count, "For each client; each compared address is one."),
  newPerMinute: described(count, "Of them, of addresses not yet stored."),
  openPerDay: described(count, "Addresses not yet stored that a client may look up without verification."),
  openPerMinute: described(count, "The same a minute, for the whole site."),
  addressesPerComparison: count,
  contact: optional(v.string(), "E-mail address or URL of the operator, for people who need more."),
  applied: optional(v.literal(false), "No limits apply to this client. The numbers are those of others."),
  openLookupsLeft: OpenLeftSchema,
});

/** `service_limits`: returns the limits and the client's remaining allowance. Queries no source and costs nothing. */
export function limitsTool(context: HttpContext): Tool {
  return createTool(
    context,
    { name: "service_limits", input: v.strictObject({ lang }), output: LimitsSchema, hasCost: false },
    async (requestContext) => {
      await showAllowance(context, requestContext);
      const { noLimits, limits: sentences } = toolTextsOf(requestContext.language);
      const openLeft = allowanceOf(requestContext);
      const { lookupsPerMinute, newPerMinute, openPerDay, openPerMinute } = context.limits;
      const limits = {
        lookupsPerMinute,
        newPerMinute,
        openPerDay,
        openPerMinute,
        addressesPerComparison: MOST_CANDIDATES,
        ...contactOf(context),
      };
      if (openLeft === undefined) return result(`${noLimits}\n`, { ...limits, applied: false });
      const lines = sentences.map((write) => `- ${write({ ...limits, openLeft })}`);
      return result(`${lines.join("\n")}\n`, { ...limits, openLookupsLeft: openLeft });
    },
  );
}
