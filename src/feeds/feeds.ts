import * as v from "valibot";
import type { RangeInfo } from "#datasets";
import {
  type Feed,
  type FeedFile,
  type ListRow,
  ListRowSchema,
  type NetworkReader,
  type RangeReader,
  type TableFeed,
} from "./feed.ts";
import { countVoices, readAsnDrop, readCounted, readDrop, readFeodo } from "./lists/blocklists.ts";
import { readAws, readAzure, readGithubMeta, readVultr } from "./lists/clouds.ts";
import { dbipCity } from "./lists/dbip_city.ts";
import { geofeeds } from "./lists/geofeeds.ts";
import { iptoasn } from "./lists/iptoasn.ts";
import { readAsMetadata, readAsTags, readPeeringdb } from "./lists/networks.ts";
import { readProxies, readProxyExits } from "./lists/open_proxies.ts";
import { readCrawlerRanges, readGeofeed, readJsonAddresses, readPlainList } from "./lists/readers.ts";
import { rirDelegated } from "./lists/rir_delegated.ts";
import { readConsensus, readExitScan } from "./lists/tor.ts";
import { readGluetun, readPia, readWlvpn } from "./lists/vpn_servers.ts";
import rows from "./lists.json" with { type: "json" };

/** The readers of lists of addresses, by format. The first four serve many lists, the others one. */
const RANGE_READERS = new Map<string, RangeReader>([
  ["plain", readPlainList],
  ["geofeed", readGeofeed],
  ["crawler_ranges", readCrawlerRanges],
  ["json", readJsonAddresses],
  ["tor_exit_scan", readExitScan],
  ["tor_consensus", readConsensus],
  ["aws", readAws],
  ["azure", readAzure],
  ["vultr", readVultr],
  ["github_meta", readGithubMeta],
  ["drop", readDrop],
  ["pia", readPia],
  ["wlvpn", readWlvpn],
  ["gluetun", readGluetun],
  ["proxy_exits", readProxyExits],
  ["proxies", readProxies],
  ["counted", readCounted],
  ["feodo", readFeodo],
]);

const NETWORK_READERS = new Map<string, NetworkReader>([
  ["asn_drop", readAsnDrop],
  ["as_tags", readAsTags],
  ["peeringdb", readPeeringdb],
  ["as_metadata", readAsMetadata],
]);

const HOUR_MS = 3_600_000;

/** Makes the feed of a row of `lists.json`. @throws when the row has a wrong field or an unknown format. */
function readRow(value: unknown): Feed {
  const row = v.parse(ListRowSchema, value);
  const { about: _, format, cadenceHours, expiresHours, maxContentAgeHours, ...list } = row;
  const infos = list.files.flatMap((file): RangeInfo | [] => {
    const meaning = file.meaning ?? list.meaning;
    const label = file.label ?? list.label;
    return meaning === undefined ? [] : { meaning, ...(label === undefined ? {} : { label }) };
  });
  return {
    ...list,
    files: list.files.map(readFile),
    meanings: list.meanings ?? [...new Set(infos.map((info) => info.meaning))],
    cadenceMs: cadenceHours * HOUR_MS,
    ...(expiresHours === undefined ? {} : { expiresMs: expiresHours * HOUR_MS }),
    ...(maxContentAgeHours === undefined ? {} : { maxContentAgeMs: maxContentAgeHours * HOUR_MS }),
    ...(format === "counted" ? { countVoices } : {}),
    parse: findParser(row, infos),
  };
}

function findParser(row: ListRow, infos: readonly RangeInfo[]): Feed["parse"] {
  const readNetworks = NETWORK_READERS.get(row.format);
  if (readNetworks !== undefined) return (content, sink) => readNetworks(content, sink, row);
  const readRanges = RANGE_READERS.get(row.format);
  const [first] = infos;
  if (readRanges === undefined || first === undefined)
    throw new Error(`Cannot read the list "${row.id}": it has no known format or no meaning`);
  return (content, sink) => readRanges(content, sink, infos[content.index] ?? first, row);
}

function readFile({ find, ...file }: ListRow["files"][number]): FeedFile {
  if (find === undefined) return file;
  /** Finds the link on a page whose text in the group of the pattern is the last in order. */
  const findLink = (page: string) => {
    const links = [...page.matchAll(new RegExp(find, "g"))].map(([url, text = ""]) => ({ url, text }));
    return links.sort((a, b) => b.text.localeCompare(a.text))[0]?.url;
  };
  return { ...file, find: findLink };
}

/** All lists that are downloaded, in the order of the report. */
export const FEEDS: readonly Feed[] = rows.map(readRow);

export const TABLE_FEEDS: readonly TableFeed[] = [iptoasn, rirDelegated, dbipCity, geofeeds];
