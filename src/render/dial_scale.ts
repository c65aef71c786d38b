/** The dial is three quarters of a circle, open below. Degrees clockwise from the right. */
export const DIAL_START_DEGREES = 135;
export const DIAL_SWEEP_DEGREES = 270;

/** Purities at which one band ends and the next begins. */
export const BAND_BORDERS: readonly number[] = [10, 30, 50, 70, 90];

/** What a dial shows: the purity, and the range of purity that remains possible. */
export interface DialRange {
  readonly purity: number;
  readonly low: number;
  readonly high: number;
}

/** Splits a dial: certain up to `solid`, possible from there to `end`. The purity is always inside. */
export function splitDial({ purity, low, high }: DialRange): {
  readonly solid: number;
  readonly end: number;
} {
  return { solid: Math.min(low, purity), end: Math.max(high, purity) };
}

/** The angle of a purity on the dial, in degrees. */
export function angleOf(purity: number): number {
  return DIAL_START_DEGREES + (purity * DIAL_SWEEP_DEGREES) / 100;
}
