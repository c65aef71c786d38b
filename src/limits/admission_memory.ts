import { LRUCache } from "lru-cache";

/** How long a count that was read is believed. */
const BELIEVED_MS = 5000;

/** Clients remembered; whoever is forgotten costs one question to the database. */
const MAX_CLIENTS = 16_384;

/** No window is longer, so that what is said to be full for longer was said by another clock. */
const MAX_FULL_MS = 60_000;

interface Count {
  readonly day: number;
  readonly used: number;
  /** The moment it was asked for, milliseconds since the epoch. */
  readonly at: number;
  /** When it was learned, in the order of things. */
  readonly heard: number;
}

/**
 * What is remembered of the counts and windows in the database. Questions overlap, so that answers may come in
 * another order than they were given: every question is numbered by {@link AdmissionMemory.begin}, and what it
 * learned is fitted in by that number. Whatever was asked before something was given back teaches nothing.
 */
export class AdmissionMemory {
  #order = 0;
  #freedAt = 0;
  #total: Count | undefined;
  readonly #clients = new LRUCache<string, Count>({ max: MAX_CLIENTS });
  readonly #fullUntil = new LRUCache<string, number>({ max: MAX_CLIENTS });

  /** The number of a question that is about to be asked. */
  begin(): number {
    this.#order += 1;
    return this.#order;
  }

  /** A client's count, the total and windows were given back to: all must be read anew before they refuse. */
  free(key: string, windows: readonly string[]): void {
    this.#freedAt = this.begin();
    for (const window of windows) this.#fullUntil.delete(window);
    const client = this.#clients.get(key);
    if (client !== undefined) this.#clients.set(key, outdate(client));
    if (this.#total !== undefined) this.#total = outdate(this.#total);
  }

  learnClient(key: string, day: number, used: number, at: number, begun: number): void {
    const known = this.#clients.get(key);
    const count = this.#fit(known, { day, used, at, heard: this.begin() }, begun);
    this.#clients.set(known === undefined ? ownCopy(key) : key, count);
  }

  learnTotal(day: number, used: number, at: number, begun: number): void {
    this.#total = this.#fit(this.#total, { day, used, at, heard: this.begin() }, begun);
  }

  /** A window is full until a moment. */
  learnFull(window: string, until: number, begun: number): void {
    if (begun > this.#freedAt) this.#fullUntil.set(ownCopy(window), until);
  }

  /** Milliseconds a window will still be full, 0 when that is not known. */
  fullForMs(window: string, now: number): number {
    const leftMs = (this.#fullUntil.get(window) ?? 0) - now;
    return leftMs > 0 && leftMs <= MAX_FULL_MS ? leftMs : 0;
  }

  /** What the client has used that day, or undefined when that was not heard lately. */
  clientUsed(key: string, day: number, now: number): number | undefined {
    return recall(this.#clients.get(key), day, now);
  }

  totalUsed(day: number, now: number): number | undefined {
    return recall(this.#total, day, now);
  }

  /** What the client had used that day when it was last heard of. */
  lastClientUsed(key: string, day: number): number {
    const count = this.#clients.get(key);
    return count?.day === day ? count.used : 0;
  }

  lastTotalUsed(day: number): number {
    return this.#total?.day === day ? this.#total.used : 0;
  }

  /** Counts without the database; `by` is 1, or -1 for what is given back. */
  count(key: string, day: number, by: 1 | -1): void {
    const client = this.#clients.get(key);
    const known = client?.day === day ? client : undefined;
    if (known !== undefined || by === 1) {
      this.#clients.set(client === undefined ? ownCopy(key) : key, this.#change(known, day, by));
    }
    const total = this.#total?.day === day ? this.#total : undefined;
    if (total !== undefined || by === 1) this.#total = this.#change(total, day, by);
  }

  #change(known: Count | undefined, day: number, by: number): Count {
    const used = Math.max(0, (known?.used ?? 0) + by);
    return { day, used, at: known?.at ?? Number.NEGATIVE_INFINITY, heard: this.begin() };
  }

  #fit(known: Count | undefined, count: Count, begun: number): Count {
    // Of answers that overlap, the one that counts more was given later: nothing was given back meanwhile.
    const overlaps = known?.day === count.day && known.heard > begun;
    const later = overlaps && known.used > count.used ? known : count;
    return begun > this.#freedAt ? later : outdate(later);
  }
}

/** Still good to go on from without a database, no longer to answer by. */
function outdate(count: Count): Count {
  return { ...count, at: Number.NEGATIVE_INFINITY };
}

function recall(count: Count | undefined, day: number, now: number): number | undefined {
  if (count === undefined || count.day !== day) return undefined;
  const age = now - count.at;
  return age >= 0 && age <= BELIEVED_MS ? count.used : undefined;
}

/** A key cut out of a long header would keep all of the header in memory. */
function ownCopy(key: string): string {
  return Buffer.from(key).toString();
}
