import { status } from "elysia";
import * as v from "valibot";
import { type Address, isBogon } from "#address";
import { type ComparePageParts, comparePathOf, renderComparePage } from "#render";
import { type Data, type Language, ProblemSchema, ReportSchema } from "#report";
import { type Compared, compareAddresses } from "../answer_report.ts";
import type { HttpContext } from "../context.ts";
import {
  described,
  ips,
  lang,
  MOST_CANDIDATES,
  MOST_COMPARED,
  type PastedPart,
  pasted,
  readPasted,
  titled,
} from "../parameters.ts";
import { linkHeader } from "../plugins/headers.ts";
import { takeLookup } from "../plugins/limits.ts";
import { createRoutes, MAX_TARGET_LENGTH, type RequestContext } from "../plugins/request_context.ts";
import { describeProblem, HttpProblem, refuseWith, retryAfterSeconds } from "../problem.ts";
import { emptyReply, jsonReply, pageReply } from "../reply.ts";
import { localizeAnswer } from "../report_replies.ts";
import { empty, json, operation, page, problems } from "../responses.ts";

const Comparison = titled("Comparison", {
  reports: described(v.array(ReportSchema), "In the order of the request."),
  problems: described(
    v.array(v.object({ ip: described(v.string(), "As the request wrote it."), problem: ProblemSchema })),
    "Addresses without a report here, each with the reason. Nothing is known of them from this.",
  ),
});

/** The possible statuses of a comparison without any report. Its first problem decides. */
type FirstProblem = 400 | 403 | 404 | 429 | 500 | 503;

/** `/api/compare`, for programs. With at least one report the status is 200; else it is the first problem. */
export function compareRoute(path: string, context: HttpContext) {
  return createRoutes()
    .model({ Comparison })
    .get(
      path,
      async ({ query, requestContext }) => {
        const compared = await compareAddresses(context, requestContext, query.ips);
        const failure = findFailure(compared);
        if (failure !== undefined) return refuseWith<FirstProblem>(failure);
        const { language } = requestContext;
        return jsonReply<v.InferOutput<typeof Comparison>>(
          {
            reports: listReports(context, compared, language),
            problems: listProblems(compared, language).map(({ asked, problem }) => ({ ip: asked, problem })),
          },
          { languages: [language] },
        );
      },
      {
        query: v.object({ ips, lang }),
        response: {
          200: json("The reports, and the addresses without one.", Comparison, { examples: ["comparison"] }),
          ...problems("survey", "json"),
        },
        detail: operation("compareAddresses"),
      },
    );
}

/** `/compare` and `/en/compare`: the comparison as a page for pasted text; without `ips`, the empty form. */
export function comparePageRoute(path: string, context: HttpContext) {
  return createRoutes().get(
    path,
    async ({ query, requestContext }) =>
      query.ips === undefined || query.ips.trim() === ""
        ? showForm(context, requestContext.language)
        : showComparison(context, requestContext, query.ips),
    {
      query: v.object({
        ips: pasted(
          `Up to ${MOST_COMPARED} addresses, as people paste them, of which ${MOST_CANDIDATES} may have no report yet; without it the empty form.`,
        ),
        lang,
      }),
      response: {
        200: page("The comparison, or the form.", { headers: ["Link"] }),
        302: empty("The same comparison under a short URL that can be bookmarked. Costs nothing.", {
          headers: ["Location"],
        }),
        ...problems("survey", "page"),
      },
      detail: operation("getComparePage"),
    },
  );
}

function showForm({ baseUrl: origin }: HttpContext, language: Language) {
  const rendered = renderComparePage({ reports: [], asked: [], problems: [], language, origin });
  return pageReply(rendered, {
    cacheControl: "public, max-age=300",
    languages: [language],
    headers: { link: linkHeader(language) },
  });
}

async function showComparison(context: HttpContext, requestContext: RequestContext, text: string) {
  const parts = readPasted(text);
  const candidates = parts.flatMap(({ asked, address }) =>
    address === undefined ? [] : [{ asked, address }],
  );
  const asked = parts.map((part) => part.asked);
  const askedOf = (wanted: PastedPart["kind"]) =>
    parts.flatMap((part) => (part.address === undefined && part.kind === wanted ? [part.asked] : []));
  const mistyped = askedOf(undefined).map(refuseText);
  const written = { asked, networks: askedOf("network"), ignored: askedOf("other") };
  const count = candidates.length;
  if (count > 0 && count <= MOST_COMPARED) {
    const location = comparePathOf(asked, requestContext.language);
    // What is written shorter in the request than in the path is compared at once.
    if (asked.join(",") !== text && location.length <= MAX_TARGET_LENGTH)
      return status(302, emptyReply({ headers: { location } }));
    const compared = await compareKnown(context, requestContext, candidates);
    return showCompared(context, requestContext, [...compared, ...mistyped], written);
  }
  const refused = takeLookup(context, requestContext);
  if (refused !== undefined) return refused;
  if (count === 0 && mistyped.length + written.networks.length > 0)
    return showCompared(context, requestContext, mistyped, written);
  const tooMany = { asked: text, problem: wrongCount({ reason: "too_many", count, most: MOST_COMPARED }) };
  const compared = [count === 0 ? refuseText(text) : tooMany];
  const typed = count === 0 ? text : asked.join("\n");
  return showCompared(context, requestContext, compared, { asked, typed });
}

/** The problem of a text that is no address. */
function refuseText(asked: string) {
  return { asked, problem: new HttpProblem("invalid_ip", { data: { input: asked } }) };
}

/** Compares addresses, of which only the first five without a report are looked up. */
async function compareKnown(
  context: HttpContext,
  requestContext: RequestContext,
  candidates: readonly { readonly asked: string; readonly address: Address }[],
): Promise<readonly Compared[]> {
  if (candidates.length <= MOST_CANDIDATES) return compareAddresses(context, requestContext, candidates);
  const fresh: string[] = [];
  for (const { asked, address } of candidates) {
    if (!isBogon(address) && (await context.findKnown(address)) === undefined) fresh.push(asked);
  }
  const excess = fresh.slice(MOST_CANDIDATES);
  const compared = await compareAddresses(
    context,
    requestContext,
    candidates.filter(({ asked }) => !excess.includes(asked)),
  );
  const problem = wrongCount({ reason: "too_many_new", most: MOST_CANDIDATES });
  return [...compared, ...excess.map((asked) => ({ asked, problem }))];
}

/** The problem of too many addresses, or of too many without a report. */
function wrongCount(data: Data): HttpProblem {
  return new HttpProblem("invalid_parameter", { data: { parameter: "ips", ...data } });
}

function showCompared(
  context: HttpContext,
  { language }: RequestContext,
  compared: readonly Compared[],
  written: Pick<ComparePageParts, "asked" | "networks" | "ignored" | "typed">,
) {
  const rendered = renderComparePage({
    reports: listReports(context, compared, language),
    problems: listProblems(compared, language),
    language,
    ...written,
  });
  const failure = findFailure(compared);
  const languages = [language];
  if (failure === undefined) return pageReply(rendered, { cacheControl: "private, no-cache", languages });
  const seconds = retryAfterSeconds(failure);
  const headers = seconds === undefined ? {} : { "retry-after": String(seconds) };
  // Every problem of a comparison has one of these statuses.
  return status(
    failure.status as FirstProblem,
    pageReply(rendered, { cacheControl: "no-store", languages, headers }),
  );
}

/** The first problem if there is no report at all. */
function findFailure(compared: readonly Compared[]): HttpProblem | undefined {
  if (compared.some((one) => "answer" in one)) return undefined;
  return compared.flatMap((one) => ("problem" in one ? [one.problem] : []))[0];
}

function listReports(context: HttpContext, compared: readonly Compared[], language: Language) {
  return compared.flatMap((one) => ("answer" in one ? [localizeAnswer(context, one.answer, language)] : []));
}

function listProblems(compared: readonly Compared[], language: Language) {
  return compared.flatMap((one) =>
    "problem" in one ? [{ asked: one.asked, problem: describeProblem(one.problem, language) }] : [],
  );
}
