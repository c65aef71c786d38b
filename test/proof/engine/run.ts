/**
 * `bun test/proof/engine/run.ts [--minutes=N] [--processes=N] [--rate=N] [--checkpoint=SECONDS]`: full processes that
 * write to one real `sqld`.
 */
import { measureFleet } from "./measure_fleet.ts";

const options = process.argv.slice(2);

function readOption(name: string, otherwise: number): number {
  const text = options.find((option) => option.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text === undefined ? otherwise : Number(text);
}

const checkpointSeconds = readOption("checkpoint", 0);
const plan = {
  processes: readOption("processes", 8),
  lookupsPerSecond: readOption("rate", 10),
  minutes: readOption("minutes", 10),
  flags: checkpointSeconds === 0 ? [] : [`--checkpoint-interval-s=${checkpointSeconds}`],
};
console.log(JSON.stringify(plan));
const measured = await measureFleet({ ...plan, log: (line) => console.log(`    ${line}`) });
console.log(JSON.stringify(measured, null, 1));
process.exit(measured.stalls === 0 ? 0 : 1);
