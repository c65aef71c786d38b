import HOSTILE from "../../fixtures/hostile_values.json" with { type: "json" };

/** Makes hostile values out of good ones. The same seed makes the same values. */
export type Mutator = ReturnType<typeof createMutator>;

const KEYS = HOSTILE.keys;
const WORDS = HOSTILE.words;
// biome-ignore format: a table of numbers
const NUMBERS = [
  0, -0, 1, -1, 0.5, 1e-9, 100, 101, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53,
  2 ** 53 + 2, -(2 ** 53), 1e21, 1e308, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN,
];
/** Texts on which a backtracking regular expression is slow. */
export const REPEATED = HOSTILE.repeated;
const LONG = [64, 255, 256, 4_096, 65_536];
const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 60;

/** Creates a {@link Mutator}; the generator of numbers is mulberry32. */
export function createMutator(seed: number) {
  let state = seed >>> 0;

  function random(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function below(limit: number): number {
    return Math.floor(random() * limit);
  }

  function pick<Value>(values: readonly Value[]): Value {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error("Cannot pick from nothing");
    return value;
  }

  /** Long ones are rare: there are a hundred thousand answers to make. */
  function longText(): string {
    const length = random() < 0.02 ? pick(LONG) : pick([16, 64, 300]);
    const unit = pick(REPEATED);
    const body = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return random() < 0.5 ? body : `${pick(WORDS)}${body}${pick(["", "!", "\n", "x"])}`;
  }

  function scalar(): unknown {
    switch (below(6)) {
      case 0:
        return null;
      case 1:
        return random() < 0.5;
      case 2:
        return pick(NUMBERS);
      case 3:
        return longText();
      default:
        return pick(WORDS);
    }
  }

  function json(depth = 4): unknown {
    const kind = depth <= 0 ? 0 : below(5);
    if (kind < 3) return scalar();
    const size = random() < 0.01 ? 2_000 : below(5);
    if (kind === 3) return Array.from({ length: size }, () => json(size > 100 ? 0 : depth - 1));
    // JSON.parse makes an own field of `__proto__`, and so must this.
    return Object.fromEntries(
      Array.from({ length: Math.min(size, 300) }, (_, at) => [
        at < 5 ? pick(KEYS) : `k${at}`,
        json(depth - 1),
      ]),
    );
  }

  function deep(): unknown {
    let value = scalar();
    for (let level = 0; level < MAX_DEPTH; level += 1)
      value = random() < 0.5 ? [value] : { [pick(["a", "x"])]: value };
    return value;
  }

  function evil(old: unknown): unknown {
    switch (below(8)) {
      case 0:
        return random() < 0.1 ? deep() : json(2);
      case 1:
        return Array.isArray(old) ? { ...old } : [old];
      case 2:
        return typeof old === "string" ? `${old}${pick(WORDS)}` : (JSON.stringify(old) ?? "").slice(0, 1_000);
      case 3:
        return Array.isArray(old) && old.length > 0 && random() < 0.2
          ? Array.from({ length: 1_000 }, () => old[0])
          : scalar();
      default:
        return scalar();
    }
  }

  function change(value: unknown, depth: number): unknown {
    if (typeof value !== "object" || value === null || depth > 12 || random() < 0.12) return evil(value);
    if (Array.isArray(value)) {
      if (value.length === 0) return [json(1)];
      const at = below(value.length);
      return value.with(at, change(value[at], depth + 1));
    }
    const entries = Object.entries(value);
    if (entries.length === 0 || random() < 0.08)
      return Object.fromEntries([...entries, [pick(KEYS), json(1)]]);
    const at = below(entries.length);
    if (random() < 0.08) return Object.fromEntries(entries.toSpliced(at, 1));
    return Object.fromEntries(
      entries.map(([key, item], index) => [key, index === at ? change(item, depth + 1) : item]),
    );
  }

  return {
    /** 0 up to 1. */
    random,
    pick,
    /** Any JSON. */
    json,
    /** A copy in which some places hold something else; shares what was not touched. */
    mutate(value: unknown): unknown {
      let mutated = value;
      for (let turn = 1 + below(3); turn > 0; turn -= 1) mutated = change(mutated, 0);
      return mutated;
    },
    /** Text with something wrong in it; at most 65 536 characters. */
    text(good: string): string {
      let text = good;
      for (let turn = 1 + below(3); turn > 0; turn -= 1) {
        const at = below(text.length + 1);
        const end = Math.min(text.length, at + below(20));
        const piece = pick([
          () => pick(WORDS),
          longText,
          () => "\n",
          () => text.slice(at, end).repeat(3),
          () => String.fromCharCode(below(0x3000)),
        ])();
        text = random() < 0.5 ? text.slice(0, at) + piece + text.slice(end) : text.slice(0, at) + piece;
      }
      return text.slice(0, MAX_CHARACTERS);
    },
  };
}
