import type { Factor } from "#report";

/**
 * The purity that a bill comes to: 100 − max(clamp(Σ points, 0, 100), highest floor), rounded.
 * Whoever holds the factors of a report can do this sum and must get the purity shown.
 */
export function purityOf(factors: readonly Pick<Factor, "points" | "floor">[]): number {
  const sum = factors.reduce((total, factor) => total + factor.points, 0);
  const floor = Math.max(0, ...factors.map((factor) => factor.floor ?? 0));
  const risk = Math.max(Math.min(Math.max(sum, 0), 100), floor);
  return Math.round(100 - risk);
}
