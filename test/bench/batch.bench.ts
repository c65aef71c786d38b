/**
 * Measures `limpid batch --tables-only`: addresses a second of one core, with the rows written. Ends with 1 below the
 * budget. Uses the processor time of the main thread, so a busy machine gives the same result as an idle one.
 */
import { join } from "node:path";
import { type Address, parseAddress } from "#address";
import { openDatasets } from "#datasets";
import { FEEDS } from "#feeds";
import { createTableClassifier } from "#lookup";
import { createTableSurvey, SOURCES } from "#sources";
import { readBatchArguments } from "../../src/cli/batch/batch.ts";
import { judgeLines } from "../../src/cli/batch/judge_lines.ts";
import { factsOfTables } from "../../src/cli/batch/rows.ts";

/** Addresses a second and core. */
const BUDGET = 20_000;
const ADDRESSES = 40_000;
const ROUNDS = 5;

/** The same addresses each time: Lehmer's generator over unicast space. */
function drawAddresses(): readonly string[] {
  let state = 20_261_121;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: ADDRESSES }, () => `${11 + next(190)}.${next(256)}.${next(256)}.${next(256)}`);
}

const addresses = drawAddresses();
const tables = createTableSurvey(SOURCES, {
  datasets: openDatasets({ directory: join(import.meta.dir, "../../seed") }),
  off: new Set(FEEDS.map(({ id }) => id)),
  now: Date.now,
});
const classifier = createTableClassifier(tables);
const wanted = readBatchArguments(["-", "--tables-only", "--format", "csv"]);

async function measureRound(): Promise<number> {
  let bytes = 0;
  const before = process.threadCpuUsage();
  await judgeLines(wanted, {
    lines: {
      bytesRead: () => 0,
      async *lines() {
        yield* addresses;
      },
    },
    async judgeOne(address: Address) {
      return factsOfTables(address.text, classifier.classify(address), new Date().toISOString());
    },
    write: (text) => {
      bytes += text.length;
    },
    done: 0,
  });
  const used = process.threadCpuUsage(before);
  if (bytes < ADDRESSES * 80) throw new Error(`Cannot measure: ${bytes} bytes for ${ADDRESSES} rows`);
  return ADDRESSES / ((used.user + used.system) / 1e6);
}

if (parseAddress(addresses[0] ?? "") === undefined) throw new Error("Cannot measure: no addresses");
const rates: number[] = [];
for (let round = 0; round < ROUNDS; round++) rates.push(await measureRound());
const best = Math.max(...rates);
console.log(`batch, tables only: ${rates.map((rate) => Math.round(rate)).join(", ")} addresses/s and core`);
console.log(`best ${Math.round(best)}, budget ${BUDGET}: ${best >= BUDGET ? "ok" : "FAIL"}`);
process.exit(best >= BUDGET ? 0 : 1);
