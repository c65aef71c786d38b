import { createRateWindow } from "./create_window.ts";
import type { RateWindow } from "./window.ts";

const MINUTE_MS = 60_000;

/**
 * Clients remembered by the windows of first lookups and refreshes, at most: few ever get there, and whoever is
 * forgotten is still counted by the permit book, so that this costs a question to the database and no exactness.
 */
const MAX_SURVEY_KEYS = 2 ** 15;

/** The per-client limits: all lookups, lookups of addresses that must be surveyed, and forced refreshes. */
export interface ClientLimits {
  readonly lookups: RateWindow;
  readonly newSurveys: RateWindow;
  readonly refreshes: RateWindow;
}

/** Limits per client and minute, and how many clients are remembered. `seed` as in createRateWindow. */
export interface ClientLimitsOptions {
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly refreshPerMinute: number;
  /** Clients that the window of lookups remembers; the other two at most 32 768 of them. */
  readonly maxKeys: number;
  readonly seed?: number;
}

/**
 * Creates the three per-client windows of one minute each. They know nothing of each other: the caller takes from
 * those that apply.
 * @throws RangeError when an option is out of range.
 */
export function createClientLimits(options: ClientLimitsOptions): ClientLimits {
  const { maxKeys, seed } = options;
  const surveyKeys = Math.min(maxKeys, MAX_SURVEY_KEYS);
  const perMinute = (limit: number, keys: number) =>
    createRateWindow({ limit, windowMs: MINUTE_MS, maxKeys: keys, ...(seed === undefined ? {} : { seed }) });
  return {
    lookups: perMinute(options.lookupsPerMinute, maxKeys),
    newSurveys: perMinute(options.newPerMinute, surveyKeys),
    refreshes: perMinute(options.refreshPerMinute, surveyKeys),
  };
}
