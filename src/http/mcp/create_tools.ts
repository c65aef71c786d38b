import type { HttpDeps } from "../http_deps.ts";
import { compareTool } from "./compare_tool.ts";
import { factorTool } from "./factor_tool.ts";
import { limitsTool } from "./limits_tool.ts";
import { lookupTool } from "./lookup_tool.ts";
import type { Tool } from "./tool.ts";

/**
 * Every tool, in the order in which they are listed. None tells the caller's address: behind a hosted model that would
 * be the model's, and be taken for the person's.
 */
export function createTools(deps: HttpDeps): readonly Tool[] {
  return [lookupTool(deps), compareTool(deps), factorTool(deps), limitsTool(deps)];
}
