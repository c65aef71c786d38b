import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { SourceRun } from "#evidence";
import { type Upstream, UpstreamError } from "#upstream";
import { boundObservation } from "./bound_observation.ts";
import { classifyError } from "./classify_error.ts";
import { failedWith } from "./failed_with.ts";
import { markAgeing } from "./mark_ageing.ts";
import type { Source } from "./source.ts";

/** How asking a table ended. */
export type TableOutcome = Pick<SourceRun, "state" | "error" | "detail" | "observation">;

/** A table has nobody to ask. */
const NOBODY: Upstream = { http: refuse, a: refuse, aaaa: refuse, txt: refuse, ptr: refuse };
const NEVER = new AbortController().signal;

/**
 * Asks a table held by the process. No limit of time, no breaker and no budget: it answers at once, from memory.
 * Never rejects.
 */
export async function askTable(
  source: Source,
  address: Address,
  ports: { readonly datasets: Datasets; readonly now: () => number },
): Promise<TableOutcome> {
  try {
    const answer = await source.ask(address, { upstream: NOBODY, datasets: ports.datasets }, NEVER);
    const observation = source.read(answer, address);
    if (observation === undefined) return { state: "empty" };
    const bounded = boundObservation(markAgeing(observation, source, ports.now()));
    return bounded === undefined ? { state: "empty" } : { state: "answered", observation: bounded };
  } catch (error) {
    return failedWith(classifyError(error));
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new UpstreamError("unavailable", "a table asks nobody"));
}
