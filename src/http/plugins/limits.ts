import type { LimitState, RateState, RateWindow } from "#limits";
import type { Clients, Operation } from "../context.ts";
import { type Refusal, refuse } from "../problem.ts";
import type { RequestContext } from "./request_context.ts";

/**
 * Charges one of the client's lookups, or returns the refusal when none is left. Exempt clients are not charged and see
 * no limit.
 */
export function takeLookup(
  context: Clients & Operation,
  requestContext: RequestContext,
  takenAt: number = context.now(),
): Refusal<429> | undefined {
  const { key, exempt } = requestContext.client;
  if (exempt) return undefined;
  const { lookupWindow } = context;
  const taken = lookupWindow.take(key, takenAt);
  noteLimit(requestContext, stateOf(lookupWindow, taken));
  if (taken.admitted) return undefined;
  return refuse("rate_limited", {
    data: { reason: "lookups_per_minute", limit: lookupWindow.limit, ...contactOf(context) },
    retryAfterMs: taken.retryAfterMs,
  });
}

/** The contact of the operator, as a fact of a problem. */
export function contactOf({ contact }: Pick<Clients & Operation, "contact">): { readonly contact?: string } {
  return contact === undefined ? {} : { contact };
}

/** Refunds the lookup that was charged at `takenAt`, for a request that was refused after all. */
export function refundLookup(
  context: Clients & Operation,
  requestContext: RequestContext,
  takenAt: number,
): void {
  const { key, exempt } = requestContext.client;
  if (exempt) return;
  context.lookupWindow.refund(key, takenAt);
  showLookups(context, requestContext);
}

/** Notes how many lookups the client has left, without charging one. */
export function showLookups(context: Clients & Operation, requestContext: RequestContext): void {
  const { key, exempt } = requestContext.client;
  if (exempt) return;
  const { lookupWindow } = context;
  noteLimit(requestContext, stateOf(lookupWindow, lookupWindow.peek(key, context.now())));
}

/** Notes how many open lookups the client has left today. */
export async function showAllowance(
  { admissions }: Pick<Clients, "admissions">,
  requestContext: RequestContext,
): Promise<void> {
  requestContext.openLeft = await admissions.remaining(requestContext.client);
}

/** Notes the state of a limit; a later state of the same policy replaces it. */
export function noteLimit({ limits }: Pick<RequestContext, "limits">, limit: LimitState): void {
  const at = limits.findIndex((known) => known.policy === limit.policy);
  if (at < 0) limits.push(limit);
  else limits[at] = limit;
}

/** Writes the noted limits into the headers of an answer (draft-ietf-httpapi-ratelimit-headers-11). */
export function setLimitHeaders(headers: Headers, { limits, openLeft }: RequestContext): void {
  if (openLeft !== undefined) headers.set("x-open-budget-remaining", String(openLeft));
  if (limits.length === 0) return;
  headers.set(
    "ratelimit-policy",
    limits.map(({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`).join(", "),
  );
  headers.set(
    "ratelimit",
    limits
      .map(({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`)
      .join(", "),
  );
}

function stateOf(window: RateWindow, state: RateState): LimitState {
  return {
    policy: "lookup",
    quota: window.limit,
    windowSeconds: Math.round(window.windowMs / 1000),
    remaining: state.remaining,
    resetSeconds: Math.ceil((state.admitted ? state.resetMs : state.retryAfterMs) / 1000),
  };
}
