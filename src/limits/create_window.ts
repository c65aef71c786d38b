import { KeyTable } from "./key_table.ts";
import { MomentPool } from "./moment_pool.ts";
import type { RateState, RateWindow } from "./window.ts";

/** Differences of moments must fit 31 bits, and the oldest kept is less than five windows old. */
const MAX_WINDOW_MS = 2 ** 28;
const MAX_KEYS = 2 ** 24;
const MAX_LIMIT = 1_000_000;

/** Admissions remembered per key on average, at most; above it the idlest keys are forgotten first. */
const MOMENTS_PER_KEY = 3;

/** How a window is laid out. `seed` keeps outsiders from aiming at somebody's slot; drawn at random when absent. */
export interface RateWindowOptions {
  /** Admissions of one key in any span of `windowMs`; 0 refuses everything. */
  readonly limit: number;
  /** At most 2^28, about three days. */
  readonly windowMs: number;
  /** Keys remembered at once, at most 2^24; when full, the key admitted longest ago is forgotten. */
  readonly maxKeys: number;
  readonly seed?: number;
}

/**
 * Creates an exact sliding window. A question costs constant time whatever the number of keys, and at most `limit`
 * steps over the key's own admissions. A key costs about 41 bytes with one admission and 57 with three, the most
 * that keys may have on average; keys idle for two windows are forgotten.
 * @throws RangeError when an option is out of range.
 */
export function createRateWindow(options: RateWindowOptions): RateWindow {
  const { limit, windowMs, maxKeys } = options;
  requireInteger("limit", limit, 0, MAX_LIMIT);
  requireInteger("windowMs", windowMs, 1, MAX_WINDOW_MS);
  requireInteger("maxKeys", maxKeys, 1, MAX_KEYS);
  const seed = options.seed ?? crypto.getRandomValues(new Int32Array(1))[0] ?? 0;
  const keepMs = 2 * windowMs;
  const maxMoments = Math.max(limit, maxKeys * Math.min(limit, MOMENTS_PER_KEY));

  let keys = new KeyTable(maxKeys, seed);
  let moments = new MomentPool(maxMoments);
  /** Of each slot: its newest admission and how many are kept, at most `limit`. */
  let newest = new Int32Array(0);
  let counts = new Int32Array(0);
  let latest = Number.NEGATIVE_INFINITY;
  let offset = 0;

  /** Moves time on, forgets idle keys, and returns `now` on the window's own, never far decreasing, time line. */
  function advance(now: number): number {
    if (!Number.isFinite(now)) throw new RangeError(`Cannot read the clock: now is ${now}`);
    let time = now + offset;
    if (time < latest - windowMs) {
      // The clock was set back: nobody gains a fresh window by it, nor waits for the old time to come again.
      offset += latest - time;
      time = latest;
    }
    if (time - latest > keepMs) forgetAll();
    if (time > latest) latest = time;
    const ticks = Math.floor(latest) | 0;
    for (let slot = keys.oldest; slot >= 0; slot = keys.oldest) {
      if (age(ticks, newest[slot] ?? 0) < keepMs) break;
      forget(slot);
    }
    return time;
  }

  function forgetAll(): void {
    if (keys.size === 0) return;
    keys = new KeyTable(maxKeys, seed);
    moments = new MomentPool(maxMoments);
    newest = new Int32Array(0);
    counts = new Int32Array(0);
  }

  function forget(slot: number): void {
    moments.dropAll(newest[slot] ?? 0);
    keys.remove(slot);
  }

  function age(ticks: number, moment: number): number {
    return (ticks - moments.at(moment)) | 0;
  }

  function admit(key: string, found: number, time: number): number {
    const ticks = Math.ceil(time) | 0;
    let slot = found;
    if (slot < 0) {
      if (keys.isFull) forget(keys.oldest);
      slot = keys.add(key);
      if (slot >= newest.length) {
        newest = enlarge(newest, keys.capacity);
        counts = enlarge(counts, keys.capacity);
      }
      counts[slot] = 0;
    } else keys.touch(slot);

    const count = counts[slot] ?? 0;
    const last = count === 0 ? -1 : (newest[slot] ?? 0);
    // Within a key moments never decrease, so that a late call cannot hide behind an earlier one.
    const at = last >= 0 && age(ticks, last) < 0 ? moments.at(last) : ticks;
    if (count === limit) {
      newest[slot] = moments.rotate(last, at);
      return slot;
    }
    // The key itself was just made the newest, and alone it cannot fill the pool.
    while (moments.isFull) forget(keys.oldest);
    newest[slot] = moments.add(last, at);
    counts[slot] = count + 1;
    return slot;
  }

  /** Gives back the memory of admissions that no question can reach any more. */
  function dropStale(slot: number): void {
    const ticks = Math.floor(latest) | 0;
    const last = newest[slot] ?? 0;
    let count = counts[slot] ?? 0;
    while (count > 1 && age(ticks, moments.next(last)) >= keepMs) {
      moments.dropAfter(last);
      count--;
    }
    counts[slot] = count;
  }

  function hasRoom(slot: number, time: number): boolean {
    if (slot < 0) return limit > 0;
    if ((counts[slot] ?? 0) < limit) return true;
    return age(Math.floor(time) | 0, moments.next(newest[slot] ?? 0)) >= windowMs;
  }

  function describe(slot: number, time: number, admitted: boolean): RateState {
    if (limit === 0) return { admitted, remaining: 0, retryAfterMs: windowMs, resetMs: windowMs };
    if (slot < 0) return { admitted, remaining: limit, retryAfterMs: 0, resetMs: 0 };
    const ticks = Math.floor(time) | 0;
    let spent = counts[slot] ?? 0;
    let moment = moments.next(newest[slot] ?? 0);
    while (spent > 0 && age(ticks, moment) >= windowMs) {
      moment = moments.next(moment);
      spent--;
    }
    const resetMs = spent === 0 ? 0 : windowMs - age(ticks, moment);
    return { admitted, remaining: limit - spent, retryAfterMs: spent === limit ? resetMs : 0, resetMs };
  }

  return {
    limit,
    windowMs,
    take(key, now) {
      const time = advance(now);
      let slot = keys.find(key);
      if (slot >= 0) dropStale(slot);
      const admitted = hasRoom(slot, time);
      if (admitted) slot = admit(key, slot, time);
      return describe(slot, time, admitted);
    },
    peek(key, now) {
      const time = advance(now);
      const slot = keys.find(key);
      return describe(slot, time, hasRoom(slot, time));
    },
    refund(key, takenAt) {
      const slot = keys.find(key);
      if (slot < 0) return;
      const taken = Math.ceil(takenAt + offset) | 0;
      const count = counts[slot] ?? 0;
      let before = newest[slot] ?? 0;
      for (let step = 0; step < count; step++) {
        const moment = moments.next(before);
        // No other will do: what the take paid for may have left the window since, and then nothing is owed.
        if (moments.at(moment) === taken) {
          if (count === 1) return forget(slot);
          moments.dropAfter(before);
          if (moment === newest[slot]) newest[slot] = before;
          counts[slot] = count - 1;
          return;
        }
        before = moment;
      }
    },
    get size() {
      return keys.size;
    },
    get bytes() {
      return keys.bytes + moments.bytes + newest.byteLength + counts.byteLength;
    },
  };
}

function enlarge(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

function requireInteger(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(
    `Cannot create a window: ${name} is ${value}, not an integer from ${least} to ${most}`,
  );
}
