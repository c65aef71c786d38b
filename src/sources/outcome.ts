import { DAY_MS } from "#common";
import { DatasetError, isFresh } from "#datasets";
import type { Observation, SourceRun } from "#evidence";
import type { SkipReason } from "#report";
import { UpstreamError } from "#upstream";
import { boundObservation, boundText } from "./bound_observation.ts";
import type { Source } from "./source.ts";

/** How a run ended, without the metadata of its source. */
export type Outcome = Pick<SourceRun, "state" | "error" | "detail" | "skipped" | "observation">;

const MAX_DETAIL_CHARACTERS = 120;

/**
 * The outcome of an answer that was read: `empty` when the source has no record, or nothing is left after cleaning.
 * `nowMs` in milliseconds since the epoch.
 */
export function answered(observation: Observation | undefined, source: Source, nowMs: number): Outcome {
  const bounded =
    observation === undefined ? undefined : boundObservation(markAgeing(observation, source, nowMs));
  return bounded === undefined ? { state: "empty" } : { state: "answered", observation: bounded };
}

/** The outcome of an error, with its detail cleaned and cut. */
export function failed(error: UpstreamError): Outcome {
  const detail = boundText(error.detail, MAX_DETAIL_CHARACTERS);
  return { state: "failed", error: error.kind, ...(detail === "" ? {} : { detail }) };
}

/** The outcome of a source that was not asked. */
export function skipped(reason: SkipReason, detail?: string): Outcome {
  return { state: "skipped", skipped: reason, ...(detail === undefined ? {} : { detail }) };
}

/**
 * Turns any thrown value into an {@link UpstreamError}. An error of another type comes from a reader and means a wrong
 * format.
 */
export function classifyError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (error instanceof DatasetError) return new UpstreamError("unavailable", removeFolders(error.message));
  return new UpstreamError("shape", "unexpected answer");
}

/** Whether a request failed before it was sent: the survey's pool had no free slot in time. */
export function isNeverSent(error: unknown): boolean {
  return (
    error instanceof UpstreamError && error.kind === "timeout" && error.detail === "no free slot in time"
  );
}

/** Marks the observation of a table that is not fresh: by its own date it is older than `freshDays`, or of the future. */
function markAgeing(observation: Observation, { freshDays }: Source, nowMs: number): Observation {
  if (freshDays === undefined || observation.dataDate === undefined) return observation;
  const ageMs = nowMs - Date.parse(observation.dataDate);
  return isFresh(ageMs, freshDays * DAY_MS) ? observation : { ...observation, ageing: true };
}

/** A report may name the broken file, but not the folder it is in. */
function removeFolders(message: string): string {
  return message.replaceAll(/"[^"]*[\\/]([^"\\/]*)"/g, '"$1"').replaceAll(/\S*[\\/](\S*)/g, "$1");
}
