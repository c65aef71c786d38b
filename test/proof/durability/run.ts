/**
 * `bun test/proof/durability/run.ts [--quick] [--seed=N] [CASE…]` checks that acknowledged writes stay, whatever
 * happens to the process, the disk or the file. Exit code 1 when a case fails.
 */
import { loadavg } from "node:os";
import { CASES } from "./cases.ts";

const MOST_SHOWN = 20;

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith("--"));
const extent = args.includes("--quick") ? "quick" : "full";
const seed = Number(args.find((arg) => arg.startsWith("--seed="))?.slice(7) ?? 20_260_305);
console.log(`seed ${seed}`);
let failed = 0;
for (const [name, prove] of Object.entries(CASES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const startedAt = performance.now();
  console.log(`\n${name} (load of the machine ${loadavg()[0]?.toFixed(1)})`);
  const result = await prove(extent, seed);
  if (result === undefined) console.log("  skipped: a program that it needs is missing");
  else console.log(`  ${result.name}: ${result.runs} runs, ${result.seen}`);
  const failures = result?.failures ?? [];
  failed += failures.length;
  for (const failure of failures.slice(0, MOST_SHOWN)) console.log(`  FAIL ${failure}`);
  if (failures.length > MOST_SHOWN) console.log(`  … and ${failures.length - MOST_SHOWN} more`);
  console.log(`  ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${failures.length} failures`);
}
process.exit(failed === 0 ? 0 : 1);
