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
  tor: { total: 41, network: 11, anonymity: 62, lists: 55, abuse: 0, exposure: 0 },
  vpn: { total: 43, network: 11, anonymity: 28.5, lists: 29, abuse: 0, exposure: 0 },
  listed: { total: 35, network: 11, anonymity: 0, lists: 55, abuse: 8.5, exposure: 0 },
  residential: { total: 56, network: 11, anonymity: 56, lists: 32, abuse: 6.5, exposure: 0 },
  business: { total: 67, network: 11, anonymity: 56, lists: 24, abuse: 9, exposure: 0 },
  hosting: { total: 62, network: 11, anonymity: 62, lists: 32, abuse: 5.5, exposure: 0 },
  mobile: { total: 51, network: 11, anonymity: 28, lists: 42, abuse: 8, exposure: 0 },
  education: { total: 28, network: 0, anonymity: 16, lists: 16, abuse: 3, exposure: 0 },
  government: { total: 56, network: 11, anonymity: 56, lists: 32, abuse: 6.5, exposure: 0 },
  unknown: { total: 67, network: 11, anonymity: 62, lists: 42, abuse: 9, exposure: 0 },
};
