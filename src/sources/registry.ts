import { FEEDS } from "#feeds";
import { dnsblSource } from "./dns/dnsbl.ts";
import { reverseDns } from "./dns/reverse_dns.ts";
import { teamCymru } from "./dns/team_cymru.ts";
import { torDnsel } from "./dns/tor_dnsel.ts";
import { abuseipdb } from "./live/abuseipdb.ts";
import { blocklistDeApi } from "./live/blocklist_de_api.ts";
import { crowdsecCti } from "./live/crowdsec_cti.ts";
import { dshield } from "./live/dshield.ts";
import { greynoise } from "./live/greynoise.ts";
import { internetdb } from "./live/internetdb.ts";
import { ipApi } from "./live/ip_api.ts";
import { ip2locationIo } from "./live/ip2location_io.ts";
import { ipapiIs } from "./live/ipapi_is.ts";
import { ipdata } from "./live/ipdata.ts";
import { iphub } from "./live/iphub.ts";
import { ipinfoLite } from "./live/ipinfo_lite.ts";
import { ipinfoResproxy } from "./live/ipinfo_resproxy.ts";
import { iplocate } from "./live/iplocate.ts";
import { ipqualityscore } from "./live/ipqualityscore.ts";
import { ipquery } from "./live/ipquery.ts";
import { ipregistry } from "./live/ipregistry.ts";
import { onionoo } from "./live/onionoo.ts";
import { otx } from "./live/otx.ts";
import { proxycheck } from "./live/proxycheck.ts";
import { rdap } from "./live/rdap.ts";
import { ripestat } from "./live/ripestat.ts";
import { stopforumspam } from "./live/stopforumspam.ts";
import type { Source } from "./source.ts";
import { feedSource } from "./tables/feed_source.ts";
import { asnTable, geoCountry, infrastructure, registration, specialPurpose } from "./tables/own_tables.ts";
import { ZONES } from "./zones.ts";

/** Every source, in the order of the report: tables, then live sources, then DNS lists. */
export const SOURCES: readonly Source[] = [
  specialPurpose,
  infrastructure,
  asnTable,
  registration,
  geoCountry,
  ...FEEDS.map(feedSource),
  teamCymru,
  rdap,
  proxycheck,
  torDnsel,
  reverseDns,
  internetdb,
  ipapiIs,
  ipApi,
  abuseipdb,
  ipqualityscore,
  greynoise,
  stopforumspam,
  ipinfoLite,
  ipinfoResproxy,
  iphub,
  ip2locationIo,
  ipdata,
  ipregistry,
  ripestat,
  ipquery,
  iplocate,
  onionoo,
  dshield,
  blocklistDeApi,
  crowdsecCti,
  otx,
  ...ZONES.map(dnsblSource),
];

/** Pages where a listing is explained or removed, by source or zone id; `{ip}` stands for the address. */
export const DELIST_URLS: ReadonlyMap<string, string> = new Map(
  SOURCES.flatMap(({ id, delistUrl }) => (delistUrl === undefined ? [] : [[id, delistUrl] as const])),
);

/** Every HTTPS host that these sources ask, sorted: the allow-list of the process. */
export function upstreamHosts(sources: readonly Source[]): readonly string[] {
  return [...new Set(sources.flatMap((source) => source.hosts ?? []))].sort();
}
