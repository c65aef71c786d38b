import type { SkipReason } from "#report";
import type { SourceRun } from "./observation.ts";

/** Left out by the operator, by what the source covers, or for want of a need: never planned, so never missed. */
const BY_CHOICE: ReadonlySet<SkipReason> = new Set([
  "no_key",
  "noncommercial",
  "no_contact",
  "turned_off",
  "live_off",
  "version",
  "settled",
]);

/** Whether the run was meant to be heard; a source that is paused, over budget or retired was. */
export function isPlanned(run: SourceRun): boolean {
  return run.state !== "skipped" || run.skipped === undefined || !BY_CHOICE.has(run.skipped);
}
