import { parseArgs } from "node:util";
import { type Address, parseAddress } from "#address";
import type { SourceRun } from "#evidence";
import { reportTextsOf } from "#locale";
import type { SkipReason } from "#report";
import type { Source } from "#sources";
import { EXIT, ExitError } from "./exit_codes.ts";
import type { Service } from "./open_service.ts";

/**
 * What a check finds. `refused` = it answers, but not us or not this key; `dead_zone` = a DNS list that fails its
 * self-test (RFC 5782); `no_quota` = today's questions are used up, by our count or the vendor's.
 */
export const CHECK_STATES = [
  "ready",
  "no_key",
  "turned_off",
  "refused",
  "dead_zone",
  "no_quota",
  "error",
] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** One source and how it stands. */
export interface CheckedSource {
  readonly id: string;
  readonly name: string;
  readonly kind: "table" | "source" | "list";
  readonly state: CheckState;
  readonly ms: number;
  /** Questions left today; absent = unbounded, or not configured. */
  readonly left?: number;
  readonly reason?: string;
}

/** All of them. `ready` = everything that is configured answers; what has no key or is turned off is not. */
export interface Check {
  readonly checkedAt: string;
  readonly ready: boolean;
  readonly sources: readonly CheckedSource[];
}

/** Public resolvers: every source knows them, and they are nobody's private address. */
const KNOWN = { 4: readKnown("8.8.8.8"), 6: readKnown("2001:4860:4860::8888") } as const;

/** A source has its own, shorter limit; this one only ends what does not heed it. */
const DEADLINE_MS = 15_000;

/** A DNS list asks three questions at once: its question and the two points of its self-test. */
const QUESTIONS_EACH = 3;

const UNCONFIGURED: ReadonlySet<CheckState> = new Set(["no_key", "turned_off"]);

/** How a source that was not asked stands. */
const STATE_OF: Readonly<Record<SkipReason, CheckState>> = {
  no_key: "no_key",
  noncommercial: "turned_off",
  no_contact: "turned_off",
  turned_off: "turned_off",
  live_off: "turned_off",
  version: "turned_off",
  daily_budget: "no_quota",
  paused: "error",
  zone_retired: "dead_zone",
  settled: "ready",
};

/**
 * Reads the arguments of `limpid check [--json]`.
 * @throws {ExitError} with one line on what is wrong.
 */
export function readCheckArguments(args: readonly string[]): { readonly json: boolean } {
  try {
    const { values } = parseArgs({ args: [...args], options: { json: { type: "boolean" } } });
    return { json: values.json ?? false };
  } catch (error) {
    throw new ExitError(
      EXIT.usage,
      `Cannot check: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Asks every source about an address that all of them know, a few at a time so that none waits for a free slot.
 * It spends one question of each bounded source.
 */
export async function checkSources(
  service: Pick<Service, "survey" | "budget">,
  sources: readonly Source[],
  options: { readonly poolSize: number; readonly now: () => number },
): Promise<Check> {
  const checkedAt = new Date(options.now()).toISOString();
  const checked: CheckedSource[] = [];
  for (const group of groupSources(sources, Math.max(1, Math.floor(options.poolSize / QUESTIONS_EACH)))) {
    const { runs } = await service.survey(KNOWN[group.version], group.sources, DEADLINE_MS);
    const lefts = await Promise.all(runs.map((run) => service.budget.left(run.id)));
    checked.push(...runs.map((run, at) => describe(run, lefts[at])));
  }
  const order = new Map(sources.map((source, at) => [source.id, at]));
  checked.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  const configured = checked.filter(({ state }) => !UNCONFIGURED.has(state));
  return { checkedAt, ready: configured.every(({ state }) => state === "ready"), sources: checked };
}

/** Tables ask nobody and go together; the others in groups small enough for the pool. */
function groupSources(
  sources: readonly Source[],
  size: number,
): readonly { readonly version: 4 | 6; readonly sources: readonly Source[] }[] {
  return ([4, 6] as const).flatMap((version) => {
    const known = sources.filter((source) => (source.versions.includes(4) ? 4 : 6) === version);
    const tables = known.filter((source) => source.local === true);
    const live = known.filter((source) => source.local !== true);
    const groups = [tables];
    for (let at = 0; at < live.length; at += size) groups.push(live.slice(at, at + size));
    return groups.filter((group) => group.length > 0).map((group) => ({ version, sources: group }));
  });
}

function describe(run: SourceRun, left: number | undefined): CheckedSource {
  const state = stateOf(run);
  const reason = reasonOf(run);
  return {
    id: run.id,
    name: run.name,
    kind: run.local ? "table" : run.zone === undefined ? "source" : "list",
    state,
    ms: run.ms,
    ...(left === undefined || UNCONFIGURED.has(state) ? {} : { left }),
    ...(state === "ready" || reason === undefined ? {} : { reason }),
  };
}

function stateOf({ state, skipped, error, detail = "", zone, local }: SourceRun): CheckState {
  if (state === "answered" || state === "empty") return "ready";
  if (skipped !== undefined) return STATE_OF[skipped];
  if (error === "quota") return "no_quota";
  if (zone !== undefined && detail.includes("does not list its test point")) return "dead_zone";
  return error === "refused" || (!local && isRefusal(error, detail)) ? "refused" : "error";
}

/** A refusal by HTTP status, by a DNS list's code, or in a vendor's own words. */
function isRefusal(error: SourceRun["error"], detail: string): boolean {
  if (/\bHTTP 40[13]\b/.test(detail)) return true;
  if (error !== "unavailable" || detail === "the resolver denies every name") return false;
  return !detail.startsWith("self-test failed: ") || /^self-test failed: 127\./.test(detail);
}

function reasonOf({ skipped, error, detail }: SourceRun): string | undefined {
  const texts = reportTextsOf("en");
  const text = skipped === undefined ? error && texts.runErrors[error] : texts.skips[skipped];
  return text === undefined || detail === undefined ? text : texts.withDetail(text, detail);
}

function readKnown(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse address "${text}"`);
  return address;
}
