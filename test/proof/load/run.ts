/**
 * `bun test/proof/load/run.ts [--quick] [--minutes=N] [CASE…]`: overload, silent upstreams, clients that neither read
 * nor write, and an hour of usual faults. Ends with 1 when a requirement is not met. Wall times count only while a
 * bare server beside it answers in time.
 */
import { loadavg } from "node:os";
import { CASES } from "./cases.ts";

const options = process.argv.slice(2);
const extent = options.includes("--quick") ? "quick" : "full";
const minutes = Number(
  options.find((option) => option.startsWith("--minutes="))?.slice("--minutes=".length) ??
    (extent === "quick" ? 0.3 : 60),
);
const named = options.filter((option) => !option.startsWith("--"));
let failed = 0;
for (const [name, prove] of Object.entries(CASES)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const begunAt = performance.now();
  console.log(`\n${name} (load of the machine ${loadavg()[0]?.toFixed(1)})`);
  const { seen, failures } = await prove({ extent, minutes, log: (line) => console.log(`    ${line}`) });
  failed += failures.length;
  for (const line of seen) console.log(`  ${line}`);
  for (const failure of failures) console.log(`  FAIL ${failure}`);
  console.log(`  ${((performance.now() - begunAt) / 1000).toFixed(0)} s, ${failures.length} failures`);
}
process.exit(failed === 0 ? 0 : 1);
