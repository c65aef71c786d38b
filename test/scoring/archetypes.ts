/** Well-known kinds of address, each with typical answers of the sources. All facts about them are invented. */
import type { Listing, Observation, Survey } from "#evidence";
import ROWS from "../fixtures/archetypes.json";
import { CLEAN, listed, type ManifestId, makeSurvey, network, type Outcome } from "./surveys.ts";

export type ArchetypeId = keyof typeof ROWS;

/** What the sources of an archetype answer; `lines` by source, in place of what the other fields say. */
interface Row {
  readonly title: string;
  readonly address: string;
  /** What sources answer that are not named; "empty" if absent. */
  readonly rest?: Outcome;
  /** Number, name and country, in which all tables and registries agree. */
  readonly network?: [asn: number, name: string, country: string];
  /** What the vendor says. Flags that are not named are false. */
  readonly vendor?: Observation;
  /** The lists that the address is on, and what for. */
  readonly lists?: Partial<Record<ManifestId, Listing["meanings"]>>;
  readonly lines?: Partial<Record<ManifestId, Outcome>>;
}

function makeArchetype({ address, rest = "empty", network: net, vendor, lists = {}, lines }: Row): Survey {
  const said = Object.entries(lists).map(([id, meanings]) => [id, listed(id as ManifestId, ...meanings)]);
  const { flags, ...facts } = vendor ?? {};
  return makeSurvey(
    address,
    {
      ...(net && network(...net)),
      ...(vendor && { proxycheck: { flags: { ...CLEAN, ...flags }, ...facts } }),
      ...Object.fromEntries(said),
      ...lines,
    },
    rest,
  );
}

const rows = Object.entries(ROWS) as [ArchetypeId, Row][];
export const ARCHETYPES = Object.fromEntries(rows.map(([id, row]) => [id, makeArchetype(row)])) as Readonly<
  Record<ArchetypeId, Survey>
>; // one for each row
export const TITLES = Object.fromEntries(rows.map(([id, { title }]) => [id, title])) as Readonly<
  Record<ArchetypeId, string>
>; // one for each row
