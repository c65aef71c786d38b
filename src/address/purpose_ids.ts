/**
 * What a block that is not ordinary global unicast is for. Named after the IANA special-purpose registries:
 * https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry (RFC 6890).
 */
export const PURPOSE_IDS = [
  /** "No address yet": 0.0.0.0 and ::. */
  "unspecified",
  /** Hosts on "this" network, 0.0.0.0/8; valid only as a source while a host learns its address. */
  "this_network",
  /** Private networks of RFC 1918: 10/8, 172.16/12, 192.168/16. */
  "private_use",
  /** Between a carrier and its customers behind carrier-grade NAT (RFC 6598): 100.64/10. */
  "shared_address_space",
  /** The machine itself: 127/8 and ::1. */
  "loopback",
  /** Valid on one link only, never forwarded: 169.254/16 and fe80::/10. */
  "link_local",
  /** Private IPv6 networks (RFC 4193): fc00::/7. */
  "unique_local",
  /** Former private IPv6 networks, deprecated by RFC 3879: fec0::/10. */
  "site_local",
  /** Set aside by the IETF for protocols, nothing is assigned there: 192.0.0.0/24 and 2001::/23. */
  "protocol_assignments",
  /** A placeholder that fills a field and never appears on the wire: 192.0.0.8 and 100:0:0:1::/64. */
  "dummy",
  /** For examples in texts and manuals: 192.0.2/24, 198.51.100/24, 203.0.113/24, 2001:db8::/32, 3fff::/20. */
  "documentation",
  /** For measuring network devices in a laboratory: 198.18/15 and 2001:2::/48. */
  "benchmarking",
  /** A group of receivers, not one host: 224/4 and ff00::/8. */
  "multicast",
  /** Everyone on the local network: 255.255.255.255. */
  "broadcast",
  /** Reserved by the IETF, given to nobody: 240/4 and the IPv6 space outside 2000::/3. */
  "reserved",
  /** Global IPv6 unicast space that IANA has not yet given to a regional registry. */
  "unallocated",
  /** Traffic sent there is thrown away on purpose (RFC 6666): 100::/64. */
  "discard_only",
  /** 6to4 tunnels and their deprecated relays, an IPv4 address in disguise: 2002::/16 and 192.88.99/24. */
  "six_to_four",
  /** Teredo tunnels, an IPv4 address and port in disguise (RFC 4380): 2001::/32. */
  "teredo",
  /** IPv4/IPv6 translation inside one network: 64:ff9b:1::/48, 192.0.0.0/29, 192.0.0.170 and .171. */
  "translation",
  /** Cryptographic hashes shaped like addresses, first generation, expired (RFC 4843): 2001:10::/28. */
  "orchid",
  /** Segment identifiers inside one SRv6 network (RFC 9602): 5f00::/16. */
  "segment_routing",
  /** IPv4 addresses written as IPv6, deprecated by RFC 4291: ::/96. */
  "ipv4_compatible",
] as const;

/** One of {@link PURPOSE_IDS}. */
export type PurposeId = (typeof PURPOSE_IDS)[number];
