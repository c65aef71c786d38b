import { describe, expect, test } from "bun:test";
import { findProgram } from "#kit";
import { CASES } from "./cases.ts";

const SEED = 20_260_305;

/** A sample of every case; `bun test/proof/durability/run.ts` is the whole proof. */
describe("acknowledged writes stay", () => {
  for (const [name, prove] of Object.entries(CASES)) {
    // The library that lets writes fail is compiled.
    const isMissing = name.startsWith("fail_writes") && findProgram("gcc") === undefined;
    test.skipIf(isMissing)(
      name,
      async () => {
        const result = await prove("quick", SEED);
        expect(result?.failures).toEqual([]);
        expect(result?.runs).toBeGreaterThan(0);
      },
      60_000,
    );
  }
});
