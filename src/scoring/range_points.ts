import type { CoveredKind, UsageType } from "#report";

/**
 * The points that evidence of one kind can still deduct when none of it was heard, and the points of all kinds
 * together (`total`).
 */
export type RangePoints = Readonly<Record<CoveredKind | "total", number>>;

/** Written by `bun test/bench/calibrate_range.ts`: 95 % of the labelled addresses of each kind of network stay within. */
export const RANGE_POINTS: Readonly<Record<UsageType, RangePoints>> = {
  residential: { total: 40, network: 11, anonymity: 20, lists: 24, abuse: 12, exposure: 0 },
  business: { total: 40, network: 11, anonymity: 20, lists: 24, abuse: 12, exposure: 0 },
  hosting: { total: 50, network: 11, anonymity: 32, lists: 32, abuse: 12, exposure: 0 },
  mobile: { total: 40, network: 11, anonymity: 20, lists: 24, abuse: 12, exposure: 0 },
  education: { total: 40, network: 11, anonymity: 20, lists: 24, abuse: 12, exposure: 0 },
  government: { total: 40, network: 11, anonymity: 20, lists: 24, abuse: 12, exposure: 0 },
  unknown: { total: 60, network: 22, anonymity: 40, lists: 32, abuse: 12, exposure: 0 },
};
