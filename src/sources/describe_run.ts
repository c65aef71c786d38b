import type { SourceRun } from "#evidence";
import type { Source } from "./source.ts";

/** What a run says of its source, however it ends. */
export function describeRun(
  source: Source,
): Pick<SourceRun, "id" | "name" | "kind" | "family" | "matters" | "weight" | "local" | "zone"> {
  return {
    id: source.id,
    name: source.name,
    kind: source.kind,
    family: source.family,
    matters: source.matters,
    weight: source.weight,
    local: source.local === true,
    ...(source.zone === undefined ? {} : { zone: source.zone }),
  };
}
