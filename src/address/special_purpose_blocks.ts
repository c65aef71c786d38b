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
  /** Reserved by the IETF for protocols; nothing is assigned in it: 192.0.0.0/24 and 2001::/23. */
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
  /** Reserved by the IETF and not assigned: 240/4 and the IPv6 space outside 2000::/3. */
  "reserved",
  /** Global IPv6 unicast space that IANA has not yet allocated to a regional registry. */
  "unallocated",
  /** Routers discard traffic to it on purpose (RFC 6666): 100::/64. */
  "discard_only",
  /** 6to4 tunnels and their deprecated relays; the address contains an IPv4 address: 2002::/16 and 192.88.99/24. */
  "six_to_four",
  /** Teredo tunnels; the address contains an IPv4 address and port (RFC 4380): 2001::/32. */
  "teredo",
  /** IPv4/IPv6 translation inside one network: 64:ff9b:1::/48, 192.0.0.0/29, 192.0.0.170 and .171. */
  "translation",
  /** Cryptographic hashes in the format of addresses, first generation, expired (RFC 4843): 2001:10::/28. */
  "orchid",
  /** Segment identifiers inside one SRv6 network (RFC 9602): 5f00::/16. */
  "segment_routing",
  /** IPv4 addresses written as IPv6, deprecated by RFC 4291: ::/96. */
  "ipv4_compatible",
] as const;

/** One of {@link PURPOSE_IDS}. */
export type PurposeId = (typeof PURPOSE_IDS)[number];

/** One block: its purpose, or "reachable" where the registry's "Globally Reachable" column says True. */
export type SpecialPurposeRow = readonly [block: string, purpose: PurposeId | "reachable"];

/**
 * IPv4 blocks that are not ordinary unicast, and the reachable holes in them; the most specific block wins.
 * IANA IPv4 special-purpose registry (https://www.iana.org/assignments/iana-ipv4-special-registry, 2025-10-09)
 * and the two top blocks of https://www.iana.org/assignments/ipv4-address-space. No /8 is left unallocated.
 */
export const IPV4_ROWS: readonly SpecialPurposeRow[] = [
  ["0.0.0.0/8", "this_network"],
  ["0.0.0.0/32", "unspecified"],
  ["10.0.0.0/8", "private_use"],
  ["100.64.0.0/10", "shared_address_space"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link_local"],
  ["172.16.0.0/12", "private_use"],
  ["192.0.0.0/24", "protocol_assignments"],
  ["192.0.0.0/29", "translation"], // IPv4 service continuity, RFC 7335
  ["192.0.0.8/32", "dummy"], // RFC 7600
  ["192.0.0.9/32", "reachable"], // Port Control Protocol anycast, RFC 7723
  ["192.0.0.10/32", "reachable"], // TURN anycast, RFC 8155
  ["192.0.0.170/31", "translation"], // NAT64/DNS64 discovery, RFC 7050; two rows in the registry
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "reachable"], // AS112-v4, RFC 7535
  ["192.52.193.0/24", "reachable"], // AMT, RFC 7450
  ["192.88.99.0/24", "six_to_four"], // deprecated relay anycast, RFC 7526: reachable "N/A"
  ["192.168.0.0/16", "private_use"],
  ["192.175.48.0/24", "reachable"], // direct delegation AS112, RFC 7534
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["255.255.255.255/32", "broadcast"],
];

/**
 * The whole IPv6 space; the most specific block wins.
 * IANA IPv6 special-purpose registry (https://www.iana.org/assignments/iana-ipv6-special-registry, 2025-10-09),
 * global unicast assignments (https://www.iana.org/assignments/ipv6-unicast-address-assignments, 2025-10-10)
 * and the blocks of https://www.iana.org/assignments/ipv6-address-space.
 */
export const IPV6_ROWS: readonly SpecialPurposeRow[] = [
  // Address space: everything outside 2000::/3.
  ["::/8", "reserved"],
  ["100::/8", "reserved"],
  ["200::/7", "reserved"],
  ["400::/6", "reserved"],
  ["800::/5", "reserved"],
  ["1000::/4", "reserved"],
  ["4000::/3", "reserved"],
  ["6000::/3", "reserved"],
  ["8000::/3", "reserved"],
  ["a000::/3", "reserved"],
  ["c000::/3", "reserved"],
  ["e000::/4", "reserved"],
  ["f000::/5", "reserved"],
  ["f800::/6", "reserved"],
  ["fe00::/9", "reserved"],
  ["fec0::/10", "site_local"],
  ["ff00::/8", "multicast"],
  // Special-purpose registry. ::ffff:0:0/96 is missing: such an address is IPv4 here.
  ["::/96", "ipv4_compatible"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["64:ff9b::/96", "reachable"], // NAT64 well-known prefix, RFC 6052
  ["64:ff9b:1::/48", "translation"],
  ["100::/64", "discard_only"],
  ["100:0:0:1::/64", "dummy"], // RFC 9780
  ["2001::/23", "protocol_assignments"],
  ["2001::/32", "teredo"], // reachable "N/A"
  ["2001:1::1/128", "reachable"], // Port Control Protocol anycast, RFC 7723
  ["2001:1::2/128", "reachable"], // TURN anycast, RFC 8155
  ["2001:1::3/128", "reachable"], // DNS-SD service registration anycast, RFC 9665
  ["2001:2::/48", "benchmarking"],
  ["2001:3::/32", "reachable"], // AMT, RFC 7450
  ["2001:4:112::/48", "reachable"], // AS112-v6, RFC 7535
  ["2001:10::/28", "orchid"],
  ["2001:20::/28", "reachable"], // ORCHIDv2, RFC 7343
  ["2001:30::/28", "reachable"], // drone remote identification, RFC 9374
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "six_to_four"], // reachable "N/A"
  ["2620:4f:8000::/48", "reachable"], // direct delegation AS112, RFC 7534
  ["3fff::/20", "documentation"],
  ["5f00::/16", "segment_routing"],
  ["fc00::/7", "unique_local"],
  ["fe80::/10", "link_local"],
  // Global unicast: what IANA has allocated to the regional registries; everything else is unallocated.
  ["2000::/3", "unallocated"],
  ["2001:200::/23", "reachable"],
  ["2001:400::/23", "reachable"],
  ["2001:600::/23", "reachable"],
  ["2001:800::/22", "reachable"],
  ["2001:c00::/23", "reachable"],
  ["2001:e00::/23", "reachable"],
  ["2001:1200::/23", "reachable"],
  ["2001:1400::/22", "reachable"],
  ["2001:1800::/23", "reachable"],
  ["2001:1a00::/23", "reachable"],
  ["2001:1c00::/22", "reachable"],
  ["2001:2000::/19", "reachable"],
  ["2001:4000::/23", "reachable"],
  ["2001:4200::/23", "reachable"],
  ["2001:4400::/23", "reachable"],
  ["2001:4600::/23", "reachable"],
  ["2001:4800::/23", "reachable"],
  ["2001:4a00::/23", "reachable"],
  ["2001:4c00::/23", "reachable"],
  ["2001:5000::/20", "reachable"],
  ["2001:8000::/19", "reachable"],
  ["2001:a000::/20", "reachable"],
  ["2001:b000::/20", "reachable"],
  ["2003::/18", "reachable"],
  ["2400::/12", "reachable"],
  ["2410::/12", "reachable"],
  ["2600::/12", "reachable"],
  ["2610::/23", "reachable"],
  ["2620::/23", "reachable"],
  ["2630::/12", "reachable"],
  ["2800::/12", "reachable"],
  ["2a00::/12", "reachable"],
  ["2a10::/12", "reachable"],
  ["2c00::/12", "reachable"],
];
