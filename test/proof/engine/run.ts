/**
 * `bun test/proof/engine/run.ts [--quick] [--minutes=N] [--processes=N] [--rate=N] [--checkpoint=SECONDS]`: full
 * processes write to one real `sqld` and may never wait ten seconds for it; then `deploy/run_sqld.sh` ends a server that
 * stands still. `--rate` is new addresses a second for each process. `--checkpoint=0` is the default of `sqld`, which
 * stands still. Ends with 1 when a requirement is not met.
 */
import { loadavg } from "node:os";
import { readArguments } from "../run_cases.ts";
import { measureFleet, STALL_MS } from "./measure_fleet.ts";
import { restartStalled } from "./restart_stalled.ts";

const { extent, readNumber } = readArguments();
const isQuick = extent === "quick";
const failures: string[] = [];

function check(requirement: string, isMet: boolean): void {
  if (!isMet) failures.push(requirement);
}

const checkpointSeconds = readNumber("checkpoint", 60);
const plan = {
  processes: readNumber("processes", isQuick ? 4 : 8),
  lookupsPerSecond: readNumber("rate", 3),
  minutes: readNumber("minutes", isQuick ? 0.5 : 10),
  flags: checkpointSeconds === 0 ? [] : [`--checkpoint-interval-s=${checkpointSeconds}`],
};
console.log(`fleet ${JSON.stringify(plan)} (load of the machine ${loadavg()[0]?.toFixed(1)})`);
const fleet = await measureFleet({ ...plan, log: (line) => console.log(`    ${line}`) });
console.log(JSON.stringify(fleet, null, 1));
check(`a write has its answer within ${STALL_MS / 1000} s`, fleet.stalls === 0);
check("the server takes writes all the time", fleet.probesAcknowledged > 0 && fleet.stored > 0);

if (!isQuick) {
  console.log(`\nrestart (load of the machine ${loadavg()[0]?.toFixed(1)})`);
  const restart = await restartStalled(300);
  console.log(JSON.stringify(restart, null, 1));
  // Without a standstill there is nothing to end. A version of sqld with the correction never stands still.
  check("run_sqld.sh ends a server that stands still", !restart.isStalled || restart.exitCode === 1);
  check("the server has all rows and takes writes after a restart", restart.isWritableAgain);
}
for (const failure of failures) console.log(`FAIL ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
