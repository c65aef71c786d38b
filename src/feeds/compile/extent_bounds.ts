import type { AsClass, ListMeaning, TableId } from "#datasets";
import type { Feed } from "../feed.ts";

/** How much the rows of a list or table cover together. */
export interface Extent {
  /** IPv4 addresses. */
  readonly ipv4: number;
  /** IPv6 /48s, the prefix of one site (RFC 6177); a /48 that is covered in part counts as a whole one. */
  readonly ipv6: number;
  /** Different AS numbers. */
  readonly networks: number;
}

/** IPv4 addresses of a /8, and IPv6 /48s of a /32. */
export const SLASH_8 = 2 ** 24;
export const SLASH_32 = 2 ** 16;

/** A kind of list: its meaning, or `cloud` when an operator publishes the servers that it rents out. */
export type ListKind = ListMeaning | "cloud";

/** The most that a list of each kind may cover, with room for growth. Sizes are those of the real lists in 2026. */
export const EXTENT_BOUNDS: Readonly<Record<ListKind, Extent>> = {
  // About 1 400 exits and 9 000 relays, each one address.
  tor_exit: { ipv4: 2 ** 14, ipv6: 2 ** 14, networks: 0 },
  tor_relay: { ipv4: 2 ** 16, ipv6: 2 ** 16, networks: 0 },
  // Apple: 107 000 IPv4 addresses and 181 000 /48s. Cloudflare WARP: at most a /16 and 8 /32s.
  relay: { ipv4: 2 ** 21, ipv6: 64 * SLASH_32, networks: 0 },
  // X4BNet takes whole networks of operators: 3.1 million addresses and 605 /32s.
  vpn: { ipv4: SLASH_8, ipv6: 4_096 * SLASH_32, networks: 2_000 },
  // Open proxies are single addresses.
  proxy: { ipv4: 2 ** 20, ipv6: SLASH_32, networks: 0 },
  // X4BNet takes every data centre: 22.5 /8s and 6 736 /32s.
  hosting: { ipv4: 56 * SLASH_8, ipv6: 4 * 65_536 * SLASH_32, networks: 0 },
  // Amazon, the largest, announces 9.3 /8s; a mirror of a small one was seen with a whole /16 of IPv6.
  cloud: { ipv4: 24 * SLASH_8, ipv6: 2 * 65_536 * SLASH_32, networks: 0 },
  // Cloudflare: 1.5 million addresses and 14 /32s.
  cdn: { ipv4: SLASH_8, ipv6: 1_024 * SLASH_32, networks: 0 },
  // Crawlers: 5 056 addresses at Google, 41 216 at OpenAI, a handful of /48s.
  search_bot: { ipv4: 2 ** 18, ipv6: 16 * SLASH_32, networks: 0 },
  ai_bot: { ipv4: 2 ** 18, ipv6: 16 * SLASH_32, networks: 0 },
  user_fetcher: { ipv4: 2 ** 18, ipv6: 16 * SLASH_32, networks: 0 },
  // FireHOL level 1 without its bogons contains DROP and more: about 1.2 /8s. In IPv6 one row may be a /16.
  abuse: { ipv4: 4 * SLASH_8, ipv6: 65_536 * SLASH_32, networks: 0 },
  // Spamhaus DROP: about one /8, some hundred /32s, and 400 AS numbers in ASN-DROP.
  severe: { ipv4: 4 * SLASH_8, ipv6: 4_096 * SLASH_32, networks: 4_000 },
  // Controllers are single addresses, some hundred.
  botnet: { ipv4: 2 ** 16, ipv6: SLASH_32, networks: 0 },
  // Some 4 000 IPv4 and 2 000 IPv6 prefixes, most of them /24 and /48. It accuses nobody.
  anycast: { ipv4: 4 * SLASH_8, ipv6: 4_096 * SLASH_32, networks: 0 },
  // Starlink: less than a million addresses, some hundred /32s. It accuses nobody.
  satellite: { ipv4: SLASH_8, ipv6: 4_096 * SLASH_32, networks: 0 },
};

/** The most AS numbers of one class; 120 000 are assigned. A list that has only names has no class and no bound. */
export const AS_CLASS_BOUNDS: Readonly<Record<AsClass, number>> = {
  // The classes that count as servers: collections name 1 000 to 5 000 hosting companies, hundreds of the others.
  hosting: 20_000,
  cdn: 4_000,
  vpn: 4_000,
  // ipverse has a class for most of the 85 000 announced numbers, more access networks than all others.
  isp: 90_000,
  content: 20_000,
  carrier: 20_000,
  business: 60_000,
  education: 20_000,
  government: 20_000,
  personal: 20_000,
  mobile: 8_000,
  satellite: 2_000,
};

/**
 * The most that one value of a table may cover. A correct table covers nearly everything, so the check of a table looks
 * for one AS or country that covers too much.
 */
export const TABLE_VALUE_BOUNDS: Readonly<Record<TableId, Pick<Extent, "ipv4" | "ipv6">>> = {
  // AS749 has 13.3 /8s; AS6939 announces the 65 536 /32s of 6to4.
  asn: { ipv4: 32 * SLASH_8, ipv6: 4 * 65_536 * SLASH_32 },
  // The United States: 95.8 /8s of 220, and 143 238 /32s.
  registration: { ipv4: 144 * SLASH_8, ipv6: 16 * 65_536 * SLASH_32 },
  country: { ipv4: 144 * SLASH_8, ipv6: 16 * 65_536 * SLASH_32 },
  city: { ipv4: 144 * SLASH_8, ipv6: 16 * 65_536 * SLASH_32 },
  geofeed: { ipv4: 144 * SLASH_8, ipv6: 16 * 65_536 * SLASH_32 },
};

/**
 * Below these a list may grow without a limit: a /16, the /29 that a new holder of IPv6 gets
 * (https://www.ripe.net/publications/docs/ripe-738), and as many AS numbers as there are rows in a small list.
 */
export const GROWTH_FLOOR: Extent = { ipv4: 2 ** 16, ipv6: 8 * SLASH_32, networks: 50 };

/** Gives the kind of a list for one of its meanings. */
export function kindOf(feed: Pick<Feed, "authority">, meaning: ListMeaning): ListKind {
  return meaning === "hosting" && feed.authority === true ? "cloud" : meaning;
}
