import type { Factor } from "#report";
import { sumPoints } from "./sum_points.ts";
import { WEIGHTS } from "./weights.ts";

const CAPS = {
  anonymity: WEIGHTS.anonymity_cap.cap,
  network: WEIGHTS.network_cap.cap,
  lists: WEIGHTS.lists_cap.cap,
  abuse: WEIGHTS.abuse_cap.cap,
  exposure: WEIGHTS.exposure_cap.cap,
} as const;

/** What a category charges once its cap has taken its share back. */
export function chargeOf(factors: readonly Factor[], category: keyof typeof CAPS): number {
  return Math.min(sumPoints(factors, category), CAPS[category]);
}
