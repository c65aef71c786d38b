/** The result of hostile answers to a reader. */
export interface Fuzzed {
  readonly runs: number;
  /** How many were refused, and how many were read. */
  readonly refused: number;
  readonly taken: number;
  /** Time of one call, in milliseconds. */
  readonly p99Ms: number;
  readonly mostMs: number;
  /** The largest thing made of an answer, as characters of JSON. */
  readonly mostCharacters: number;
}

/** Names on the prototypes that everything inherits from: no answer may add one. */
const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Map.prototype];

/** Every 10 µs up to 20 ms; what is slower is in the last. */
const STEP_MS = 0.01;
const STEPS = 2_000;

/** A call that took this long is made again: other work of the machine, or of the collector of garbage, is not its fault. */
const SUSPECT_MS = 5;
const AGAIN = 3;

function timeAgain(call: () => unknown): readonly number[] {
  return Array.from({ length: AGAIN }, () => {
    const startedAt = performance.now();
    try {
      call();
    } catch {
      // The first call checked what it throws.
    }
    return performance.now() - startedAt;
  });
}

/**
 * Calls `read` again and again. It may throw what `isRefusal` knows and nothing else; what it gives back is handed to
 * `check`, which gives its size in characters.
 * @throws with the answer when a reader does anything else.
 */
export function fuzzReader(options: {
  readonly runs: number;
  readonly make: (turn: number) => unknown;
  readonly read: (answer: unknown) => unknown;
  readonly isRefusal: (error: unknown) => boolean;
  readonly check: (made: unknown) => number;
}): Fuzzed {
  const before = namesOf();
  const times = new Uint32Array(STEPS + 1);
  let refused = 0;
  let taken = 0;
  let mostMs = 0;
  let mostCharacters = 0;
  for (let turn = 0; turn < options.runs; turn += 1) {
    const answer = options.make(turn);
    const startedAt = performance.now();
    let made: unknown;
    try {
      made = options.read(answer);
      taken += 1;
    } catch (error) {
      if (!options.isRefusal(error)) throw new Error(`Answer ${turn} ${show(answer)}`, { cause: error });
      refused += 1;
    }
    const firstMs = performance.now() - startedAt;
    const ms = firstMs < SUSPECT_MS ? firstMs : Math.min(firstMs, ...timeAgain(() => options.read(answer)));
    mostMs = Math.max(mostMs, ms);
    const step = Math.min(STEPS, Math.floor(ms / STEP_MS));
    times[step] = (times[step] ?? 0) + 1;
    if (made !== undefined) mostCharacters = Math.max(mostCharacters, options.check(made));
  }
  if (namesOf() !== before) throw new Error("Cannot go on: a prototype was changed");
  return {
    runs: options.runs,
    refused,
    taken,
    p99Ms: percentile(times, options.runs),
    mostMs,
    mostCharacters,
  };
}

/** True when nothing in it can be changed any more, at any depth. */
export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

function namesOf(): string {
  return PROTOTYPES.map((one) => Object.getOwnPropertyNames(one).join()).join("\n");
}

function percentile(times: Uint32Array, runs: number): number {
  let seen = 0;
  for (const [step, count] of times.entries()) {
    seen += count;
    if (seen >= runs * 0.99) return (step + 1) * STEP_MS;
  }
  return Number.POSITIVE_INFINITY;
}

function show(answer: unknown): string {
  try {
    return (JSON.stringify(answer) ?? String(answer)).slice(0, 2_000);
  } catch {
    return "that cannot be shown";
  }
}
