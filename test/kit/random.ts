/** Creates numbers from 0 to 1 that a seed above 0 repeats: Lehmer's generator, whose low bits are weak. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Draws whole numbers below a bound. */
export type Draw = (below: number) => number;

/** Creates a {@link Draw} with the same numbers each time. */
export function createDraw(seed = 20_261_122): Draw {
  const random = createRandom(seed);
  return (below) => Math.floor(random() * below);
}
