import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { SourceRun, Survey } from "#evidence";
import { askTable } from "./ask_table.ts";
import { describeRun } from "./describe_run.ts";
import type { Source } from "./source.ts";

/**
 * Makes a survey of the tables alone, for judging many addresses: what a survey with live sources off says, without
 * the sources that are not asked. `off` = ids of sources and zones left out. The survey never rejects.
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
