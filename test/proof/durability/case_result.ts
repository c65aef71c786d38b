import { createRandom } from "#kit";

/** The result of one case: the number of runs, what was seen, and every failure. */
export interface CaseResult {
  readonly name: string;
  readonly runs: number;
  readonly seen: string;
  readonly failures: readonly string[];
}

/** How much of a case is run: `quick` is a sample for every change, `full` the whole proof. */
export type Extent = "quick" | "full";

/** The random numbers of a run, which a seed repeats. */
export function createChance(seed: number): () => number {
  return createRandom((seed % 2_147_483_646) + 1);
}
