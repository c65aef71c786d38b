import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { SourceRun, Survey } from "#evidence";
import { type Upstream, UpstreamError } from "#upstream";
import { answered, classifyError, failed, type Outcome } from "./outcome.ts";
import { describeRun, type Source } from "./source.ts";

const NO_NETWORK: Upstream = { http: refuse, a: refuse, aaaa: refuse, txt: refuse, ptr: refuse };
const NEVER_ABORTED = new AbortController().signal;

/**
 * Creates a function that asks the tables only, for surveys of many addresses. It returns the same runs as a survey
 * with live sources off, without the runs of skipped sources. `off` = ids of sources and zones that are turned off.
 * Never rejects.
 */
export function createTableSurvey(
  sources: readonly Source[],
  ports: { readonly datasets: Datasets; readonly off: ReadonlySet<string>; readonly now: () => number },
): (address: Address) => Promise<Survey> {
  const tables = sources
    .filter(({ id, local, zone }) => local === true && !ports.off.has(id) && !ports.off.has(zone?.id ?? id))
    .map((source) => ({ source, head: { ...describeRun(source), ms: 0 } }));
  return async (address) => {
    const runs: SourceRun[] = [];
    for (const { source, head } of tables) {
      if (!source.versions.includes(address.version)) continue;
      runs.push(Object.assign({ ...head }, await askTable(source, address, ports)));
    }
    return {
      address: address.text,
      version: address.version,
      surveyedAt: new Date(ports.now()).toISOString(),
      runs,
    };
  };
}

/** Asks a table, which answers from memory: no time limit, circuit breaker or budget. Never rejects. */
export async function askTable(
  source: Source,
  address: Address,
  ports: { readonly datasets: Datasets; readonly now: () => number },
): Promise<Outcome> {
  try {
    const answer = await source.ask(
      address,
      { upstream: NO_NETWORK, datasets: ports.datasets },
      NEVER_ABORTED,
    );
    return answered(source.read(answer, address), source, ports.now());
  } catch (error) {
    return failed(classifyError(error));
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new UpstreamError("unavailable", "a table must not use the network"));
}
