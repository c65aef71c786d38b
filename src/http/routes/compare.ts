import { type AnyElysia, Elysia } from "elysia";
import { findPastedAddresses } from "#address";
import { renderComparePage } from "#render";
import type { Language, Problem } from "#report";
import { takeLookup } from "../admit.ts";
import { type Candidate, compareAddresses } from "../compare_addresses.ts";
import { ComparePageQuerySchema } from "../contract.ts";
import type { Exchange } from "../exchange.ts";
import type { HttpDeps } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { jsonReply } from "../json_reply.ts";
import { listLinks } from "../list_links.ts";
import { pageReply } from "../page_reply.ts";
import { MOST_CANDIDATES, readCandidates, wrongCount } from "../read_candidates.ts";
import { readQuery } from "../read_query.ts";
import type { Reply } from "../reply.ts";
import { retryAfterOf, toProblem } from "../say_http_problem.ts";
import { mount } from "../serve.ts";
import { speakAnswer } from "../speak_answer.ts";

/**
 * `/api/compare?ips=a,b` for programs, `/compare?ips=` and `/en/compare` for people, who may paste anything. Each
 * address costs what it costs alone; a malformed request costs one lookup. As long as there is one report the answer is
 * 200 and the others are told beside it; without any it has the status of the first problem.
 */
export function compareRoutes(deps: HttpDeps): AnyElysia {
  return new Elysia({ name: "routes/compare" })
    .use(mount(deps, "/api/compare", (exchange) => answerProgram(deps, exchange)))
    .use(mount(deps, "/compare", (exchange) => answerPerson(deps, exchange)))
    .use(mount(deps, "/en/compare", (exchange) => answerPerson(deps, exchange)));
}

async function answerProgram(deps: HttpDeps, exchange: Exchange): Promise<Reply> {
  const candidates = await compareAddresses(deps, exchange, chargeIfWrong(deps, exchange, readForProgram));
  const first = findFailure(candidates);
  if (first !== undefined) throw first;
  const { language } = exchange;
  return jsonReply(200, "private, no-cache", {
    reports: listReports(deps, candidates, language),
    problems: listProblems(candidates, language).map(({ asked, problem }) => ({ ip: asked, problem })),
  });
}

function readForProgram({ query }: Exchange): readonly string[] {
  return readCandidates(readQuery(query, ComparePageQuerySchema).ips ?? "");
}

async function answerPerson(deps: HttpDeps, exchange: Exchange): Promise<Reply> {
  const { language } = exchange;
  const { ips } = chargeIfWrong(deps, exchange, ({ query }) => readQuery(query, ComparePageQuerySchema));
  if (ips === undefined || ips.trim() === "") return showForm(deps, language);
  const asked = findPastedAddresses(ips).map(({ text }) => text);
  if (asked.length === 0 || asked.length > MOST_CANDIDATES) {
    takeLookup(deps, exchange);
    const problem =
      asked.length === 0 ? new HttpProblem("invalid_ip", { data: { input: ips } }) : wrongCount(1);
    return showCandidates(deps, language, asked, [{ asked: ips, problem }]);
  }
  return showCandidates(deps, language, asked, await compareAddresses(deps, exchange, asked));
}

function showForm(deps: HttpDeps, language: Language): Reply {
  const page = renderComparePage({ reports: [], asked: [], problems: [], language, origin: deps.baseUrl });
  const headers = { link: listLinks(language) };
  return pageReply(page, { status: 200, keeping: "public, max-age=300", headers });
}

function showCandidates(
  deps: HttpDeps,
  language: Language,
  asked: readonly string[],
  candidates: readonly Candidate[],
): Reply {
  const page = renderComparePage({
    reports: listReports(deps, candidates, language),
    problems: listProblems(candidates, language),
    asked,
    language,
  });
  const failure = findFailure(candidates);
  if (failure === undefined) return pageReply(page, { status: 200, keeping: "private, no-cache" });
  const wait = retryAfterOf(failure);
  const headers = wait === undefined ? {} : { "retry-after": String(wait) };
  return pageReply(page, { status: failure.status, keeping: "no-store", headers });
}

/** What is asked for wrongly costs one lookup, as everywhere. */
function chargeIfWrong<Result>(
  deps: HttpDeps,
  exchange: Exchange,
  read: (exchange: Exchange) => Result,
): Result {
  try {
    return read(exchange);
  } catch (error) {
    takeLookup(deps, exchange);
    throw error;
  }
}

/** The first problem, where there is no report at all. */
function findFailure(candidates: readonly Candidate[]): HttpProblem | undefined {
  if (candidates.some((candidate) => "answer" in candidate)) return undefined;
  return candidates.flatMap((candidate) => ("problem" in candidate ? [candidate.problem] : []))[0];
}

function listReports(deps: HttpDeps, candidates: readonly Candidate[], language: Language) {
  return candidates.flatMap((candidate) =>
    "answer" in candidate ? [speakAnswer(deps, candidate.answer, language)] : [],
  );
}

function listProblems(
  candidates: readonly Candidate[],
  language: Language,
): readonly { readonly asked: string; readonly problem: Problem }[] {
  return candidates.flatMap((candidate) =>
    "problem" in candidate
      ? [{ asked: candidate.asked, problem: toProblem(candidate.problem, language) }]
      : [],
  );
}
