import { DAY_MS } from "#common";
import { FLAGS, type Flag } from "#report";
import type { Listing, Observation, SourceRun, Survey } from "./observation.ts";
import { isAnswered, isExpected } from "./runs.ts";

/** Accusations that were lost more days ago are no longer carried. */
export const CARRIED_DAYS = 30;

/** Flags that cost points. The others are credits or facts. */
const ACCUSING_FLAGS: ReadonlySet<Flag> = new Set(["isProxy", "isVpn", "isTor", "isHosting", "isRelay"]);

/**
 * Carries accusations of the survey `before` into a newer survey of the same address: what a source said against the
 * address stays with its run as `carried` when the source did not answer this time. It ends when the same source
 * answers, when the source is no longer asked, or after {@link CARRIED_DAYS}. The state of the run stays as it is.
 */
export function carryForward(before: Survey, after: Survey): Survey {
  const earlier = new Map(before.runs.map((run) => [run.id, run]));
  return {
    ...after,
    runs: after.runs.map((run) => {
      if (isAnswered(run) || !isExpected(run)) return run;
      const carried = findCarried(earlier.get(run.id), before.surveyedAt, after.surveyedAt);
      return carried === undefined ? run : { ...run, carried };
    }),
  };
}

function findCarried(run: SourceRun | undefined, heardAt: string, lostAt: string): SourceRun["carried"] {
  if (run === undefined) return undefined;
  if (run.state === "answered" && run.observation !== undefined) {
    const observation = keepAccusations(run.observation);
    return observation && { observation, heardAt, lostAt };
  }
  if (run.carried === undefined) return undefined;
  return measureDays(run.carried.lostAt, lostAt) <= CARRIED_DAYS ? run.carried : undefined;
}

/** Returns the days from one RFC 3339 date-time to another, at least 0; infinite when one is not readable. */
export function measureDays(from: string, to: string): number {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return Number.isNaN(days) ? Number.POSITIVE_INFINITY : Math.max(days, 0);
}

/** Returns the parts of an observation that accuse the address; undefined when there are none. */
function keepAccusations(observation: Observation): Observation | undefined {
  const { flags = {}, usage, abuse, exposure, vpn, authority, subnetFlags, echoes } = observation;
  const raised = FLAGS.filter((flag) => flags[flag] === true && ACCUSING_FLAGS.has(flag));
  const listings = (observation.listings ?? []).filter(isAccusation);
  const isReported = abuse !== undefined && hasReports(abuse);
  const isExposed = exposure !== undefined && exposure.ports.length + exposure.vulns.length > 0;
  const isHosting = usage === "hosting";
  if (raised.length + listings.length === 0 && !isReported && !isExposed && !isHosting) return undefined;
  return {
    ...(raised.length === 0 ? {} : { flags: Object.fromEntries(raised.map((flag) => [flag, true])) }),
    ...(authority === undefined ? {} : { authority }),
    ...(subnetFlags === undefined ? {} : { subnetFlags }),
    ...(echoes === undefined ? {} : { echoes }),
    ...(isHosting ? { usage } : {}),
    ...(listings.length === 0 ? {} : { listings }),
    ...(isReported ? { abuse } : {}),
    ...(isExposed ? { exposure } : {}),
    ...(vpn === undefined || !raised.includes("isVpn") ? {} : { vpn }),
  };
}

function isAccusation({ listed, meanings }: Listing): boolean {
  return listed && (meanings.length === 0 || meanings.some((one) => one !== "policy" && one !== "info"));
}

function hasReports({ score = 0, reports = 0, attacks = {} }: NonNullable<Observation["abuse"]>): boolean {
  return score > 0 || reports > 0 || Object.values(attacks).some((count) => count > 0);
}
