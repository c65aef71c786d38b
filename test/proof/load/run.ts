/**
 * `bun test/proof/load/run.ts [--quick] [--minutes=N] [CASE…]`: overload, silent upstreams, clients that neither read
 * nor write, and an hour of usual faults. Ends with 1 when a requirement is not met. Wall times count only while a
 * bare server beside it answers in time.
 */
import { readArguments, runCases } from "../run_cases.ts";
import { memory } from "./memory.ts";
import { noFiles } from "./no_files.ts";
import { oneClient } from "./one_client.ts";
import { overload } from "./overload.ts";
import { slowClients } from "./slow_clients.ts";
import { soak } from "./soak.ts";
import { streams } from "./streams.ts";
import { stuck } from "./stuck.ts";
import { surveys } from "./surveys.ts";

const { extent, named, readNumber } = readArguments();
const minutes = readNumber("minutes", extent === "quick" ? 0.3 : 60);
await runCases(
  named,
  {
    overload: () => overload(extent),
    surveys: () => surveys(extent),
    one_client: () => oneClient(extent),
    stuck: () => stuck(extent),
    streams: () => streams(extent),
    slow_clients: () => slowClients(extent),
    memory: () => memory(extent),
    no_files: noFiles,
    soak: () => soak(minutes, (line) => console.log(`    ${line}`)),
  },
  ({ seen }) => seen,
);
