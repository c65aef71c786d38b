import type { Answer } from "#lookup";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { noteOpenLeft } from "./note_open_left.ts";
import { openLookup, type Wish } from "./open_lookup.ts";

/**
 * The one way from a request to an answer, shared by all shapes of a report; what memory holds is answered at once.
 * @throws {HttpProblem} for everything that is not an answer.
 */
export function lookUp(deps: HttpDeps, exchange: Exchange, readWish: () => Wish): Answer | Promise<Answer> {
  return noteOpenLeft(deps, exchange, () => {
    const { address, options, settle } = openLookup(deps, exchange, readWish);
    const known = options.refresh ? undefined : deps.hit?.(address);
    return known ?? deps.lookup(address, options, exchange.request.signal).then(settle);
  });
}
