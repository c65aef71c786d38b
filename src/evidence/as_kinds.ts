import type { UsageType } from "#report";

/**
 * Kinds of autonomous systems. `vpn_host` = a hosting company whose main customers are VPN services; `tor` = its
 * operator runs Tor relays; `gateway` = a company whose customers' employees browse through it; `carrier` = sells
 * transit, so its addresses belong to customers of every kind.
 */
export const AS_KINDS = [
  "vpn",
  "vpn_host",
  "tor",
  "hosting",
  "cdn",
  "gateway",
  "business",
  "education",
  "government",
  "mobile",
  "isp",
  "satellite",
  "carrier",
] as const;
export type AsKind = (typeof AS_KINDS)[number];

/** What an AS of each kind is used for. The kind of a carrier shows no use. */
const USE_OF_KIND: Readonly<Record<AsKind, UsageType>> = {
  vpn: "hosting",
  vpn_host: "hosting",
  tor: "hosting",
  hosting: "hosting",
  cdn: "hosting",
  gateway: "business",
  business: "business",
  education: "education",
  government: "government",
  mobile: "mobile",
  isp: "residential",
  satellite: "residential",
  carrier: "unknown",
};

/** Returns the use of networks of the kind; `unknown` for a carrier. */
export function useOfKind(kind: AsKind): UsageType {
  return USE_OF_KIND[kind];
}
