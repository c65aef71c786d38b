import * as v from "valibot";
import { toolTextsOf } from "#locale";
import type { HttpContext } from "../context.ts";
import { MOST_CANDIDATES } from "../parameters.ts";
import { contactOf, showAllowance } from "../plugins/limits.ts";
import { createTool, lang, OpenLeftSchema, type Tool } from "./tool.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const OutputSchema = v.object({
  lookupsPerMinute: v.pipe(count, v.description("For each client; each compared address is one.")),
  newPerMinute: v.pipe(count, v.description("Of them, of addresses not yet stored.")),
  openPerDay: v.pipe(
    count,
    v.description("Addresses not yet stored that a client may look up without verification."),
  ),
  openPerMinute: v.pipe(count, v.description("The same a minute, for the whole site.")),
  addressesPerComparison: count,
  contact: v.exactOptional(
    v.pipe(v.string(), v.description("E-mail address or URL of the operator, for people who need more.")),
  ),
  openLookupsLeft: OpenLeftSchema,
});

/** `service_limits`: returns the limits and the client's remaining allowance. Queries no source and costs nothing. */
export function limitsTool(context: HttpContext): Tool {
  return createTool(
    context,
    {
      name: "service_limits",
      title: "Limits of the service",
      description: [
        "How many lookups this service allows a minute and a day, how many addresses one comparison may have, and how",
        "many lookups of addresses not yet stored this client has left today. Says nothing about any address. Costs no",
        "lookup.",
      ],
      input: v.strictObject({ lang }),
      output: OutputSchema,
      hasCost: false,
    },
    async (requestContext) => {
      await showAllowance(context, requestContext);
      const { language, openLeft = 0 } = requestContext;
      const { lookupsPerMinute, newPerMinute, openPerDay, openPerMinute } = context.limits;
      const limits = {
        lookupsPerMinute,
        newPerMinute,
        openPerDay,
        openPerMinute,
        addressesPerComparison: MOST_CANDIDATES,
        ...contactOf(context),
      };
      const lines = toolTextsOf(language).limits.map((write) => `- ${write({ ...limits, openLeft })}`);
      return {
        content: [{ type: "text", text: `${lines.join("\n")}\n` }],
        structuredContent: { ...limits, openLookupsLeft: openLeft },
      };
    },
  );
}
