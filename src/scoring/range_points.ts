import type { CoveredKind, UsageType } from "#report";

/**
 * The points that evidence of one kind can still deduct when none of it was obtained, and the points of all kinds
 * together (`total`).
 */
export type RangePoints = Readonly<Record<CoveredKind | "total", number>>;

/** What is already known about an address; the first one that applies. `vpn`: a VPN or another proxy. */
export const RANGE_KINDS = ["tor", "vpn", "listed"] as const;
export type RangeKind = (typeof RANGE_KINDS)[number] | UsageType;

/** Written by `bun test/bench/calibrate_range.ts`: 95 % of the labelled addresses of each kind stay within. */
export const RANGE_POINTS: Readonly<Record<RangeKind, RangePoints>> = {
  tor: { total: 42, network: 12, anonymity: 61.5, lists: 34, abuse: 0, exposure: 0 },
  vpn: { total: 43, network: 13, anonymity: 32, lists: 34, abuse: 0, exposure: 0 },
  listed: { total: 43, network: 13, anonymity: 32, lists: 55, abuse: 10, exposure: 0 },
  residential: { total: 59, network: 11, anonymity: 56, lists: 32, abuse: 6, exposure: 0 },
  business: { total: 58, network: 11, anonymity: 56, lists: 32, abuse: 6, exposure: 0 },
  hosting: { total: 73, network: 11, anonymity: 62, lists: 32, abuse: 5, exposure: 0 },
  mobile: { total: 58, network: 11, anonymity: 56, lists: 32, abuse: 6, exposure: 0 },
  education: { total: 28, network: 0, anonymity: 16, lists: 16, abuse: 3, exposure: 0 },
  government: { total: 58, network: 11, anonymity: 56, lists: 32, abuse: 6, exposure: 0 },
  unknown: { total: 73, network: 11, anonymity: 62, lists: 42, abuse: 7.5, exposure: 0 },
};
