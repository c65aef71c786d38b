import * as v from "valibot";
import { describeRule, renderRule } from "#render";
import type { HttpContext } from "../context.ts";
import { createTool, lang, type Tool } from "./tool.ts";

const OutputSchema = v.object({
  id: v.string(),
  label: v.string(),
  category: v.string(),
  categoryLabel: v.string(),
  meaning: v.pipe(v.string(), v.description("What the rule looks at.")),
  weights: v.pipe(v.array(v.string()), v.description("Every number of the rule, as sentences.")),
  points: v.exactOptional(
    v.pipe(v.number(), v.description("Positive deducts from purity, negative gives back, at full weight.")),
  ),
  floor: v.exactOptional(v.pipe(v.number(), v.description("A minimum risk that nothing offsets."))),
  steps: v.exactOptional(
    v.pipe(
      v.array(v.object({ from: v.number(), points: v.number() })),
      v.description("Points by measure; the highest step reached counts."),
    ),
  ),
  cap: v.exactOptional(v.pipe(v.number(), v.description("The most its category deducts."))),
  share: v.exactOptional(v.pipe(v.number(), v.description("The part of other deductions it gives back."))),
  weighing: v.pipe(v.array(v.string()), v.description("How evidence is weighed, the same for every rule.")),
  loneShare: v.pipe(v.number(), v.description("The weight of one family alone.")),
  subnetShare: v.pipe(v.number(), v.description("The weight of what is known of the IPv6 /64 only.")),
  halfLifeDays: v.pipe(v.number(), v.description("Days after which a dated report has half its weight.")),
  forgottenDays: v.pipe(v.number(), v.description("Days after which a dated report has no weight.")),
  scoringVersion: v.number(),
  methodUrl: v.pipe(v.string(), v.url()),
});

/** `explain_factor`: returns the meaning and the weight of a rule. Queries no source and costs nothing. */
export function factorTool(context: HttpContext): Tool {
  const ids = context.method.rules.map(({ id }) => id);
  return createTool(
    context,
    {
      name: "explain_factor",
      title: "Explain a deduction",
      description: [
        "What one rule of the score means, by the `id` that `risk.factors` of a report shows: what it looks at, its",
        "points, steps, minimum risk (floor), cap or share given back, how evidence is weighed (agreement of",
        "independent families, half-life of dated reports), and the URL of the whole method. About the method, not",
        "about any address. Costs no lookup.",
      ],
      input: v.strictObject({
        id: v.pipe(v.picklist(ids), v.description("A factor's `id`, as in `risk.factors` of a report.")),
        lang,
      }),
      output: OutputSchema,
      hasCost: false,
    },
    async ({ language }, { id }) => {
      const rule = describeRule(context.method, id, language, context.baseUrl);
      if (rule === undefined) throw new Error(`Cannot explain factor "${id}": the method has no such rule`);
      return {
        content: [{ type: "text", text: renderRule(rule, language) }],
        structuredContent: { ...rule },
      };
    },
  );
}
