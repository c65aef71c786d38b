import type { LimitState, Refusal, Taken, Window } from "#gate";
import type { Admit } from "#lookup";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";

/** The policies of the open allowance, which is given back where nobody live answered. */
const OPEN_POLICIES: ReadonlySet<LimitState["policy"]> = new Set(["open-minute", "open-day"]);

/**
 * Takes one of the client's lookups. Exempt clients pass, and no limit is shown to them.
 * @returns what gives it back, for a request that is refused after all: that spends nothing.
 * @throws {HttpProblem} `rate_limited` when none is left.
 */
export function takeLookup(deps: HttpDeps, exchange: Exchange): () => void {
  const { key, exempt } = exchange.client;
  if (exempt) return () => {};

  const { lookups } = deps.gate;
  const takenAt = deps.now();
  const taken = lookups.take(key, takenAt);
  note(exchange, stateOf(lookups, taken));
  if (!taken.admitted) {
    throw new HttpProblem("rate_limited", {
      data: { reason: "lookups_per_minute", limit: lookups.limit },
      retryAfterMs: taken.retryAfterMs,
    });
  }
  return () => {
    lookups.giveBack(key, takenAt);
    note(exchange, stateOf(lookups, lookups.peek(key, deps.now())));
  };
}

/** Notes where the client's lookups stand by now; takes none. Nothing for exempt clients. */
export function peekLookups(deps: HttpDeps, exchange: Exchange): void {
  const { key, exempt } = exchange.client;
  if (exempt) return;
  const { lookups } = deps.gate;
  note(exchange, stateOf(lookups, lookups.peek(key, deps.now())));
}

/** A request's asking for a survey, and why it was refused, if it was. */
export interface SurveyAsking {
  readonly admit: Admit;
  readonly refusal: () => Refusal | undefined;
}

/** Prepares to ask for leave to start a survey; asked by the lookup, and only for the request that would start one. */
export function askForSurvey(
  deps: HttpDeps,
  exchange: Exchange,
  wish: { readonly kind: "new-ip" | "refresh"; readonly pass?: string },
): SurveyAsking {
  let refusal: Refusal | undefined;
  return {
    async admit() {
      const leave = await deps.admissions.ask({ client: exchange.client, ...wish });
      for (const limit of leave.limits) note(exchange, limit);
      if (!leave.admitted) {
        refusal = leave.refusal;
        return { admitted: false };
      }
      return {
        admitted: true,
        giveBack() {
          leave.giveBack();
          forget(exchange, OPEN_POLICIES);
        },
      };
    },
    refusal: () => refusal,
  };
}

function note(exchange: Exchange, limit: LimitState): void {
  const at = exchange.limits.findIndex((known) => known.policy === limit.policy);
  if (at < 0) exchange.limits.push(limit);
  else exchange.limits[at] = limit;
}

function forget({ limits }: Exchange, policies: ReadonlySet<LimitState["policy"]>): void {
  const kept = limits.filter(({ policy }) => !policies.has(policy));
  limits.splice(0, limits.length, ...kept);
}

function stateOf(window: Window, taken: Taken): LimitState {
  return {
    policy: "lookup",
    quota: window.limit,
    windowSeconds: Math.round(window.windowMs / 1000),
    remaining: taken.remaining,
    resetSeconds: Math.ceil((taken.admitted ? taken.resetMs : taken.retryAfterMs) / 1000),
  };
}
