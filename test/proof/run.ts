/**
 * `bun run proof` runs every proof in its long form, one after another: faults of upstreams, attacks, load, durability,
 * generated requests, a fleet, an hour of load. Ends with 1 when one fails. The test command runs the short forms.
 */
import { join } from "node:path";

const project = join(import.meta.dir, "../..");
const test = ["test", "--isolate", "--timeout=3600000"];

const PROOFS: readonly (readonly string[])[] = [
  [...test, "./test/proof/faults/"],
  [...test, "./test/proof/attack/"],
  [...test, "./test/proof/load/"],
  ["test/proof/durability/run.ts"],
  [...test, "./test/proof/fuzz/"],
  [...test, "./test/e2e/fleet_faults.test.ts"],
  ["test/proof/load/soak.ts"],
];

const results: string[] = [];
for (const args of PROOFS) {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: project,
    env: { ...Bun.env, PROOF: "full" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  results.push(`${(await child.exited) === 0 ? "ok  " : "FAIL"}  ${args.at(-1)}`);
}
console.log(`\n${results.join("\n")}`);
process.exit(results.some((result) => result.startsWith("FAIL")) ? 1 : 0);
