import * as v from "valibot";
import { LIST_MEANINGS, type RangeInfo } from "#datasets";
import type { Feed, TableFeed } from "./feed.ts";
import { asMetadata } from "./lists/as_metadata.ts";
import { aws } from "./lists/aws.ts";
import { azure } from "./lists/azure.ts";
import { bgpToolsTags } from "./lists/bgp_tools_tags.ts";
import { databayProxies } from "./lists/databay_proxies.ts";
import { dbipCity } from "./lists/dbip_city.ts";
import { feodo } from "./lists/feodo.ts";
import { fireholLevel1 } from "./lists/firehol_level1.ts";
import { geofeeds } from "./lists/geofeeds.ts";
import { githubActions } from "./lists/github_actions.ts";
import { gluetunServers } from "./lists/gluetun_servers.ts";
import { ipsum } from "./lists/ipsum.ts";
import { iptoasn } from "./lists/iptoasn.ts";
import { monosansProxies } from "./lists/monosans_proxies.ts";
import { peeringdb } from "./lists/peeringdb.ts";
import { pia } from "./lists/pia.ts";
import { readCrawlerRanges, readGeofeed, readJsonAddresses, readPlainList } from "./lists/readers.ts";
import { rirDelegated } from "./lists/rir_delegated.ts";
import { spamhausAsndrop } from "./lists/spamhaus_asndrop.ts";
import { spamhausDrop } from "./lists/spamhaus_drop.ts";
import { torExitAddresses } from "./lists/tor_exit_addresses.ts";
import { torNodes } from "./lists/tor_nodes.ts";
import { vultr } from "./lists/vultr.ts";
import { wlvpn } from "./lists/wlvpn.ts";
import rows from "./lists.json" with { type: "json" };

/** Lists with a reader of their own. */
const OWN: readonly Feed[] = [
  torExitAddresses,
  torNodes,
  aws,
  azure,
  vultr,
  githubActions,
  spamhausDrop,
  spamhausAsndrop,
  pia,
  wlvpn,
  gluetunServers,
  monosansProxies,
  databayProxies,
  ipsum,
  fireholLevel1,
  feodo,
  bgpToolsTags,
  peeringdb,
  asMetadata,
];

const meaning = v.picklist(LIST_MEANINGS);
const text = v.exactOptional(v.string());
const texts = v.exactOptional(v.array(v.string()));
const number = v.exactOptional(v.number());
const flag = v.exactOptional(v.literal(true));

/**
 * A row of `lists.json`: fields of a {@link Feed}, with periods in hours. `format` is how its files are read. `meaning`
 * and `label` are what an entry means, unless a file has its own. `paths` and `datePath` are those of {@link readJsonAddresses}.
 */
const ListSchema = v.strictObject({
  id: v.string(),
  name: v.string(),
  about: v.string(),
  family: v.string(),
  licence: v.string(),
  attribution: text,
  homepage: v.string(),
  delistUrl: text,
  files: v.array(
    v.strictObject({
      url: v.string(),
      maxBytes: v.number(),
      contentTypes: texts,
      unpackedBytes: number,
      redirects: number,
      optional: flag,
      meaning: v.exactOptional(meaning),
      label: text,
    }),
  ),
  hosts: texts,
  format: v.picklist(["plain", "geofeed", "crawler_ranges", "json"]),
  paths: texts,
  datePath: text,
  meaning,
  label: text,
  within: texts,
  needsContact: flag,
  noncommercial: flag,
  authority: flag,
  complete: v.exactOptional(v.array(v.picklist([4, 6]))),
  yieldsTo: texts,
  cadenceHours: v.number(),
  expiresHours: number,
  minRows: v.number(),
  maxRows: v.number(),
  maxShrink: number,
  maxGrow: number,
});

const HOUR_MS = 3_600_000;

/** Makes the feed of a row. A row that is only an id is the place of a list with a reader of its own. */
function readRow(row: unknown): Feed {
  if (typeof row === "string") {
    const own = OWN.find(({ id }) => id === row);
    if (own === undefined) throw new Error(`Cannot find the reader of the list "${row}"`);
    return own;
  }
  const {
    about: _,
    format,
    paths = [],
    datePath,
    cadenceHours,
    expiresHours,
    ...list
  } = v.parse(ListSchema, row);
  const infos = list.files.map((file): RangeInfo => {
    const label = file.label ?? list.label;
    return { meaning: file.meaning ?? list.meaning, ...(label === undefined ? {} : { label }) };
  });
  return {
    ...list,
    meanings: [...new Set(infos.map((info) => info.meaning))],
    cadenceMs: cadenceHours * HOUR_MS,
    ...(expiresHours === undefined ? {} : { expiresMs: expiresHours * HOUR_MS }),
    parse(content, sink) {
      const info = infos[content.index] ?? { meaning: list.meaning };
      if (format === "plain") return readPlainList(content, sink, info);
      if (format === "geofeed") return readGeofeed(content, sink, info);
      if (format === "crawler_ranges") return readCrawlerRanges(content, sink, info);
      return readJsonAddresses(content, sink, info, { paths, datePath });
    },
  };
}

/** All lists that are downloaded, in the order of the report. */
export const FEEDS: readonly Feed[] = rows.map(readRow);

/** All downloads that replace the seed of a table. */
export const TABLE_FEEDS: readonly TableFeed[] = [iptoasn, rirDelegated, dbipCity, geofeeds];
