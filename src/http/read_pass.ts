import type { Pass } from "#verification";
import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";

/** The visitor's pass, or undefined without a valid one. */
export function readPass(deps: Pick<HttpDeps, "passes">, { request }: Exchange): Pass | undefined {
  return deps.passes.read(request.headers.get("cookie"));
}
