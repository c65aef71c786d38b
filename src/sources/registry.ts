import { FEEDS } from "#feeds";
import { abuseipdb } from "./abuseipdb.ts";
import { asnTable } from "./asn_table.ts";
import { blocklistDeApi } from "./blocklist_de_api.ts";
import { crowdsecCti } from "./crowdsec_cti.ts";
import { cymru } from "./cymru.ts";
import { dnsblSource } from "./dnsbl.ts";
import { dshield } from "./dshield.ts";
import { feedSource } from "./feed_source.ts";
import { geoCountry } from "./geo_country.ts";
import { greynoise } from "./greynoise.ts";
import { infrastructure } from "./infrastructure.ts";
import { internetdb } from "./internetdb.ts";
import { ipApi } from "./ip_api.ts";
import { ip2locationIo } from "./ip2location_io.ts";
import { ipapiIs } from "./ipapi_is.ts";
import { ipdata } from "./ipdata.ts";
import { ipinfoLite } from "./ipinfo_lite.ts";
import { iplocate } from "./iplocate.ts";
import { ipqualityscore } from "./ipqualityscore.ts";
import { ipquery } from "./ipquery.ts";
import { ipregistry } from "./ipregistry.ts";
import { onionoo } from "./onionoo.ts";
import { otx } from "./otx.ts";
import { proxycheck } from "./proxycheck.ts";
import { rdap } from "./rdap.ts";
import { rdnsBots } from "./rdns_bots.ts";
import { registration } from "./registration.ts";
import { ripestat } from "./ripestat.ts";
import type { Source } from "./source.ts";
import { specialPurpose } from "./special_purpose.ts";
import { stopforumspam } from "./stopforumspam.ts";
import { torDnsel } from "./tor_dnsel.ts";
import { ZONES } from "./zones.ts";

/** Everyone who is asked about an address, in the order of the report: tables first, then the world, then the lists. */
export const SOURCES: readonly Source[] = [
  specialPurpose,
  infrastructure,
  asnTable,
  registration,
  geoCountry,
  ...FEEDS.map((feed) => feedSource<string>(feed)),
  cymru,
  rdap,
  proxycheck,
  torDnsel,
  rdnsBots,
  internetdb,
  ipapiIs,
  ipApi,
  abuseipdb,
  ipqualityscore,
  greynoise,
  stopforumspam,
  ipinfoLite,
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
  ...ZONES.map((zone) => dnsblSource<string>(zone)),
];
