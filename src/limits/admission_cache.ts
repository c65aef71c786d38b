import { LRUCache } from "lru-cache";

/** A count that was read is valid this long. */
const FRESH_MS = 5000;

/** Clients in memory. A client that is removed costs one read of the database. */
const MAX_CLIENTS = 16_384;

/** The longest window. When a window seems full for longer, the clock was set back after it was recorded. */
const MAX_FULL_MS = 60_000;

interface Count {
  readonly day: number;
  readonly used: number;
  /** When the read started, milliseconds since the epoch. */
  readonly at: number;
  /** When it was recorded, as a sequence number. */
  readonly recorded: number;
}

/**
 * The counts and windows of the database that this process knows. Reads overlap, so their answers may arrive in
 * another order. Each read takes a sequence number ({@link AdmissionCache.startRead}); its answer is compared with
 * what was recorded meanwhile. An answer to a read that started before a refund is not valid.
 */
export class AdmissionCache {
  #sequence = 0;
  #refunded = 0;
  #total: Count | undefined;
  readonly #clients = new LRUCache<string, Count>({ max: MAX_CLIENTS });
  readonly #fullUntil = new LRUCache<string, number>({ max: MAX_CLIENTS });

  /** The sequence number of a read that starts now. */
  startRead(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** Records a client's count of a day, read at `at`. */
  setClient(key: string, day: number, used: number, at: number, started: number): void {
    const known = this.#clients.get(key);
    const count = this.#merge(known, { day, used, at, recorded: this.startRead() }, started);
    this.#clients.set(known === undefined ? copyText(key) : key, count);
  }

  /** Records the count of all clients of a day, read at `at`. */
  setTotal(day: number, used: number, at: number, started: number): void {
    this.#total = this.#merge(this.#total, { day, used, at, recorded: this.startRead() }, started);
  }

  /** Records that a window is full until a time. */
  setFull(window: string, until: number, started: number): void {
    if (started > this.#refunded) this.#fullUntil.set(copyText(window), until);
  }

  /** Milliseconds until a full window has room; 0 when it has room or nothing is known. */
  fullForMs(window: string, now: number): number {
    const waitMs = (this.#fullUntil.get(window) ?? 0) - now;
    return waitMs > 0 && waitMs <= MAX_FULL_MS ? waitMs : 0;
  }

  /** The client's count of the day, or undefined when it was not read in the last 5 seconds. */
  clientUsed(key: string, day: number, now: number): number | undefined {
    return readFresh(this.#clients.get(key), day, now);
  }

  /** The count of all clients of the day, or undefined when it was not read in the last 5 seconds. */
  totalUsed(day: number, now: number): number | undefined {
    return readFresh(this.#total, day, now);
  }

  /** The client's last known count of the day, of any age. */
  lastClientUsed(key: string, day: number): number {
    const count = this.#clients.get(key);
    return count?.day === day ? count.used : 0;
  }

  /** The last known count of all clients of the day, of any age. */
  lastTotalUsed(day: number): number {
    return this.#total?.day === day ? this.#total.used : 0;
  }

  /** Changes the counts in memory only; `by` is 1, or -1 for a refund. */
  change(key: string, day: number, by: 1 | -1): void {
    const client = this.#clients.get(key);
    const known = client?.day === day ? client : undefined;
    if (known !== undefined || by === 1) {
      this.#clients.set(client === undefined ? copyText(key) : key, this.#add(known, day, by));
    }
    const total = this.#total?.day === day ? this.#total : undefined;
    if (total !== undefined || by === 1) this.#total = this.#add(total, day, by);
  }

  /**
   * Marks counts and windows as old after a refund in the database: they are read again before they refuse a request.
   */
  invalidate(key: string, windows: readonly string[]): void {
    this.#refunded = this.startRead();
    for (const window of windows) this.#fullUntil.delete(window);
    const client = this.#clients.get(key);
    if (client !== undefined) this.#clients.set(key, makeStale(client));
    if (this.#total !== undefined) this.#total = makeStale(this.#total);
  }

  #add(known: Count | undefined, day: number, by: number): Count {
    const used = Math.max(0, (known?.used ?? 0) + by);
    return { day, used, at: known?.at ?? Number.NEGATIVE_INFINITY, recorded: this.startRead() };
  }

  #merge(known: Count | undefined, count: Count, started: number): Count {
    // Of two overlapping answers, the higher count is the later one, because no refund happened between them.
    const overlaps = known?.day === count.day && known.recorded > started;
    const later = overlaps && known.used > count.used ? known : count;
    return started > this.#refunded ? later : makeStale(later);
  }
}

/**
 * Returns a count that is no longer valid, but still is the first value when this process counts without the
 * database.
 */
function makeStale(count: Count): Count {
  return { ...count, at: Number.NEGATIVE_INFINITY };
}

function readFresh(count: Count | undefined, day: number, now: number): number | undefined {
  if (count === undefined || count.day !== day) return undefined;
  const ageMs = now - count.at;
  return ageMs >= 0 && ageMs <= FRESH_MS ? count.used : undefined;
}

/** Copies a key: a key that is a slice of a long header keeps the whole header in memory. */
function copyText(key: string): string {
  return Buffer.from(key).toString();
}
