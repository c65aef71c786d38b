import type { AbuseRecord } from "#evidence";
import type { Data } from "#report";
import { fade, measureAge } from "./fade.ts";
import { roundPoints } from "./round_points.ts";
import { SUBNET_SHARE } from "./weights.ts";

/** What a report of abuse weighs now, and the facts that make it less than it once was. */
export interface WeighedReport {
  readonly points: number;
  readonly data: Data;
}

/** Weighs a dated report: faded by its age, and by {@link SUBNET_SHARE} where it is about the IPv6 /64 only. */
export function weighReport(
  { lastSeen, subnet }: Pick<AbuseRecord, "lastSeen" | "subnet">,
  full: number,
  surveyedAt: string,
): WeighedReport {
  const share = subnet === true ? SUBNET_SHARE : 1;
  const points = roundPoints(full * share * fade(lastSeen, surveyedAt));
  const ageDays = Math.floor(measureAge(lastSeen, surveyedAt));
  return {
    points,
    data: {
      ...(points < full ? { full } : {}),
      ...(points < full && ageDays > 0 ? { ageDays } : {}),
      ...(subnet === true ? { subnet: true } : {}),
    },
  };
}
