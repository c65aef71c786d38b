import type { SourceRun } from "./observation.ts";

/** Whether the run was heard; "nothing to say" is an answer. */
export function isHeard(run: SourceRun): boolean {
  return run.state === "answered" || run.state === "empty";
}
