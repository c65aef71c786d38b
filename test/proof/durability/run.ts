/**
 * `bun test/proof/durability/run.ts [--quick] [--seed=N] [CASE…]` checks that acknowledged writes stay, whatever
 * happens to the process, the disk or the file. Prints a table of cases × runs × result; exit code 1 when a case
 * fails.
 */
import { CASES } from "./cases.ts";

const MOST_SHOWN = 20;

const options = process.argv.slice(2);
const extent = options.includes("--quick") ? "quick" : "full";
const seed = Number(
  options.find((option) => option.startsWith("--seed="))?.slice("--seed=".length) ?? 20_260_305,
);
const named = options.filter((option) => !option.startsWith("--"));
const startedAt = performance.now();
let failed = 0;
console.log(`| case | runs | seen | failures | seconds |\n| --- | ---: | --- | ---: | ---: |`);
for (const [name, prove] of Object.entries(CASES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const begunAt = performance.now();
  const result = await prove(extent, seed);
  const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
  if (result === undefined) {
    console.log(
      `| ${name} | 0 | skipped: no C compiler; \`apt-get install gcc\` brings one | 0 | ${seconds} |`,
    );
    continue;
  }
  const { failures } = result;
  failed += failures.length;
  console.log(`| ${result.name} | ${result.runs} | ${result.seen} | ${failures.length} | ${seconds} |`);
  for (const failure of failures.slice(0, MOST_SHOWN)) console.log(`  FAIL ${failure}`);
  if (failures.length > MOST_SHOWN) console.log(`  … and ${failures.length - MOST_SHOWN} more`);
}
console.log(`seed ${seed}, ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${failed} failures`);
process.exit(failed === 0 ? 0 : 1);
