/**
 * The long form: `bun test/proof/fuzz/requests.ts [count] [seed]`. Sends that many requests (100 000) to the app itself
 * and a twentieth of it more to a running process over its port. Ends with 1 when an answer is not as described, and
 * then shows the smallest request that did it.
 */
import { join } from "node:path";

const [count = "100000", seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
console.log(`seed ${seed}`);
const child = Bun.spawn([process.execPath, "test", "--isolate", join(import.meta.dir, "requests.test.ts")], {
  cwd: join(import.meta.dir, "../../.."),
  env: { ...process.env, PROOF: "full", PROOF_COUNT: count, PROOF_SEED: seed },
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await child.exited);
