/**
 * `bun run proof [--quick]` runs every proof in its long form, one after another: faults of upstreams, durability,
 * attacks, generated requests, load, a fleet. `--quick` runs the short forms, which the test command also runs. Ends with 1
 * when one fails.
 */
import { join } from "node:path";

const project = join(import.meta.dir, "../..");
const isQuick = process.argv.includes("--quick");
const test = [process.execPath, "test", "--isolate", "--timeout=3600000"];

const PROOFS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ["faults", [...test, "./test/proof/faults/"]],
  ["attack", [...test, "./test/proof/attack/"]],
  ["durability", [process.execPath, "test/proof/durability/run.ts", ...(isQuick ? ["--quick"] : [])]],
  ["fuzz", isQuick ? [...test, "./test/proof/fuzz/"] : [process.execPath, "test/proof/fuzz/requests.ts"]],
  ["load", [process.execPath, "test/proof/load/run.ts", ...(isQuick ? ["--quick"] : [])]],
  ["engine", [process.execPath, "test/proof/engine/run.ts", ...(isQuick ? ["--quick"] : [])]],
  ["fleet", [...test, "./test/e2e/fleet_faults.test.ts"]],
];

const results: string[] = [];
let failed = 0;
for (const [name, command] of PROOFS) {
  console.log(`\n== ${name}: ${command.slice(1).join(" ")}`);
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: project,
    env: { ...Bun.env, ...(isQuick ? {} : { PROOF: "full" }) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await child.exited;
  if (code !== 0) failed += 1;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  results.push(`${code === 0 ? "ok  " : "FAIL"}  ${name.padEnd(12)} ${seconds} s`);
}
console.log(`\n${results.join("\n")}`);
process.exit(failed === 0 ? 0 : 1);
