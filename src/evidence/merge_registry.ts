import type { Registry } from "#report";
import { compareText } from "./compare_text.ts";
import type { Heard } from "./heard.ts";
import { joinFirst } from "./join_first.ts";
import { readCountry } from "./read_country.ts";

/** What the registration says, and the first country in it that is one. */
export interface RegistryEvidence {
  readonly registry?: Registry;
  readonly registered?: string;
}

/**
 * Joins what registries say, RDAP first. Others fill gaps only where they do not name another registry:
 * ARIN's RDAP has no country, and the block of one registry says nothing about that of another.
 */
export function mergeRegistry(heard: readonly Heard[]): RegistryEvidence {
  const words = heard
    .flatMap(({ run, said }) =>
      said.registry === undefined ? [] : [{ id: run.id, registry: said.registry }],
    )
    .toSorted((a, b) => rank(a.id) - rank(b.id) || compareText(a.id, b.id))
    .map((word) => word.registry);
  if (words.length === 0) return {};
  const rir = words.find((word) => word.rir !== undefined)?.rir;
  const same = words.filter((word) => word.rir === undefined || word.rir === rir);
  const registered = same.map((word) => readCountry(word.country)).find((country) => country !== undefined);
  return { registry: joinFirst(same), ...(registered === undefined ? {} : { registered }) };
}

function rank(id: string): number {
  return id === "rdap" ? 0 : 1;
}
