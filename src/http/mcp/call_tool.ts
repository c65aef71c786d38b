import type { Exchange } from "../exchange.ts";
import { explainFailure } from "../explain_failure.ts";
import type { HttpDeps } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { languageOf } from "./read_arguments.ts";
import type { Members } from "./read_message.ts";
import { INVALID_PARAMS, RpcError } from "./rpc_error.ts";
import { refusalOf, sayRefusal } from "./say_refusal.ts";
import type { Tool, ToolResult } from "./tool.ts";

/**
 * Calls a tool. What it cannot do is a result that says so, for the model to read and act upon.
 * @throws {RpcError} for a tool that there is not, and whatever the lookup throws when the caller has left.
 */
export async function callTool(
  deps: Pick<HttpDeps, "log">,
  tools: readonly Tool[],
  exchange: Exchange,
  name: string,
  args: Members,
): Promise<ToolResult> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) {
    const known = tools.map(({ definition }) => definition.name).join(", ");
    throw new RpcError(200, INVALID_PARAMS, `Cannot call tool: there are only ${known}`);
  }
  const spoken: Exchange = { ...exchange, language: languageOf(args) ?? exchange.language };
  try {
    return await tool.call(spoken, args);
  } catch (error) {
    if (!(error instanceof HttpProblem) && exchange.request.signal.aborted) throw error;
    return sayRefusal(refusalOf(explainFailure(deps, spoken, error), spoken.language), spoken.language);
  } finally {
    if (spoken.openLeft !== undefined) exchange.openLeft = spoken.openLeft;
  }
}
