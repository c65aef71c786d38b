import { DAY_MS } from "#common";
import type { AbuseEvidence, AbuseRecord } from "#evidence";
import type { Data, Step } from "#report";
import { readSteps, roundPoints } from "./rule.ts";
import { FORGOTTEN_DAYS, HALF_LIFE_DAYS, SUBNET_SHARE } from "./weights.ts";

/**
 * Weighs the points that `measure` gives to every record, and returns the record with the most points. Undefined when
 * no record has points. `sources` are those whose records have points; `data` says why the record does not have its full
 * points: { full?, ageDays?, subnet? }. `surveyedAt` is RFC 3339.
 */
export function findWorstRecord(
  records: readonly AbuseEvidence[],
  surveyedAt: string,
  steps: readonly Step[],
  measure: (record: AbuseRecord) => number,
) {
  const weighed = records
    .map((record) => {
      const measured = measure(record);
      const { points, data } = weighRecord(record, readSteps(steps, measured), surveyedAt);
      return { source: record.source, measure: measured, points, data };
    })
    .filter((record) => record.points > 0)
    .toSorted((a, b) => b.points - a.points || b.measure - a.measure);
  const worst = weighed[0];
  if (worst === undefined) return undefined;
  const { points, measure: measured, data } = worst;
  return { points, measure: measured, sources: weighed.map((record) => record.source), data };
}

/** Reduces the points of a record by its age, and by {@link SUBNET_SHARE} when it is about the /64 only. */
function weighRecord(
  { lastSeen, subnet }: AbuseRecord,
  full: number,
  surveyedAt: string,
): { readonly points: number; readonly data: Data } {
  const days = measureAgeDays(lastSeen, surveyedAt);
  const fading = days > FORGOTTEN_DAYS ? 0 : 2 ** (-days / HALF_LIFE_DAYS);
  const points = roundPoints(full * (subnet === true ? SUBNET_SHARE : 1) * fading);
  const ageDays = Math.floor(days);
  return {
    points,
    data: {
      ...(points < full ? { full } : {}),
      ...(points < full && ageDays > 0 ? { ageDays } : {}),
      ...(subnet === true ? { subnet: true } : {}),
    },
  };
}

/**
 * Returns the days between a record and the survey. A record without a readable date, or with a date in the future,
 * has age 0: its source reports it as current.
 */
function measureAgeDays(lastSeen: string | undefined, surveyedAt: string): number {
  const days = (Date.parse(surveyedAt) - Date.parse(lastSeen ?? "")) / DAY_MS;
  return Number.isNaN(days) ? 0 : Math.max(days, 0);
}
