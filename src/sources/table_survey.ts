import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { SourceRun, Survey } from "#evidence";
import { type Upstream, UpstreamError } from "#upstream";
import { answered, classifyError, failed, type Outcome } from "./outcome.ts";
import { describeRun, type Source } from "./source.ts";
import { createTableKeys, type TableKeys } from "./table_keys.ts";

const NO_NETWORK: Upstream = { http: refuse, a: refuse, aaaa: refuse, txt: refuse, ptr: refuse };
const NEVER_ABORTED = new AbortController().signal;

/** Surveys that ask the tables only. */
export interface TableSurvey extends TableKeys {
  /** Asks all tables about an address. Never throws. */
  survey(address: Address): Survey;
}

/**
 * Creates the surveys of many addresses that ask the tables only. They have the same runs as a survey with live sources
 * off, without the runs of skipped sources. `off` = ids of sources and zones that are turned off.
 */
export function createTableSurvey(
  sources: readonly Source[],
  ports: { readonly datasets: Datasets; readonly off: ReadonlySet<string>; readonly now: () => number },
): TableSurvey {
  const tables = sources
    .filter(({ id, local, zone }) => local === true && !ports.off.has(id) && !ports.off.has(zone?.id ?? id))
    .map((source) => ({ source, head: { ...describeRun(source), ms: 0 } }));
  return {
    ...createTableKeys(
      tables.map(({ source }) => source.id),
      ports,
    ),
    survey(address) {
      const runs: SourceRun[] = [];
      for (const { source, head } of tables) {
        if (!source.versions.includes(address.version)) continue;
        runs.push(Object.assign({ ...head }, askTable(source, address, ports)));
      }
      return {
        address: address.text,
        version: address.version,
        surveyedAt: new Date(ports.now()).toISOString(),
        runs,
      };
    },
  };
}

/** Asks a table, which answers from memory: no time limit, circuit breaker or budget. Never throws. */
export function askTable(
  source: Source,
  address: Address,
  ports: { readonly datasets: Datasets; readonly now: () => number },
): Outcome {
  try {
    const answer = source.ask(address, { upstream: NO_NETWORK, datasets: ports.datasets }, NEVER_ABORTED);
    if (answer instanceof Promise) throw new UpstreamError("shape", "a table must answer at once");
    return answered(source.read(answer, address), source, ports.now());
  } catch (error) {
    return failed(classifyError(error));
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new UpstreamError("unavailable", "a table must not use the network"));
}
