import { type Address, addressFromWords } from "#address";
import { EXIT, type Service } from "#app";
import type { SourceRun } from "#evidence";
import { reportTextsOf } from "#locale";
import type { SkipReason } from "#report";
import { SOURCES, type Source } from "#sources";
import {
  alignColumns,
  type Command,
  commandTextsOf,
  formatJson,
  readOptions,
  withService,
} from "./command.ts";

/**
 * The states of a source, with their colours (Select Graphic Rendition of ECMA-48). `refused`: it rejects our address or
 * key; `dead_zone`: a DNS list that fails its self-test (RFC 5782); `no_quota`: today's queries are used up, by our count or
 * the vendor's.
 */
const COLOURS = {
  ready: 32,
  no_key: 90,
  turned_off: 90,
  refused: 31,
  dead_zone: 31,
  no_quota: 33,
  error: 31,
} as const;
export type CheckState = keyof typeof COLOURS;
export const CHECK_STATES = Object.keys(COLOURS) as readonly CheckState[];

/** One source and its state. */
export type CheckedSource = ReturnType<typeof describe>;

/** The result of a check. `ready`: every configured source answers; sources without a key or turned off do not count. */
export type Check = Awaited<ReturnType<typeof checkSources>>;

/** Public resolvers: every source has data about them, and they do not belong to a person. */
const KNOWN: Readonly<Record<4 | 6, Address>> = {
  4: addressFromWords(4, [0x0808_0808]),
  6: addressFromWords(6, [0x2001_4860, 0x4860_0000, 0, 0x8888]),
};

/** Sources have shorter timeouts of their own; this one ends a source that ignores its own. */
const DEADLINE_MS = 15_000;

/** A DNS list sends three queries at once: its own and the two test points of its self-test. */
const QUERIES_EACH = 3;

const UNCONFIGURED: ReadonlySet<CheckState> = new Set(["no_key", "turned_off"]);

/** The state of a source that was skipped. */
const STATE_OF: Readonly<Record<SkipReason, CheckState>> = {
  no_key: "no_key",
  noncommercial: "turned_off",
  no_contact: "turned_off",
  turned_off: "turned_off",
  live_off: "turned_off",
  version: "turned_off",
  daily_budget: "no_quota",
  paused: "error",
  told_to_wait: "error",
  zone_retired: "dead_zone",
  settled: "ready",
};

/** `limpid check`: queries every source once and shows which are ready. */
export const check: Command = {
  ...commandTextsOf("check"),
  async run(args, context) {
    const isJson = readOptions(check, args).flags.has("json");
    const config = context.readConfig();
    return withService(context, config, async (service) => {
      const found = await checkSources(service, SOURCES, { poolSize: config.pool, now: context.now });
      const { isTerminal, hasColour } = context.terminal;
      await context.write(
        isJson ? formatJson(found) : renderCheck(found, { colour: isTerminal && hasColour }),
      );
      return found.ready ? EXIT.ok : EXIT.notReady;
    });
  },
};

/**
 * Queries every source about an address that all of them know, in groups that fit into the pool, so that no query waits
 * for another. This uses one query of each source with a daily budget.
 */
async function checkSources(
  service: Pick<Service, "survey" | "budget">,
  sources: readonly Source[],
  options: { readonly poolSize: number; readonly now: () => number },
) {
  const checkedAt = new Date(options.now()).toISOString();
  const checked: CheckedSource[] = [];
  for (const group of groupSources(sources, Math.max(1, Math.floor(options.poolSize / QUERIES_EACH)))) {
    const { runs } = await service.survey(KNOWN[group.version], group.sources, DEADLINE_MS);
    const lefts = await Promise.all(runs.map((run) => service.budget.remaining(run.id)));
    checked.push(...runs.map((run, at) => describe(run, lefts[at])));
  }
  const order = new Map(sources.map((source, at) => [source.id, at]));
  checked.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  const configured = checked.filter(({ state }) => !UNCONFIGURED.has(state));
  return { checkedAt, ready: configured.every(({ state }) => state === "ready"), sources: checked };
}

/** Tables need no network and form one group; live sources form groups that fit into the pool. */
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

function describe(run: SourceRun, left: number | undefined) {
  const state = stateOf(run);
  const reason = state === "ready" ? describeSnapshot(run) : reasonOf(run);
  return {
    id: run.id,
    name: run.name,
    kind: run.local ? "table" : run.zone === undefined ? "source" : "list",
    state,
    ms: run.ms,
    /** Queries left today; absent when unlimited or not configured. */
    ...(left === undefined || UNCONFIGURED.has(state) ? {} : { left }),
    ...(reason === undefined ? {} : { reason }),
  } as const;
}

function stateOf({ state, skipped, error, detail = "", zone, local }: SourceRun): CheckState {
  if (state === "answered" || state === "empty") return "ready";
  if (skipped !== undefined) return STATE_OF[skipped];
  if (error === "quota") return "no_quota";
  if (zone !== undefined && detail.includes("does not list its test point")) return "dead_zone";
  return error === "refused" || (!local && isRefusal(error, detail)) ? "refused" : "error";
}

/** Whether the source refused us: by HTTP status, by a code of a DNS list, or in the text of its answer. */
function isRefusal(error: SourceRun["error"], detail: string): boolean {
  if (/\bHTTP 40[13]\b/.test(detail)) return true;
  if (error !== "unavailable" || detail === "the resolver denies every name") return false;
  return !detail.startsWith("self-test failed: ") || /^self-test failed: 127\./.test(detail);
}

/** Says that a list is the one that ships with the program, and its date. */
function describeSnapshot({ observation }: SourceRun): string | undefined {
  if (observation?.snapshot !== true || observation.dataDate === undefined) return undefined;
  return `snapshot of ${observation.dataDate}`;
}

function reasonOf({ skipped, error, detail }: SourceRun): string | undefined {
  const texts = reportTextsOf("en");
  if (detail === "list_refused") return texts.sourceDetails.list_refused;
  const reason = skipped === undefined ? error && texts.runErrors[error] : texts.skips[skipped];
  return reason === undefined || detail === undefined ? reason : texts.withDetail(reason, detail);
}

const HEADINGS = ["source", "kind", "state", "left", "time", "reason"] as const;

/** Formats the result as a table with the number of sources in each state below. */
export function renderCheck(check: Check, options: { readonly colour: boolean }): string {
  const rows = check.sources.map(({ id, kind, state, left, ms, reason }) => ({
    cells: [
      id,
      kind,
      state.replace("_", " "),
      left === undefined ? "" : String(left),
      UNCONFIGURED.has(state) ? "" : `${ms} ms`,
      reason ?? "",
    ],
    state,
  }));
  const [head = [], ...aligned] = alignColumns(
    [HEADINGS, ...rows.map(({ cells }) => cells)],
    (column) => HEADINGS[column] === "left" || HEADINGS[column] === "time",
  );
  const lines = aligned.map((cells, at) => {
    const line = cells.join("  ").trimEnd();
    const state = rows[at]?.state;
    return options.colour && state !== undefined ? `\u001b[${COLOURS[state]}m${line}\u001b[0m` : line;
  });
  const counts = CHECK_STATES.map((state) => {
    const count = check.sources.filter((source) => source.state === state).length;
    return count === 0 ? "" : `${count} ${state.replace("_", " ")}`;
  });
  return `${[head.join("  ").trimEnd(), ...lines].join("\n")}\n\n${counts.filter((text) => text !== "").join(", ")}\n`;
}
