/**
 * How the world is asked: the only room with `fetch` and DNS. A world is opened once, a session per survey;
 * everything a session asks is bounded in number, time, bytes and depth, and ends with the session.
 */
export { askHealth } from "./ask_health.ts";
export { type Breaker, type BreakerState, createBreaker } from "./breaker.ts";
export { type Budget, type BudgetOptions, type BudgetTicket, createBudget } from "./budget.ts";
export type { BudgetBook, BudgetEntry, BudgetGrant } from "./budget_book.ts";
export type { DnsAnswer, HttpAnswer, HttpQuestion, Turn, Upstream } from "./upstream.ts";
export { UpstreamError, type UpstreamErrorKind } from "./upstream_error.ts";
export { createWorld, type UpstreamSession, type World, type WorldOptions } from "./world.ts";
