import type { AbuseRecord } from "#evidence";

/** All attacks a source has on record, of whatever type. */
export function countAttacks({ attacks }: AbuseRecord): number {
  return Object.values(attacks ?? {}).reduce(
    (sum, count) => sum + (Number.isFinite(count) ? Math.max(0, count) : 0),
    0,
  );
}
