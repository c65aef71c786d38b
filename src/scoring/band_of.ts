import type { Band } from "#report";

/** Lower bound of every band, cleanest first. */
export const BAND_CUTS: readonly (readonly [Band, number])[] = [
  ["pristine", 90],
  ["clean", 70],
  ["neutral", 50],
  ["suspicious", 30],
  ["risky", 10],
  ["dangerous", 0],
];

/** The band of a purity. */
export function bandOf(purity: number): Band {
  return BAND_CUTS.find(([, from]) => purity >= from)?.[0] ?? "dangerous";
}
