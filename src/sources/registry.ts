import { asnTable } from "./asn_table.ts";
import { cymru } from "./cymru.ts";
import { dnsblSource } from "./dnsbl.ts";
import { geoCountry } from "./geo_country.ts";
import { infrastructure } from "./infrastructure.ts";
import { internetdb } from "./internetdb.ts";
import { proxycheck } from "./proxycheck.ts";
import { rdap } from "./rdap.ts";
import { rdnsBots } from "./rdns_bots.ts";
import { registration } from "./registration.ts";
import type { Source } from "./source.ts";
import { specialPurpose } from "./special_purpose.ts";
import { torDnsel } from "./tor_dnsel.ts";
import { ZONES } from "./zones.ts";

/** Everyone who is asked about an address, in the order of the report: tables first, then the world, then the lists. */
export const SOURCES: readonly Source[] = [
  specialPurpose,
  infrastructure,
  asnTable,
  registration,
  geoCountry,
  cymru,
  rdap,
  proxycheck,
  torDnsel,
  rdnsBots,
  internetdb,
  ...ZONES.map((zone) => dnsblSource<string>(zone)),
];
