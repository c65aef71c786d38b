import { MINUTE_MS } from "#common";
import { createRateWindow, type RateWindow } from "./rate_window.ts";

/**
 * Clients that the window of lookups keeps: twice the /64 networks of a /48, the largest network that one site
 * usually has. So one site cannot remove other clients from the window. A site with more networks has the full limit
 * of each of them anyway.
 */
const MAX_CLIENTS = 131_072;

/**
 * Clients that the windows of surveys keep. The limit of a removed client stays exact, because the next request reads
 * its surveys from the database.
 */
const MAX_SURVEY_CLIENTS = 32_768;

/** The limits of one client per minute: all lookups, surveys of new addresses, and refreshes. */
export interface ClientLimits {
  readonly lookups: RateWindow;
  readonly newSurveys: RateWindow;
  readonly refreshes: RateWindow;
}

/** Limits per client and minute. */
export interface ClientLimitsOptions {
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly refreshPerMinute: number;
  /** Clients in memory. Default 131 072 for lookups and at most 32 768 for each window of surveys. */
  readonly maxClients?: number;
}

/**
 * Creates the rate windows of clients. They are independent: the caller takes from each that applies.
 * @throws RangeError when an option is out of range.
 */
export function createClientLimits(options: ClientLimitsOptions): ClientLimits {
  const { maxClients = MAX_CLIENTS } = options;
  const perMinute = (limit: number, maxKeys: number) =>
    createRateWindow({ limit, windowMs: MINUTE_MS, maxKeys });
  const maxSurveyClients = Math.min(maxClients, MAX_SURVEY_CLIENTS);
  return {
    lookups: perMinute(options.lookupsPerMinute, maxClients),
    newSurveys: perMinute(options.newPerMinute, maxSurveyClients),
    refreshes: perMinute(options.refreshPerMinute, maxSurveyClients),
  };
}
