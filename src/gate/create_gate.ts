import { createWindow } from "./create_window.ts";
import type { Window } from "./window.ts";

const MINUTE_MS = 60_000;

/** The per-client limits: all lookups, lookups of addresses that must be surveyed, and forced refreshes. */
export interface Gate {
  readonly lookups: Window;
  readonly fresh: Window;
  readonly refreshes: Window;
}

/** Limits per client and minute, and how many clients each window remembers. `seed` as in createWindow. */
export interface GateOptions {
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly refreshPerMinute: number;
  readonly maxKeys: number;
  readonly seed?: number;
}

/**
 * Creates the three per-client windows of one minute each. They know nothing of each other: the caller takes from
 * those that apply.
 * @throws RangeError when an option is out of range.
 */
export function createGate(options: GateOptions): Gate {
  const { maxKeys, seed } = options;
  const perMinute = (limit: number) =>
    createWindow({ limit, windowMs: MINUTE_MS, maxKeys, ...(seed === undefined ? {} : { seed }) });
  return {
    lookups: perMinute(options.lookupsPerMinute),
    fresh: perMinute(options.newPerMinute),
    refreshes: perMinute(options.refreshPerMinute),
  };
}
