import { describe, expect, test } from "bun:test";
import { fuzzSource, READERS } from "../../proof/faults/fuzz_sources.ts";

/** The long form is in test/proof/faults. */
const RUNS = 1_000;
/** A reader takes microseconds; this is what a machine with better things to do may make of it. */
const MOST_P99_MS = 5;
const MOST_CHARACTERS = 65_536;

describe("read, fed with hostile answers", () => {
  test.each(READERS.map((source, at) => [source.id, source, at] as const))(
    "of %s refuses them, or says something bounded, in no time",
    (_, source, at) => {
      const { refused, taken, p99Ms, mostCharacters } = fuzzSource(source, RUNS, at + 1);
      expect(refused + taken).toBe(RUNS);
      expect(refused).toBeGreaterThan(0);
      expect(p99Ms).toBeLessThan(MOST_P99_MS);
      expect(mostCharacters).toBeLessThan(MOST_CHARACTERS);
    },
  );
});
