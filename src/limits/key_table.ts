const EMPTY = -1;
const FIRST_CAPACITY = 1024;

/**
 * Gives string keys small slot numbers and keeps them in order of last use, in typed arrays: 28 bytes a key.
 * A key is known by a seeded 64-bit fingerprint (two MurmurHash3-style 32-bit lanes), not by its text: among a
 * million keys two share a slot with a probability of 3 in 100 million.
 */
export class KeyTable {
  readonly #maxKeys: number;
  readonly #seed: number;
  #capacity = 0;
  #size = 0;
  #freshSlots = 0;
  #freeSlot = EMPTY;
  #oldest = EMPTY;
  #newest = EMPTY;
  /** Open addressing with linear probing; a slot number or EMPTY. */
  #buckets = new Int32Array(0);
  #high = new Int32Array(0);
  #low = new Int32Array(0);
  #older = new Int32Array(0);
  #newer = new Int32Array(0);
  #wantedHigh = 0;
  #wantedLow = 0;

  constructor(maxKeys: number, seed: number) {
    this.#maxKeys = maxKeys;
    this.#seed = seed | 0;
    this.#grow();
  }

  get size(): number {
    return this.#size;
  }

  /** Slot numbers are below this. */
  get capacity(): number {
    return this.#capacity;
  }

  get isFull(): boolean {
    return this.#size === this.#maxKeys;
  }

  /** The slot used longest ago, or -1. */
  get oldest(): number {
    return this.#oldest;
  }

  get bytes(): number {
    return this.#buckets.byteLength + 4 * this.#high.byteLength;
  }

  /** The slot of a key, or -1. */
  find(key: string): number {
    this.#fingerprint(key);
    const mask = this.#buckets.length - 1;
    for (let bucket = this.#wantedLow & mask; ; bucket = (bucket + 1) & mask) {
      const slot = this.#buckets[bucket] ?? EMPTY;
      if (slot === EMPTY) return EMPTY;
      if (this.#low[slot] === this.#wantedLow && this.#high[slot] === this.#wantedHigh) return slot;
    }
  }

  /** Adds a key that {@link find} did not find, as the one used last. The table must not be full. */
  add(key: string): number {
    this.#fingerprint(key);
    if (this.#size === this.#capacity) this.#grow();
    let slot = this.#freeSlot;
    if (slot === EMPTY) slot = this.#freshSlots++;
    else this.#freeSlot = this.#older[slot] ?? EMPTY;
    this.#high[slot] = this.#wantedHigh;
    this.#low[slot] = this.#wantedLow;
    this.#place(slot);
    this.#append(slot);
    this.#size++;
    return slot;
  }

  /** Makes a slot the one used last. */
  touch(slot: number): void {
    if (slot === this.#newest) return;
    this.#unlink(slot);
    this.#append(slot);
  }

  remove(slot: number): void {
    this.#unlink(slot);
    this.#displace(slot);
    this.#older[slot] = this.#freeSlot;
    this.#freeSlot = slot;
    this.#size--;
  }

  #append(slot: number): void {
    this.#older[slot] = this.#newest;
    this.#newer[slot] = EMPTY;
    if (this.#newest === EMPTY) this.#oldest = slot;
    else this.#newer[this.#newest] = slot;
    this.#newest = slot;
  }

  #unlink(slot: number): void {
    const older = this.#older[slot] ?? EMPTY;
    const newer = this.#newer[slot] ?? EMPTY;
    if (older === EMPTY) this.#oldest = newer;
    else this.#newer[older] = newer;
    if (newer === EMPTY) this.#newest = older;
    else this.#older[newer] = older;
  }

  #place(slot: number): void {
    const mask = this.#buckets.length - 1;
    let bucket = (this.#low[slot] ?? 0) & mask;
    while (this.#buckets[bucket] !== EMPTY) bucket = (bucket + 1) & mask;
    this.#buckets[bucket] = slot;
  }

  /** Empties the slot's bucket and closes the gap, so that no tombstones gather. */
  #displace(slot: number): void {
    const mask = this.#buckets.length - 1;
    let gap = (this.#low[slot] ?? 0) & mask;
    while (this.#buckets[gap] !== slot) gap = (gap + 1) & mask;
    for (let bucket = (gap + 1) & mask; ; bucket = (bucket + 1) & mask) {
      const other = this.#buckets[bucket] ?? EMPTY;
      if (other === EMPTY) break;
      const home = (this.#low[other] ?? 0) & mask;
      // Whoever may not stand before its home bucket stays.
      if (((bucket - home) & mask) < ((bucket - gap) & mask)) continue;
      this.#buckets[gap] = other;
      gap = bucket;
    }
    this.#buckets[gap] = EMPTY;
  }

  #grow(): void {
    this.#capacity = Math.min(this.#maxKeys, Math.max(FIRST_CAPACITY, this.#capacity * 2));
    this.#high = enlarge(this.#high, this.#capacity);
    this.#low = enlarge(this.#low, this.#capacity);
    this.#older = enlarge(this.#older, this.#capacity);
    this.#newer = enlarge(this.#newer, this.#capacity);
    this.#buckets = new Int32Array(2 ** Math.ceil(Math.log2(this.#capacity * 1.5))).fill(EMPTY);
    for (let slot = this.#oldest; slot !== EMPTY; slot = this.#newer[slot] ?? EMPTY) this.#place(slot);
  }

  #fingerprint(key: string): void {
    let high = this.#seed;
    let low = ~this.#seed;
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i);
      high = Math.imul(high ^ code, 0x85ebca6b);
      high = (high << 13) | (high >>> 19);
      low = Math.imul(low ^ code, 0xcc9e2d51);
      low = (low << 15) | (low >>> 17);
    }
    this.#wantedHigh = finish(high ^ key.length);
    this.#wantedLow = finish(low ^ key.length);
  }
}

/** The finaliser of MurmurHash3, https://github.com/aappleby/smhasher (public domain). */
function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function enlarge(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
