import { FORGOTTEN_DAYS, HALF_LIFE_DAYS } from "./weights.ts";

const DAY_MS = 86_400_000;

/**
 * What is left of a report's weight at the time of the survey, 0 to 1. Both moments are RFC 3339; a report
 * without a readable date, or from the future, counts in full: its source vouches for it now.
 */
export function fade(lastSeen: string | undefined, surveyedAt: string): number {
  const ageDays = measureAge(lastSeen, surveyedAt);
  return ageDays > FORGOTTEN_DAYS ? 0 : 2 ** (-ageDays / HALF_LIFE_DAYS);
}

/** Days between a report and the survey; 0 without a readable date or from the future. */
export function measureAge(lastSeen: string | undefined, surveyedAt: string): number {
  const ageDays = (Date.parse(surveyedAt) - Date.parse(lastSeen ?? "")) / DAY_MS;
  return Number.isNaN(ageDays) ? 0 : Math.max(ageDays, 0);
}
