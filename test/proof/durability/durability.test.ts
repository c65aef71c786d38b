import { describe, expect, test } from "bun:test";
import { CASES } from "./cases.ts";
import { COMPILER } from "./failing_disk.ts";

const SEED = 20_260_305;

/** A sample of every case; `bun test/proof/durability/run.ts` is the whole proof. */
describe("acknowledged writes stay", () => {
  for (const [name, prove] of Object.entries(CASES)) {
    // Without a C compiler no write can fail.
    test.skipIf(COMPILER === null && name.startsWith("fail_writes"))(
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
