import type { CoveredKind, UsageType } from "#report";

/**
 * The points that evidence of one kind can still deduct when none of it was obtained, and the points of all kinds
 * together (`total`).
 */
export type RangePoints = Readonly<Record<CoveredKind | "total", number>>;

/** Written by `bun test/bench/calibrate_range.ts`: 95 % of the labelled addresses of each kind of network stay within. */
export const RANGE_POINTS: Readonly<Record<UsageType, RangePoints>> = {
  residential: { total: 48, network: 11, anonymity: 40, lists: 32, abuse: 6.5, exposure: 0 },
  business: { total: 51, network: 11, anonymity: 40, lists: 24, abuse: 9, exposure: 0 },
  hosting: { total: 58, network: 11, anonymity: 32, lists: 24, abuse: 4.5, exposure: 0 },
  mobile: { total: 48, network: 11, anonymity: 20, lists: 42, abuse: 8, exposure: 0 },
  education: { total: 21, network: 0, anonymity: 16, lists: 16, abuse: 3, exposure: 0 },
  government: { total: 48, network: 11, anonymity: 40, lists: 32, abuse: 6.5, exposure: 0 },
  unknown: { total: 62, network: 11, anonymity: 40, lists: 42, abuse: 9, exposure: 0 },
};
