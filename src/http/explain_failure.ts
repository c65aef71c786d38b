import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";

/** The problem that is told for whatever was thrown; what is none of ours goes to the log and tells nothing. */
export function explainFailure(
  deps: Pick<HttpDeps, "log">,
  exchange: Pick<Exchange, "id">,
  error: unknown,
): HttpProblem {
  if (error instanceof HttpProblem) return error;
  deps.log("error", "request_failed", { requestId: exchange.id, ...describe(error) });
  return new HttpProblem("internal", { data: { requestId: exchange.id } });
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { name: error.name, message: error.message, stack: error.stack };
}
