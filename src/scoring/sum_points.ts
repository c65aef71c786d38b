import type { Factor } from "#report";
import type { FactorCategory } from "./ids.ts";

/** What a category has charged, before caps and reliefs. */
export function sumPoints(factors: readonly Factor[], category: FactorCategory): number {
  return factors
    .filter((factor) => factor.category === category)
    .reduce((total, factor) => total + factor.points, 0);
}
