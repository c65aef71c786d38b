import type { Answer } from "#lookup";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { noteOpenLeft } from "./note_open_left.ts";
import { openLookup, type Wish } from "./open_lookup.ts";

/** An answer, and what was asked. */
export interface Found<Wanted extends Wish> {
  readonly answer: Answer;
  readonly wish: Wanted;
}

/**
 * The one way from a request to an answer, shared by all shapes of a report; what memory holds is answered at once.
 * @throws {HttpProblem} for everything that is not an answer.
 */
export function lookUp<Wanted extends Wish>(
  deps: HttpDeps,
  exchange: Exchange,
  readWish: () => Wanted,
): Found<Wanted> | Promise<Found<Wanted>> {
  return noteOpenLeft(deps, exchange, () => {
    const { wish, request, settle } = openLookup(deps, exchange, readWish);
    const known = wish.refresh ? undefined : deps.findKnownNow?.(wish.address);
    if (known !== undefined) return { answer: known, wish };
    return deps.lookup(request, exchange.request.signal).then((result) => ({ answer: settle(result), wish }));
  });
}
