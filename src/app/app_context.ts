import type { Log } from "#common";
import type { Paths } from "./files.ts";

/** What the composition takes from the process. */
export interface AppContext {
  readonly paths: Paths;
  readonly version: string;
  readonly now: () => number;
  readonly log: Log;
  /** Number of log lines that could not be written; absent when they are not counted. */
  readonly lostLogLines?: () => number;
}
