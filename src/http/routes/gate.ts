import { status } from "elysia";
import * as v from "valibot";
import type { Answer } from "#lookup";
import type { ScenarioId } from "#report";
import type { HttpContext } from "../context.ts";
import { lookUp } from "../lookup.ts";
import { choice, ip, lang, percent, scenario } from "../parameters.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { textReply } from "../reply.ts";
import { orProblem, problems, text } from "../responses.ts";

const DEFAULT_MIN = 70;

/** Retry-After of an answer without any live source: the lookup does not keep it longer than this. */
const UNHEARD_SECONDS = 30;

/** `/gate/{ip}`: one word for scripts and proxy clients, in the status and in the body. */
export function gateRoute(context: HttpContext) {
  return createRoutes().get(
    "/gate/:ip",
    async ({ params, query, requestContext }) => {
      const wanted = { address: params.ip, refresh: false };
      const { answer, refusal } = await lookUp(context, requestContext, wanted);
      if (refusal !== undefined) return refusal;
      const { min = DEFAULT_MIN } = query;
      const { outcome, line, isUnheard } = judge(answer, { ...query, min }, context.live);
      const reply = textReply(`${line}\n`, {
        cacheControl: "no-store",
        headers: isUnheard ? { "retry-after": String(UNHEARD_SECONDS) } : {},
      });
      if (query.status !== undefined || outcome === "PASS") return reply;
      return outcome === "FAIL" ? status(409, reply) : status(503, reply);
    },
    {
      params: v.object({ ip }),
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
        409: text("The score is lower, or the service is not offered there.", {
          isCacheable: false,
          example: "FAIL 41\n",
        }),
        503: orProblem(
          text(
            "UNKNOWN: nothing can be judged; with Retry-After if no source was heard. Or the service is overloaded, in one sentence.",
            { headers: ["Retry-After"], isCacheable: false, example: "UNKNOWN\n" },
          ),
        ),
      },
      detail: {
        operationId: "passGate",
        summary: "PASS, FAIL or UNKNOWN, for scripts and proxy clients",
        description:
          "Compares the score of a use, or without `scenario` the purity, with `min`. The answer is UNKNOWN, never PASS, if no live source was heard, for special-purpose addresses, and for a use of an address that is nobody's exit. A region where the service is not offered is `FAIL restricted`. It queries sources and costs the same as a lookup; its refusals keep their status, in one line.",
        tags: ["Reports"],
        security: [{}, { pass: [] }],
      },
    },
  );
}

/** PASS or FAIL with the score, or UNKNOWN. */
export interface GateVerdict {
  readonly outcome: "PASS" | "FAIL" | "UNKNOWN";
  readonly line: string;
  /** No live source was heard: asking again soon may help. */
  readonly isUnheard: boolean;
}

/**
 * Judges an answer by the score of a use, or by the purity. Failure is never clean: without any live source, while they
 * are queried, the outcome is UNKNOWN, and so it is for special-purpose space and for a use of an address that is
 * nobody's exit. A region where the service is not offered (`restricted`) is FAIL, because that is known.
 */
export function judge(
  { assessment, heard }: Answer,
  { scenario, min }: { readonly scenario?: ScenarioId; readonly min: number },
  live: boolean,
): GateVerdict {
  if (assessment.flags.isBogon) return { outcome: "UNKNOWN", line: "UNKNOWN", isUnheard: false };
  if (live && heard === 0) return { outcome: "UNKNOWN", line: "UNKNOWN", isUnheard: true };
  if (scenario === undefined) return compare(assessment.purity, min);
  const judged = assessment.scenarios.find(({ id }) => id === scenario);
  if (judged?.level === "restricted") return { outcome: "FAIL", line: "FAIL restricted", isUnheard: false };
  if (judged === undefined || judged.score === null || judged.level === "not_applicable")
    return { outcome: "UNKNOWN", line: "UNKNOWN", isUnheard: false };
  return compare(judged.score, min);
}

function compare(score: number, min: number): GateVerdict {
  const outcome = score >= min ? "PASS" : "FAIL";
  return { outcome, line: `${outcome} ${score}`, isUnheard: false };
}
