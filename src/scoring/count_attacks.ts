import type { AbuseWord } from "#evidence";

/** All attacks a source has on record, of whatever type. */
export function countAttacks({ attacks }: AbuseWord): number {
  return Object.values(attacks ?? {}).reduce(
    (sum, count) => sum + (Number.isFinite(count) ? Math.max(0, count) : 0),
    0,
  );
}
