import type { Answer } from "#lookup";
import { lookUpCharged } from "./answer_report.ts";
import type { HttpContext } from "./context.ts";
import type { Candidate } from "./parameters.ts";
import { explainFailure } from "./plugins/errors.ts";
import { noteLimit, showAllowance, showLookups, takeLookup } from "./plugins/limits.ts";
import type { RequestContext } from "./plugins/request_context.ts";
import { HttpProblem } from "./problem.ts";

/** The result for one candidate. */
export type Compared =
  | { readonly asked: string; readonly answer: Answer }
  | { readonly asked: string; readonly problem: HttpProblem };

/**
 * Looks candidates up at the same time. Each costs one lookup, and allowance if its address is unknown. A refused
 * candidate does not affect the others.
 */
export async function compareAddresses(
  context: HttpContext,
  requestContext: RequestContext,
  candidates: readonly Candidate[],
): Promise<readonly Compared[]> {
  // Each candidate has its own list of limits. In a shared list, a refund of one would hide the charges of the others.
  const own = candidates.map((): RequestContext => ({ ...requestContext, limits: [] }));
  try {
    return await Promise.all(
      candidates.map((candidate, index) => lookUpCandidate(context, own[index] ?? requestContext, candidate)),
    );
  } finally {
    noteLeast(requestContext, own);
    showLookups(context, requestContext);
    await showAllowance(context, requestContext);
  }
}

/** Rejects only if the client disconnects. */
async function lookUpCandidate(
  context: HttpContext,
  requestContext: RequestContext,
  { asked, address }: Candidate,
): Promise<Compared> {
  const { signal } = requestContext.request;
  try {
    if (address === undefined) {
      const refused = takeLookup(context, requestContext);
      return {
        asked,
        problem: refused?.response ?? new HttpProblem("invalid_ip", { data: { input: asked } }),
      };
    }
    const { answer, refusal } = await lookUpCharged(
      context,
      requestContext,
      { address, refresh: false },
      signal,
    );
    return refusal === undefined ? { asked, answer } : { asked, problem: refusal.response };
  } catch (error) {
    if (signal.aborted) throw error;
    return { asked, problem: explainFailure(context, requestContext, error) };
  }
}

/** Notes the state of each limit; if a limit applied to several candidates, the state with the lowest rest. */
function noteLeast(requestContext: RequestContext, own: readonly RequestContext[]): void {
  for (const limit of own.flatMap(({ limits }) => limits)) {
    const known = requestContext.limits.find(({ policy }) => policy === limit.policy);
    if (known === undefined || limit.remaining <= known.remaining) noteLimit(requestContext, limit);
  }
}
