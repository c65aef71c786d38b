/**
 * Outgoing HTTP and DNS: the only module with `fetch` and resolvers. One client lives as long as the process, one
 * session as long as a survey. Everything a session asks is bounded in number, time, bytes and depth.
 */
export { type Breaker, createBreaker } from "./breaker.ts";
export * from "./client.ts";
export {
  type BudgetRepository,
  createDailyBudget,
  type DailyBudget,
  type Reservation,
} from "./daily_budget.ts";
export { postMessage } from "./post_message.ts";
export { probeHealth } from "./probe_health.ts";
export {
  type DnsAnswer,
  type HttpAnswer,
  type HttpRequest,
  isDeadline,
  type Upstream,
  UpstreamError,
  type Waiter,
} from "./upstream.ts";
