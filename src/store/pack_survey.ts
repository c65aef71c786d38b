import type { Cast } from "./cast.ts";

const STATES: readonly unknown[] = ["answered", "empty", "skipped", "failed"];
const USUAL_SKIP = "turned_off";

/** Packs a survey's JSON, of which `cast` is the cast. */
export function packSurvey(survey: { readonly runs: readonly object[] }, cast: Cast): Uint8Array {
  return cast.pack(JSON.stringify({ ...survey, runs: survey.runs.map((run) => packRun({ ...run })) }));
}

/** What is the run's own: what is its source's stands in the cast. */
function packRun(run: Readonly<Record<string, unknown>>): unknown {
  const {
    id: _i,
    name: _n,
    kind: _k,
    family: _f,
    matters: _m,
    weight: _w,
    local: _l,
    zone: _z,
    ...own
  } = run;
  const { state, ms, ...rest } = own;
  const code = STATES.indexOf(state);
  const isCounted = typeof ms === "number" && ms >= 0 && Number.isSafeInteger(ms * STATES.length);
  if (code < 0 || !isCounted || !Number.isInteger(ms)) return own;
  const word = ms * STATES.length + code;
  if (state !== "skipped") return isFilled(rest) ? [word, rest] : word;
  const { skipped, ...more } = rest;
  return skipped === USUAL_SKIP && !isFilled(more) ? word : [word, rest];
}

function isFilled(record: Readonly<Record<string, unknown>>): boolean {
  for (const _ in record) return true;
  return false;
}

/**
 * Restores a survey's JSON. What comes out is read like any other survey: nothing in it is taken for granted.
 * @throws when it is none.
 */
export function unpackSurvey(bytes: Uint8Array, cast: Cast): string {
  const survey: unknown = JSON.parse(cast.unpack(bytes));
  if (!isRecord(survey) || !Array.isArray(survey.runs))
    throw new TypeError("Cannot restore a survey: it has no runs");
  const runs = survey.runs.map((packed: unknown, at) => ({ ...cast.runs[at], ...unpackRun(packed) }));
  return JSON.stringify({ ...survey, runs });
}

function unpackRun(packed: unknown): Record<string, unknown> {
  if (isRecord(packed) && !Array.isArray(packed)) return packed;
  const [word, rest]: unknown[] = Array.isArray(packed) ? packed : [packed];
  const state = STATES[Number(word) % STATES.length];
  const ms = Math.floor(Number(word) / STATES.length);
  if (isRecord(rest)) return { state, ms, ...rest };
  return state === "skipped" ? { state, ms, skipped: USUAL_SKIP } : { state, ms };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
