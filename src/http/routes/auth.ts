import { type AnyElysia, status } from "elysia";
import * as v from "valibot";
import { readForwardedClient } from "#limits";
import { judgeVisitor, POLICY_WORDS, wordsOf } from "#report";
import type { Clients, Operation, Reports } from "../context.ts";
import { createFindVisitor, type FoundVisitor } from "../find_visitor.ts";
import { choice, lang, percent, words } from "../parameters.ts";
import { createRoutes, findPeer } from "../plugins/request_context.ts";
import { refuseVisitor } from "../problem.ts";
import { noContent, textReply } from "../reply.ts";
import { empty, operation, orProblem, problems, text } from "../responses.ts";

const KINDS = POLICY_WORDS.map((word) => `\`${word}\``).join(", ");

const VERDICT_HEADERS = [
  "X-IP-Verdict",
  "X-IP-Source",
  "X-IP-Purity",
  "X-IP-Level",
  "X-IP-Confidence",
  "X-IP-Type",
  "X-IP-Flags",
];

/**
 * `/auth`: whether a web server in front of a site lets a visitor in, for `auth_request` of nginx, `forward_auth` of
 * Caddy and `ForwardAuth` of Traefik. Costs no lookup: one page of a site can send a hundred requests.
 */
export function authRoute(path: string, context: Reports & Clients & Operation, app: AnyElysia) {
  const findVisitor = createFindVisitor(context);
  return createRoutes().get(
    path,
    async ({ query, requestContext }) => {
      const { request, client } = requestContext;
      const peer = findPeer(context, request, app.server);
      const address = readForwardedClient(request.headers, peer, context.clientRules);
      if (address === undefined) return refuseVisitor("forbidden", { reason: "no_proxy" });
      const { min, deny = [], allow = [], unknown = "allow" } = query;
      const both = allow.find((word) => deny.includes(word));
      if (both !== undefined)
        return refuseVisitor("invalid_parameter", { parameter: "allow", value: both, reason: "denied_too" });
      if (unknown === "deny" && min === undefined && deny.length === 0)
        return refuseVisitor("invalid_parameter", {
          parameter: "unknown",
          value: unknown,
          reason: "asks_nothing",
        });
      const found = await findVisitor(address, query.survey === undefined ? client : undefined);
      const policy = { deny, allow, unknown, ...(min === undefined ? {} : { min }) };
      const { isAllowed, verdict } = judgeVisitor(found.known, policy);
      const headers = { "x-ip-verdict": verdict, ...describeVisitor(found) };
      if (isAllowed) return noContent(headers);
      const denial = verdict === "unknown" ? "deny unknown" : verdict;
      const cacheControl = "no-store";
      return status(403, textReply(`${denial.toUpperCase()}\n`, { cacheControl, shared: false, headers }));
    },
    {
      query: v.object({
        min: percent("Least purity, 0 to 100; without it no purity is too low."),
        deny: words(POLICY_WORDS, `Kinds of addresses that are denied, separated by commas: ${KINDS}.`),
        allow: words(
          POLICY_WORDS,
          "Kinds of addresses that pass whatever their purity, as in `deny`. `deny` is stronger, except that an allowed crawler always passes.",
        ),
        unknown: choice(
          ["allow", "deny"],
          "What happens if the evidence is not enough: the visitor passes (the default), or is denied.",
        ),
        survey: choice(["0"], "Starts no survey."),
        lang,
      }),
      response: {
        ...problems("nothing", "text", [], {
          access: "private",
          explainInvalid: ({ details }) => [refuseVisitor("invalid_parameter", details.data ?? {}).response],
        }),
        204: empty("The visitor may pass.", { headers: VERDICT_HEADERS }),
        403: orProblem(
          text(
            "The visitor is denied. With the header X-IP-Error, nobody was judged: the policy is wrong, or no trusted proxy named the visitor; the body says which.",
            {
              headers: [...VERDICT_HEADERS, "X-IP-Error"],
              isCacheable: false,
              shared: false,
              example: "DENY VPN\n",
            },
          ),
        ),
      },
      detail: operation("authorizeVisitor"),
    },
  );
}

/** The headers about a visitor: numbers and words of closed lists only. */
function describeVisitor({ source, known }: FoundVisitor): Readonly<Record<string, string>> {
  if (known === undefined) return { "x-ip-source": source };
  const { assessment } = known;
  const flags = wordsOf(assessment);
  return {
    "x-ip-source": source,
    "x-ip-purity": String(assessment.purity),
    "x-ip-level": assessment.band,
    "x-ip-confidence": assessment.confidence,
    "x-ip-type": assessment.usage,
    "x-ip-flags": flags.length === 0 ? "none" : flags.join(","),
  };
}
