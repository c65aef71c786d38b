import type { CoveredKind, ScenarioId, UsageType } from "#report";
import points from "./range_points.json" with { type: "json" };

/**
 * The points that evidence of one kind can still deduct when none of it was obtained, and the points of all kinds
 * together (`total`).
 */
export type RangePoints = Readonly<Record<CoveredKind | "total", number>>;

/** What is already known about an address; the first one that applies. `vpn`: a VPN or another proxy. */
export const RANGE_KINDS = ["tor", "vpn", "listed"] as const;
export type RangeKind = (typeof RANGE_KINDS)[number] | UsageType;

/** The points of the purity and of each use case. */
export type RangeTable = Readonly<Record<RangeKind, RangePoints>>;

/** 95 % of the labelled addresses of each kind stay within. `bun test/bench/calibrate_range.ts` writes them. */
export const RANGE_POINTS: Readonly<Record<"purity" | ScenarioId, RangeTable>> = points;
