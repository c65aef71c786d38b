import { type Address, addressFromWords } from "#address";

/** The most addresses that are counted: 256 MiB, and 32 MiB more while they are sorted. */
export const MAX_COUNTED = 1 << 23;

const FIRST_PLACES = 1 << 12;
const WORDS = 4;

/** The words of ::ffff:0:0/96 before an IPv4 address (RFC 4291 section 2.5.5.2). */
const MAPPED = 0xffff;

/**
 * Counts how often each address occurs, for at most `max` addresses, a power of two. Each place takes 16 bytes for the words, 8
 * for the count, and 8 in an open hash table of indices (linear probing, at most half full). The places double, so an
 * address takes 32 to 64 bytes.
 */
export function createAddressCounts(max = MAX_COUNTED) {
  let places = Math.min(FIRST_PLACES, max);
  let words = new Uint32Array(places * WORDS);
  let counts = new Float64Array(places);
  let table = new Uint32Array(places * 2);
  let size = 0;

  function grow(): void {
    places *= 2;
    const moreWords = new Uint32Array(places * WORDS);
    moreWords.set(words);
    words = moreWords;
    const moreCounts = new Float64Array(places);
    moreCounts.set(counts);
    counts = moreCounts;
    table = new Uint32Array(places * 2);
    for (let index = 0; index < size; index++) {
      const at = index * WORDS;
      table[find(words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0, words[at + 3] ?? 0)] = index + 1;
    }
  }

  /** Returns the slot of the address, or the free slot where it belongs. A slot holds an index plus 1. */
  function find(w0: number, w1: number, w2: number, w3: number): number {
    const mask = table.length - 1;
    for (let slot = hash(w0, w1, w2, w3) & mask; ; slot = (slot + 1) & mask) {
      const entry = table[slot] ?? 0;
      if (entry === 0) return slot;
      const at = (entry - 1) * WORDS;
      if (words[at + 3] === w3 && words[at + 2] === w2 && words[at + 1] === w1 && words[at] === w0)
        return slot;
    }
  }

  return {
    /** Number of different addresses. */
    size: () => size,
    /** Counts an address. Returns false, and counts nothing, when it is new and there is no place for another. */
    add(address: Address): boolean {
      const [a = 0, b = 0, c = 0, d = 0] = address.words;
      const [w0, w1, w2, w3] = address.version === 4 ? [0, 0, MAPPED, a] : [a, b, c, d];
      let slot = find(w0, w1, w2, w3);
      if (table[slot] === 0) {
        if (size === max) return false;
        if (size === places) {
          grow();
          slot = find(w0, w1, w2, w3);
        }
        words.set([w0, w1, w2, w3], size * WORDS);
        size += 1;
        table[slot] = size;
      }
      const index = (table[slot] ?? 0) - 1;
      counts[index] = (counts[index] ?? 0) + 1;
      return true;
    },
    /** The addresses, the most frequent first, those with the same count in the order in which they first came. */
    *entries() {
      const order = Uint32Array.from({ length: size }, (_, index) => index);
      order.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
      for (const index of order) {
        const at = index * WORDS;
        // A mapped address becomes IPv4 here.
        const address = addressFromWords(6, words.subarray(at, at + WORDS));
        yield { address, count: counts[index] ?? 0 };
      }
    },
  };
}

/** Mixes the bits of the words (the finalizer of MurmurHash3), with the seed of this process against chosen input. */
function hash(w0: number, w1: number, w2: number, w3: number): number {
  let mixed = SEED;
  for (const word of [w0, w1, w2, w3]) {
    mixed = Math.imul(mixed ^ word, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return mixed >>> 0;
}

const SEED = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
