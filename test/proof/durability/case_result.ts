import { createRandom } from "#kit";
import { inFolder } from "./folders.ts";

/** The result of one case: the number of runs, what was seen, and every failure. */
export interface CaseResult {
  readonly name: string;
  readonly runs: number;
  readonly seen: string;
  readonly failures: readonly string[];
}

/** How much of a case is run: `quick` is a sample for every change, `full` the whole proof. */
export type Extent = "quick" | "full";

/** Undefined = a program that the case needs is missing. */
export type Case = (extent: Extent, seed: number) => Promise<CaseResult | undefined>;

/** What a case gets: an empty folder, how often it runs, and random numbers that a seed repeats. */
export interface CaseRun {
  readonly folder: string;
  readonly runs: number;
  readonly extent: Extent;
  readonly chance: () => number;
  readonly fail: (what: string) => void;
}

/** Defines a case. `prove` returns what was seen. */
export function defineCase(
  name: string,
  runs: Readonly<Record<Extent, number>>,
  prove: (run: CaseRun) => Promise<string | undefined>,
): Case {
  return (extent, seed) =>
    inFolder(async (folder) => {
      const failures: string[] = [];
      const chance = createRandom((seed % 2_147_483_646) + 1);
      const fail = (what: string) => void failures.push(what);
      const seen = await prove({ folder, runs: runs[extent], extent, chance, fail });
      return seen === undefined ? undefined : { name, runs: runs[extent], seen, failures };
    });
}
