import type { Taken, Window } from "#gate";
import type { Admit } from "#lookup";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";

/** One request's dealings with the limits. Exempt clients pass, and no limit is shown to them. */
export interface Admission {
  /** Asked by the lookup, and only for the request that would start a survey. */
  readonly admitSurvey: Admit;
  /** A refused request spends nothing: the lookup it took is given back. */
  readonly refund: () => void;
}

/**
 * Takes one of the client's lookups.
 * @throws {HttpProblem} `rate_limited` when none is left.
 */
export function admit(deps: HttpDeps, exchange: Exchange): Admission {
  const { key, exempt } = exchange.client;
  if (exempt) return { admitSurvey: () => ({ admitted: true }), refund: () => {} };

  const { lookups, fresh } = deps.gate;
  const takenAt = deps.now();
  const taken = lookups.take(key, takenAt);
  note(exchange, "lookup", lookups, taken);
  if (!taken.admitted) throw rateLimited(lookups, taken.retryAfterMs);

  return {
    admitSurvey() {
      const started = fresh.take(key, deps.now());
      note(exchange, "new-ip", fresh, started);
      return started;
    },
    refund() {
      lookups.giveBack(key, takenAt);
      note(exchange, "lookup", lookups, lookups.peek(key, deps.now()));
    },
  };
}

/** The refusal of a window that is used up. */
export function rateLimited(window: Window, retryAfterMs: number): HttpProblem {
  return new HttpProblem("rate_limited", { data: { limit: window.limit }, retryAfterMs });
}

/** Writes down where a limit stands now; the latest word on a policy counts. */
function note(exchange: Exchange, policy: string, window: Window, taken: Taken): void {
  const limit = {
    policy,
    quota: window.limit,
    windowSeconds: Math.round(window.windowMs / 1000),
    remaining: taken.remaining,
    resetSeconds: Math.ceil((taken.admitted ? taken.resetMs : taken.retryAfterMs) / 1000),
  };
  const at = exchange.limits.findIndex((known) => known.policy === policy);
  if (at < 0) exchange.limits.push(limit);
  else exchange.limits[at] = limit;
}
