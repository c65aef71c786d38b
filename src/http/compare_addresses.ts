import type { Answer } from "#lookup";
import { peekLookups } from "./admit.ts";
import type { Exchange } from "./exchange.ts";
import { explainFailure } from "./explain_failure.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import { noteOpenLeft } from "./note_open_left.ts";
import { openLookup } from "./open_lookup.ts";
import { readAddress } from "./read_address.ts";

/** What became of one candidate. */
export type Candidate =
  | { readonly asked: string; readonly answer: Answer }
  | { readonly asked: string; readonly problem: HttpProblem };

/**
 * Looks candidates up, all at once: each costs a lookup and, if it is unknown, allowance, as if it were asked for
 * alone. One that is refused does not lose the others.
 */
export function compareAddresses(
  deps: HttpDeps,
  exchange: Exchange,
  asked: readonly string[],
): Promise<readonly Candidate[]> {
  return noteOpenLeft(deps, exchange, async () => {
    // Each notes its own limits, so that what one gives back does not hide what the others paid.
    const exchanges = asked.map((): Exchange => ({ ...exchange, limits: [] }));
    const candidates = await Promise.all(
      exchanges.map((own, index) => lookUpOne(deps, own, asked[index] ?? "")),
    );
    mergeLimits(exchange, exchanges);
    peekLookups(deps, exchange);
    return candidates;
  });
}

/** @throws only when the caller has left. */
async function lookUpOne(deps: HttpDeps, exchange: Exchange, asked: string): Promise<Candidate> {
  try {
    const { request, settle } = openLookup(deps, exchange, () => ({
      address: readAddress(asked),
      refresh: false,
    }));
    return { asked, answer: settle(await deps.lookup(request, exchange.request.signal)) };
  } catch (error) {
    if (!(error instanceof HttpProblem) && exchange.request.signal.aborted) throw error;
    return { asked, problem: explainFailure(deps, exchange, error) };
  }
}

/** Of a limit that several met, the least that is left. */
function mergeLimits({ limits }: Exchange, exchanges: readonly Exchange[]): void {
  for (const limit of exchanges.flatMap((own) => own.limits)) {
    const at = limits.findIndex(({ policy }) => policy === limit.policy);
    if (at < 0) limits.push(limit);
    else if (limit.remaining <= (limits[at]?.remaining ?? 0)) limits[at] = limit;
  }
}
