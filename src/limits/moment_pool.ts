const NONE = -1;
const FIRST_CAPACITY = 1024;

/**
 * Short rings of moments out of one pool, 8 bytes a moment. A ring is named by its newest moment, whose `next` is
 * its oldest. Moments are milliseconds modulo 2^32: only their differences mean anything.
 */
export class MomentPool {
  readonly #maxMoments: number;
  #fresh = 0;
  #free = NONE;
  #at = new Int32Array(FIRST_CAPACITY);
  #next = new Int32Array(FIRST_CAPACITY);

  constructor(maxMoments: number) {
    this.#maxMoments = maxMoments;
  }

  get isFull(): boolean {
    return this.#free === NONE && this.#fresh === this.#maxMoments;
  }

  get bytes(): number {
    return this.#at.byteLength + this.#next.byteLength;
  }

  at(moment: number): number {
    return this.#at[moment] ?? 0;
  }

  next(moment: number): number {
    return this.#next[moment] ?? NONE;
  }

  /** Adds a moment to the ring (-1 = no ring yet) and returns it, the new newest. The pool must not be full. */
  add(newest: number, at: number): number {
    let moment = this.#free;
    if (moment === NONE) {
      moment = this.#fresh++;
      if (moment === this.#at.length) this.#grow();
    } else this.#free = this.next(moment);
    this.#at[moment] = at;
    if (newest === NONE) this.#next[moment] = moment;
    else {
      this.#next[moment] = this.next(newest);
      this.#next[newest] = moment;
    }
    return moment;
  }

  /** Forgets the oldest moment of the ring, puts `at` in as the newest, and returns it. */
  rotate(newest: number, at: number): number {
    const moment = this.next(newest);
    this.#at[moment] = at;
    return moment;
  }

  /** Forgets the moment that follows `before` in a ring that has more than one; after the newest comes the oldest. */
  dropAfter(before: number): void {
    const moment = this.next(before);
    this.#next[before] = this.next(moment);
    this.#next[moment] = this.#free;
    this.#free = moment;
  }

  /** Forgets a whole ring. */
  dropAll(newest: number): void {
    const oldest = this.next(newest);
    this.#next[newest] = this.#free;
    this.#free = oldest;
  }

  #grow(): void {
    const length = Math.min(this.#maxMoments, this.#at.length * 2);
    const at = new Int32Array(length);
    const next = new Int32Array(length);
    at.set(this.#at);
    next.set(this.#next);
    this.#at = at;
    this.#next = next;
  }
}
