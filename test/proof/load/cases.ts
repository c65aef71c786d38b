import type { CaseResult, Extent } from "./case_result.ts";
import { memory } from "./memory.ts";
import { noFiles } from "./no_files.ts";
import { oneClient } from "./one_client.ts";
import { overload } from "./overload.ts";
import { slowClients } from "./slow_clients.ts";
import { soak } from "./soak.ts";
import { streams } from "./streams.ts";
import { stuck } from "./stuck.ts";
import { surveys } from "./surveys.ts";

/** How a case is run: its size, the length of the soak test, and where progress is reported. */
interface CaseOptions {
  readonly extent: Extent;
  readonly minutes: number;
  readonly log?: (line: string) => void;
}

/** Every case by name. */
export const CASES: Readonly<Record<string, (options: CaseOptions) => Promise<CaseResult>>> = {
  overload: ({ extent }) => overload(extent),
  surveys: ({ extent }) => surveys(extent),
  one_client: ({ extent }) => oneClient(extent),
  stuck: ({ extent }) => stuck(extent),
  streams: ({ extent }) => streams(extent),
  slow_clients: ({ extent }) => slowClients(extent),
  memory: ({ extent }) => memory(extent),
  no_files: () => noFiles(),
  soak: ({ minutes, log }) => soak(minutes, log),
};
