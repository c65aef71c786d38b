import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SourceRun } from "#evidence";
import { sortRuns } from "../../src/evidence/runs.ts";
import { completeRun } from "../scoring/surveys.ts";

const runOf = (id: string, ms: number) => completeRun({ id, ms });

/** Sorts by id, and then by the JSON of the run. */
function sortPlainly(runs: readonly SourceRun[]): readonly SourceRun[] {
  const keyOf = (run: SourceRun) => [run.id, JSON.stringify(run)] as const;
  return runs.toSorted((a, b) => {
    const [idA, allA] = keyOf(a);
    const [idB, allB] = keyOf(b);
    if (idA !== idB) return idA < idB ? -1 : 1;
    return allA === allB ? 0 : allA < allB ? -1 : 1;
  });
}

describe("sortRuns()", () => {
  test("returns what plain sorting returns, in every state of the cache", () => {
    const id = fc.oneof(
      fc.constantFrom("a", "b", "__proto__", "constructor", "10", "9", ""),
      fc.string({ maxLength: 3 }),
    );
    const runs = fc.array(
      fc.tuple(id, fc.nat(3)).map(([name, ms]) => runOf(name, ms)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(runs, (some) => {
        expect(sortRuns(some)).toEqual([...sortPlainly(some)]);
        expect(sortRuns(some.toReversed())).toEqual([...sortPlainly(some)]);
      }),
      { numRuns: 500 },
    );
  });

  test("works when there were more ids than the cache holds", () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const runs = Array.from({ length: 700 }, (_, at) => runOf(`id ${turn} ${(at * 7919) % 700}`, at));
      expect(sortRuns(runs)).toEqual([...sortPlainly(runs)]);
    }
  });
});
