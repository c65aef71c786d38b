import type { CoveredKind, UsageType } from "#report";

/**
 * The points that evidence of one kind can still deduct when none of it was heard, and the points of all kinds
 * together (`total`).
 */
export type RangePoints = Readonly<Record<CoveredKind | "total", number>>;

/** Written by `bun test/bench/calibrate_range.ts`: 95 % of the labelled addresses of each kind of network stay within. */
export const RANGE_POINTS: Readonly<Record<UsageType, RangePoints>> = {
  residential: { total: 42, network: 11, anonymity: 20, lists: 24, abuse: 5.5, exposure: 0 },
  business: { total: 51, network: 11, anonymity: 40, lists: 16, abuse: 8, exposure: 0 },
  hosting: { total: 45, network: 11, anonymity: 32, lists: 24, abuse: 2, exposure: 0 },
  mobile: { total: 43, network: 11, anonymity: 16, lists: 32, abuse: 7, exposure: 0 },
  education: { total: 16, network: 0, anonymity: 0, lists: 16, abuse: 2.5, exposure: 0 },
  government: { total: 40, network: 11, anonymity: 20, lists: 24, abuse: 5, exposure: 0 },
  unknown: { total: 57, network: 11, anonymity: 40, lists: 32, abuse: 8, exposure: 0 },
};
