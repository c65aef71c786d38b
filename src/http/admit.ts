import type { LimitState, RateState, RateWindow } from "#limits";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";

/**
 * Takes one of the client's lookups. Exempt clients pass, and no limit is shown to them.
 * @returns what gives it back, for a request that is refused after all: that spends nothing.
 * @throws {HttpProblem} `rate_limited` when none is left.
 */
export function takeLookup(deps: HttpDeps, exchange: Exchange): () => void {
  const { key, exempt } = exchange.client;
  if (exempt) return () => {};

  const { lookups } = deps.clientLimits;
  const takenAt = deps.now();
  const taken = lookups.take(key, takenAt);
  noteLimit(exchange, stateOf(lookups, taken));
  if (!taken.admitted) {
    throw new HttpProblem("rate_limited", {
      data: { reason: "lookups_per_minute", limit: lookups.limit },
      retryAfterMs: taken.retryAfterMs,
    });
  }
  return () => {
    lookups.refund(key, takenAt);
    noteLimit(exchange, stateOf(lookups, lookups.peek(key, deps.now())));
  };
}

/** Notes where the client's lookups stand by now; takes none. Nothing for exempt clients. */
export function peekLookups(deps: HttpDeps, exchange: Exchange): void {
  const { key, exempt } = exchange.client;
  if (exempt) return;
  const { lookups } = deps.clientLimits;
  noteLimit(exchange, stateOf(lookups, lookups.peek(key, deps.now())));
}

/** Writes down where a limit stands; the latest state of a policy counts. */
export function noteLimit(exchange: Exchange, limit: LimitState): void {
  const at = exchange.limits.findIndex((known) => known.policy === limit.policy);
  if (at < 0) exchange.limits.push(limit);
  else exchange.limits[at] = limit;
}

function stateOf(window: RateWindow, taken: RateState): LimitState {
  return {
    policy: "lookup",
    quota: window.limit,
    windowSeconds: Math.round(window.windowMs / 1000),
    remaining: taken.remaining,
    resetSeconds: Math.ceil((taken.admitted ? taken.resetMs : taken.retryAfterMs) / 1000),
  };
}
