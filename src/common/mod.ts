/** Units and types that every module may use. Pure. It imports no other module. */

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** A share of 0 to 1 in whole percent. It is rounded, because 0.29 * 100 is a little less than 29. */
export function percentOf(share: number): number {
  return Math.round(share * 100);
}

/** The levels of a log line, from the least important. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one log line. `event` is snake_case; `fields` hold no address, client, key or other secret. Never throws. */
export type Log = (level: LogLevel, event: string, fields?: Record<string, unknown>) => void;

/** Calls `then` after `ms`, or every `ms`, until the returned function is called. */
export type StartTimer = (ms: number, then: () => void) => () => void;
