import { DAY_MS } from "#common";
import { DatasetError, isFresh } from "#datasets";
import type { Observation, SourceRun } from "#evidence";
import type { SkipReason } from "#report";
import { UpstreamError } from "#upstream";

/** How a run ended, without the metadata of its source. */
export type Outcome = Pick<SourceRun, "state" | "error" | "detail" | "skipped" | "observation">;

const MAX_DETAIL_CHARACTERS = 120;

/**
 * The outcome of an answer that was read: `empty` when the source has no record, or nothing is left after cleaning.
 * `nowMs` in milliseconds since the epoch.
 */
export function answered(
  observation: Observation | undefined,
  freshDays: number | undefined,
  nowMs: number,
): Outcome {
  const bounded =
    observation === undefined ? undefined : boundObservation(markAgeing(observation, freshDays, nowMs));
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
  if (error instanceof DatasetError) {
    // A report may name the broken file, but not the folder it is in.
    const quoted = error.message.replaceAll(/"[^"]*[\\/]([^"\\/]*)"/g, '"$1"');
    return new UpstreamError("unavailable", quoted.replaceAll(/\S*[\\/](\S*)/g, "$1"));
  }
  return new UpstreamError("shape", "unexpected answer");
}

/** Whether a request failed before it was sent: the survey's pool had no free slot in time. */
export function isNeverSent(error: unknown): boolean {
  return (
    error instanceof UpstreamError && error.kind === "timeout" && error.detail === "no free slot in time"
  );
}

/** Marks the observation of a table that is not fresh: by its own date it is older than `freshDays`, or of the future. */
function markAgeing(observation: Observation, freshDays: number | undefined, nowMs: number): Observation {
  if (freshDays === undefined || observation.dataDate === undefined) return observation;
  const ageMs = nowMs - Date.parse(observation.dataDate);
  return isFresh(ageMs, freshDays * DAY_MS) ? observation : { ...observation, ageing: true };
}

const MAX_ITEMS = 256;
const MAX_DEPTH = 6;
const MAX_CHARACTERS = 200;

/** Keys with a special meaning in JavaScript objects. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Printable ASCII with single blanks inside: most texts are like this and need no cleaning. */
const CLEAN_ASCII = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Makes an observation safe to keep: plain and frozen, strings cleaned and cut to 200 characters, lists and maps cut to
 * 256 entries. Empty and invalid values are left out: an absent field means "not stated". Returns undefined when
 * nothing is left. Every text from outside passes here before anything else reads it.
 */
export function boundObservation(observation: Observation): Observation | undefined {
  const { vpn, ...rest } = observation;
  const isNamed = vpn !== undefined && boundText(vpn.name) !== "";
  // The copy has the same fields or fewer, and every field of an observation that may disappear is optional.
  return boundObject(isNamed ? observation : rest, 0) as Observation | undefined;
}

/** Cleans one line of foreign text: removes control, bidi, invisible and unpaired characters, folds blanks, cuts. */
export function boundText(text: string, maxCharacters = MAX_CHARACTERS): string {
  if (text.length <= maxCharacters && CLEAN_ASCII.test(text)) return text;
  const clean = text
    .slice(0, maxCharacters * 8)
    .toWellFormed()
    .replaceAll(/(?![\t\n\v\f\r\u0085])[\p{Cc}\p{Cf}]/gu, "")
    .replaceAll(/[\p{Zs}\p{Zl}\p{Zp}\t\n\v\f\r\u0085]+/gu, " ")
    .trim();
  return clean.length <= maxCharacters ? clean : Array.from(clean).slice(0, maxCharacters).join("").trim();
}

function boundObject(value: object, depth: number): object | undefined {
  const fields: Record<string, unknown> = {};
  let count = 0;
  for (const [key, item] of Object.entries(value)) {
    if (count >= MAX_ITEMS) break;
    const name = boundText(key);
    if (name === "" || FORBIDDEN_KEYS.has(name)) continue;
    const bounded = boundValue(item, depth + 1);
    if (bounded === undefined) continue;
    fields[name] = bounded;
    count += 1;
  }
  return count === 0 ? undefined : Object.freeze(fields);
}

function boundValue(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string": {
      const text = boundText(value);
      return text === "" ? undefined : text;
    }
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "boolean":
      return value;
    case "object":
      if (value === null || depth > MAX_DEPTH) return undefined;
      if (!Array.isArray(value)) return boundObject(value, depth);
      return Object.freeze(
        value
          .slice(0, MAX_ITEMS)
          .map((item) => boundValue(item, depth + 1))
          .filter((item) => item !== undefined),
      );
    default:
      return undefined;
  }
}
