import type { Pace } from "#concurrency";
import {
  type Datasets,
  formatAsnRow,
  formatPlaceRow,
  type ListEntry,
  openDatasets,
  parseListEntries,
  readTable,
  TABLE_DECODERS,
  type TableId,
} from "#datasets";
import { createTableClassifier } from "#lookup";
import { createNetworks, type Networks } from "#network";
import { createTableSurvey, NO_SETTINGS, SOURCES } from "#sources";
import { compileRows } from "../datasets/kit.ts";

/** Ranges of each table, as prefix and value. */
export interface SmallTables {
  readonly asn?: readonly (readonly [prefix: string, asn: number, name: string])[];
  readonly registration?: readonly (readonly [prefix: string, country: string])[];
  readonly country?: readonly (readonly [prefix: string, country: string])[];
  readonly geofeed?: readonly (readonly [prefix: string, country: string, city?: string])[];
  readonly lists?: readonly (readonly [prefix: string, entry: ListEntry])[];
}

const NOW = Date.parse("2026-06-18T00:00:00Z");

/** Opens the tables; a table without rows is not there. The lists are ready, except those named in `missing`. */
export function openSmall(tables: SmallTables, missing: readonly string[] = []): Datasets {
  const texts: Partial<Record<TableId, readonly (readonly [string, string])[]>> = {
    ...(tables.asn === undefined
      ? {}
      : { asn: tables.asn.map(([prefix, asn, name]) => [prefix, formatAsnRow({ asn, name })] as const) }),
    ...(tables.registration === undefined ? {} : { registration: tables.registration }),
    ...(tables.country === undefined ? {} : { country: tables.country }),
    ...(tables.geofeed === undefined
      ? {}
      : {
          geofeed: tables.geofeed.map(([prefix, country, city]) => [
            prefix,
            formatPlaceRow({ country, ...(city === undefined ? {} : { city }) }),
          ]),
        }),
  };
  const open = <Id extends TableId>(id: Id) => {
    const rows = texts[id];
    if (rows === undefined) return undefined;
    const decode: (text: string) => never = TABLE_DECODERS[id] as never;
    return readTable(compileRows(id, rows), `${id}.table`, { id, decode });
  };
  const opened = { asn: open("asn"), registration: open("registration"), country: open("country") };
  const all = { ...opened, city: undefined, geofeed: open("geofeed") };
  const lists = readTable(
    compileRows(
      "lists",
      (tables.lists ?? []).map(([prefix, entry]) => [prefix, JSON.stringify([entry])] as const),
    ),
    "lists.table",
    { id: "lists", decode: parseListEntries },
  );
  return openDatasets({
    directory: "/nonexistent/seed",
    feeds: {
      lists: (address) => lists.find(address),
      listTables: () => [{ table: lists, isUsed: () => true }],
      asClasses: () => undefined,
      table: (id) => all[id] as never,
      isPartial: () => false,
      revision: () => 1,
      state: (id) => ({
        id,
        ready: !missing.includes(id),
        freshness: missing.includes(id) ? "absent" : "fresh",
        date: "2026-06-17",
      }),
    },
  });
}

/** Lists of the tests, by id. */
export const LISTS = [
  { id: "tor_exits", name: "Tor bulk exit list", meanings: ["tor_exit"] },
  { id: "x4bnet_vpn", name: "X4BNet VPN", meanings: ["vpn"] },
  { id: "blocklist_de", name: "blocklist.de", meanings: ["abuse"] },
  { id: "aws", name: "AWS", meanings: ["hosting"] },
] as const;

/** The summaries of these tables, with a pace as in a service or without. */
export function openNetworks(datasets: Datasets, pace?: Pace): Networks {
  const survey = createTableSurvey(SOURCES, { datasets, settings: NO_SETTINGS, now: () => NOW });
  return createNetworks({
    datasets,
    classifier: createTableClassifier(survey),
    lists: LISTS,
    version: survey.version,
    ...(pace === undefined ? {} : { pace }),
  });
}
