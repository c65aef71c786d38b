/**
 * `bun test/proof/durability/run.ts [--quick] [--seed=N] [CASE…]` checks that acknowledged writes stay, whatever
 * happens to the process, the disk or the file. Exit code 1 when a case fails.
 */
import { readArguments, runCases } from "../run_cases.ts";
import { CASES } from "./cases.ts";

const { extent, named, readNumber } = readArguments();
const seed = readNumber("seed", 20_260_305);
console.log(`seed ${seed}`);
await runCases(
  named,
  Object.fromEntries(Object.entries(CASES).map(([name, prove]) => [name, () => prove(extent, seed)])),
  ({ name, runs, seen }) => [`${name}: ${runs} runs, ${seen}`],
);
