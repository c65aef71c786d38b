import { status } from "elysia";
import * as v from "valibot";
import { findSpecialPurpose } from "#address";
import { decide, type PolicyDecision } from "#report";
import { lookUp, toVisitor } from "../answer_report.ts";
import type { HttpContext } from "../context.ts";
import { choice, ipOrMe, lang, ME, percent, scenario } from "../parameters.ts";
import { createRoutes, resolveSubject } from "../plugins/request_context.ts";
import { textReply } from "../reply.ts";
import { operation, orProblem, problems, text } from "../responses.ts";

const DEFAULT_MIN = 70;

/** Retry-After of an answer without any live source: the lookup caches such an answer for at most this time. */
const UNANSWERED_SECONDS = 30;

/** `/gate/{ip}` and `/gate/me`: one word for scripts and proxy clients, also as a status. */
export function gateRoute(path: string, context: HttpContext) {
  return createRoutes().get(
    path,
    async ({ params, query, requestContext }) => {
      const address = resolveSubject(requestContext, params.ip);
      const { answer, refusal } = await lookUp(context, requestContext, { address, refresh: false });
      if (refusal !== undefined) return refusal;
      const decision = decide(toVisitor(context, answer), {
        min: DEFAULT_MIN,
        ...query,
        deny: [],
        allow: [],
      });
      const { outcome } = decision;
      const isUnanswered = outcome === "UNKNOWN" && decision.because === "unproven";
      // A caller does not see its own address in the URL, so it gets the reason.
      const special = params.ip === ME && outcome === "UNKNOWN" ? findSpecialPurpose(address) : undefined;
      const reply = textReply(
        `${writeLine(decision)}${special === undefined ? "" : ` ${special.purpose}`}\n`,
        {
          cacheControl: "no-store",
          headers: isUnanswered ? { "retry-after": String(UNANSWERED_SECONDS) } : {},
        },
      );
      if (query.status !== undefined || outcome === "PASS") return reply;
      return outcome === "FAIL" ? status(409, reply) : status(503, reply);
    },
    {
      params: v.object({ ip: ipOrMe }),
      query: v.object({
        scenario: v.exactOptional(scenario),
        min: percent("Least score that passes, 0 to 100; 70 by default."),
        status: choice(
          ["200"],
          "Answers PASS, FAIL and UNKNOWN with status 200, for clients that see bodies only. Errors keep their status.",
        ),
        lang,
      }),
      response: {
        ...problems("survey", "text"),
        200: text("The score is `min` or more; with `status=200`, any outcome.", {
          headers: ["Retry-After"],
          isCacheable: false,
          example: "PASS 82\n",
        }),
        409: text("The score is lower, or the AI or streaming service is not offered there.", {
          isCacheable: false,
          example: "FAIL 41\n",
        }),
        503: orProblem(
          text(
            "UNKNOWN: there is not enough evidence; with Retry-After if no live source answered. Or the service is overloaded, in one sentence.",
            { headers: ["Retry-After"], isCacheable: false, example: "UNKNOWN\n" },
          ),
        ),
      },
      detail: operation("passGate"),
    },
  );
}

/** The line of an answer: the outcome, and the score that was compared or why there is none. */
function writeLine(decision: PolicyDecision): string {
  if (decision.outcome === "UNKNOWN") return decision.outcome;
  const reason = decision.outcome === "FAIL" && decision.because === "restricted" ? "restricted" : undefined;
  return `${decision.outcome} ${reason ?? decision.score}`;
}
