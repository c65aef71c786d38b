/** Most addresses a row may span in IPv4: a /5, because packages merge neighbours of one country. */
const MAX_IPV4 = 2 ** 27;
/** Most a row may span in IPv6, counted in /32: a /13, the largest block anyone but a registry holds. */
const MAX_IPV6_TOP = 2 ** 19;

/**
 * Whether `first` to `last` (words, most significant first) is a range at all and not wider than any holder's:
 * no default route, none of the fillers that geo files lay over unallocated space. Registries themselves get a /12
 * (https://www.iana.org/assignments/ipv6-unicast-address-assignments).
 */
export function isPlausibleRange(first: Uint32Array, last: Uint32Array): boolean {
  const difference = first.findIndex((word, w) => word !== last[w]);
  if (difference < 0) return true;
  const width = (last[difference] ?? 0) - (first[difference] ?? 0);
  if (width < 0) return false;
  return difference > 0 || width < (first.length === 1 ? MAX_IPV4 : MAX_IPV6_TOP);
}
