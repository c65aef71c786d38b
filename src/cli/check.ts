import { addressFromWords } from "#address";
import { EXIT, type Service } from "#app";
import type { SourceRun } from "#evidence";
import { NOT_HERE } from "#feeds";
import { reportTextsOf } from "#locale";
import { wrapItems, wrapText } from "#render";
import type { SkipReason } from "#report";
import { SOURCES, type Source } from "#sources";
import {
  alignColumns,
  type Command,
  commandTextsOf,
  formatJson,
  readOptions,
  WIDTH,
  withService,
} from "./command.ts";
import catalogue from "./commands.json" with { type: "json" };

/**
 * The states of a source, with their colours (Select Graphic Rendition of ECMA-48). `refused`: it rejects our address or
 * key; `dead_zone`: a DNS list that fails its self-test (RFC 5782); `no_quota`: today's queries are used up, by our count or
 * the vendor's; `not_downloaded`: a list that is not on this machine.
 */
const COLOURS = {
  ready: 32,
  no_key: 90,
  turned_off: 90,
  not_downloaded: 90,
  refused: 31,
  dead_zone: 31,
  no_quota: 33,
  error: 31,
} as const;
export type CheckState = keyof typeof COLOURS;
export const CHECK_STATES = Object.keys(COLOURS) as readonly CheckState[];

/** One source and its state. */
export type CheckedSource = ReturnType<typeof describe>;

/** The result of a check. `ready`: every configured source answers; one without a key, turned off or not downloaded does not count. */
export type Check = Awaited<ReturnType<typeof checkSources>>;

/** A public resolver: every source has data about it, and it does not belong to a person. */
const KNOWN = addressFromWords(4, [0x0808_0808]);

/** Sources have shorter timeouts of their own; this one ends a source that ignores its own. */
const DEADLINE_MS = 15_000;

/** A DNS list sends three queries at once: its own and the two test points of its self-test. */
const QUERIES_EACH = 3;

const UNCONFIGURED: ReadonlySet<CheckState> = new Set(["no_key", "turned_off", "not_downloaded"]);

/** The state of a source that was skipped; for every other reason it is turned off. */
const STATE_OF: Readonly<Partial<Record<SkipReason, CheckState>>> = {
  no_key: "no_key",
  daily_budget: "no_quota",
  paused: "error",
  told_to_wait: "error",
  zone_retired: "dead_zone",
  settled: "ready",
};

/** What a source answers without a name server: the host of HTTP, a DNS query, the self-test of a list. */
const UNRESOLVED =
  /^(?:host not found|the resolver denies every name|(?:self-test failed: )?does not list its test point)$/;

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
  const runs: SourceRun[] = [];
  // Tables need no network and form the first group.
  const tables = sources.filter((source) => source.local === true);
  const size = Math.max(1, Math.floor(options.poolSize / QUERIES_EACH));
  for (let from = 0, to = tables.length; from < sources.length; from = to, to += size)
    runs.push(...(await service.survey(KNOWN, sources.slice(from, to), DEADLINE_MS)).runs);
  const asked = runs.filter((run) => !run.local && run.skipped === undefined);
  const isOffline = asked.length > 0 && asked.every(({ detail = "" }) => UNRESOLVED.test(detail));
  const lefts = await Promise.all(runs.map((run) => service.budget.remaining(run.id)));
  const checked = runs.map((run, at) => describe(run, lefts[at], isOffline));
  const ready = checked.every(({ state }) => state === "ready" || UNCONFIGURED.has(state));
  return { checkedAt, address: KNOWN.text, ready, ...(isOffline ? { isOffline } : {}), sources: checked };
}

/** Without a name server, nothing is known of a source that was asked. */
function describe(run: SourceRun, left: number | undefined, isOffline: boolean) {
  const isUnresolved =
    run.detail === "host not found" || (isOffline && !run.local && run.skipped === undefined);
  const state = isUnresolved ? "error" : stateOf(run);
  const reason = isUnresolved ? "cannot resolve" : reasonOf(run, state);
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
  if (skipped !== undefined) return STATE_OF[skipped] ?? "turned_off";
  if (error === "quota") return "no_quota";
  if (zone !== undefined && detail.includes("does not list its test point")) return "dead_zone";
  if (detail === NOT_HERE) return "not_downloaded";
  return error === "refused" || (!local && isRefusal(error, detail)) ? "refused" : "error";
}

/** Whether the source refused us: by HTTP status, by a code of a DNS list, or in the text of its answer. */
function isRefusal(error: SourceRun["error"], detail: string): boolean {
  if (/\bHTTP 40[13]\b/.test(detail)) return true;
  if (error !== "unavailable" || detail === "the resolver denies every name") return false;
  return !detail.startsWith("self-test failed: ") || /^self-test failed: 127\./.test(detail);
}

/** Why a source is not ready, or that a list is the one that ships with the program. */
function reasonOf({ skipped, error, detail, observation }: SourceRun, state: CheckState): string | undefined {
  const date = observation?.snapshot === true ? observation.dataDate : undefined;
  if (state === "ready") return date && `snapshot of ${date}`;
  const texts = reportTextsOf("en");
  if (detail === "list_refused") return texts.sourceDetails.list_refused;
  // A detail alone says more than that the query did not succeed.
  if (skipped === undefined && error === "unavailable" && detail !== undefined) return detail;
  const reason = skipped === undefined ? error && texts.runErrors[error] : texts.skips[skipped];
  return reason === undefined || detail === undefined ? reason : texts.withDetail(reason, detail);
}

/**
 * Formats the result for terminals of 80 columns: the sources that are ready as a table, the others by state and reason,
 * those with a problem last. Then the number of sources in each state, and what to do.
 */
export function renderCheck(check: Check, options: { readonly colour: boolean }): string {
  const counts: string[] = [];
  const blocks = CHECK_STATES.flatMap((state) => {
    const found = check.sources.filter((source) => source.state === state);
    if (found.length === 0) return [];
    const name = state.replace("_", " ");
    counts.push(`${found.length} ${name}`);
    const lines = state === "ready" ? ["ready", ...listReady(found)] : listOthers(name, found);
    return options.colour ? lines.map((line) => `\u001b[${COLOURS[state]}m${line}\u001b[0m`) : lines;
  });
  const has = (wanted: CheckState) => check.sources.some(({ state }) => state === wanted);
  const advice = [
    has("not_downloaded") ? catalogue.advice.missing : "",
    has("refused") ? catalogue.advice.refused : "",
    check.isOffline === true ? catalogue.advice.offline : "",
  ].flatMap((text) => (text === "" ? [] : wrapText(text, WIDTH)));
  return `${[`Queried about ${check.address}`, "", ...blocks, "", counts.join(", "), ...advice].join("\n")}\n`;
}

/** A line for each source: its id, its name in reports, and the queries left today and the time, or the snapshot. */
function listReady(sources: readonly CheckedSource[]): readonly string[] {
  const rows = sources.map(({ id, name, kind, left, ms, reason }) => {
    const time = kind === "table" ? "" : `${ms} ms`;
    return [id, name, reason ?? (left === undefined ? time : `${left} left, ${time}`)];
  });
  return alignColumns(rows, () => false).map((cells) => `  ${cells.join("  ").trimEnd()}`);
}

/** A heading for each reason, and its sources with their names in reports. */
function listOthers(state: string, sources: readonly CheckedSource[]): readonly string[] {
  return [...Map.groupBy(sources, ({ reason }) => reason ?? "")].flatMap(([reason, found]) => [
    ...wrapText(reason === "" || reason.startsWith(state) ? state : `${state}: ${reason}`, WIDTH),
    ...wrapItems(
      "",
      found.map(({ id, name }) => `${id} (${name})`),
      ", ",
      WIDTH - 2,
    ).map((line) => `  ${line}`),
  ]);
}
