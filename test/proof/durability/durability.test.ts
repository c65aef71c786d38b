import { describe, expect, test } from "bun:test";
import { CASES } from "./cases.ts";

const SEED = 20_260_305;

/** A sample of every case; `bun test/proof/durability/run.ts` is the whole proof. */
describe("acknowledged writes stay", () => {
  for (const [name, prove] of Object.entries(CASES)) {
    test(name, async () => {
      const result = await prove("quick", SEED);
      // Without a C compiler no write can fail; one line reports this.
      if (result === undefined) {
        console.log(`skip  ${name}: no C compiler, \`apt-get install gcc\` brings one`);
        return;
      }
      expect(result.failures).toEqual([]);
      expect(result.runs).toBeGreaterThan(0);
    }, 60_000);
  }
});
