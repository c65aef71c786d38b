import {
  ALL_FEEDS,
  type AllFeeds,
  chooseFeeds,
  EXIT,
  ExitError,
  formatUserAgent,
  openChosenFeeds,
  type Paths,
  prepareDataDirectory,
} from "#app";
import type { Config } from "#config";
import type { FeedState } from "#datasets";
import { createCompiler, feedHosts, type RefreshOutcome, refreshFeed } from "#feeds";
import { createUpstreamClient } from "#upstream";
import {
  alignColumns,
  type Command,
  formatAge,
  formatBytes,
  formatJson,
  readOptions,
  wrongUsage,
} from "./command.ts";

/** The arguments of `limpid feeds`. */
export type FeedsArguments =
  | { readonly action: "status"; readonly json: boolean }
  | { readonly action: "update"; readonly ids: readonly string[] };

/** The output of the command, and whether it is a terminal. */
export interface FeedsOutput {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
}

/** One row of the table or the JSON. `left` is the reason why the feed is not downloaded. */
interface StatusRow extends FeedState {
  readonly name: string;
  readonly host: string;
  readonly left?: string;
}

const PARALLEL = 2;
const REFRESH_MS = 300_000;
const BAR_CELLS = 24;
const ERROR_CELLS = 60;
/** `limpid feeds`: shows or downloads the feeds. */
export const feeds: Command = {
  name: "feeds",
  operands: "status | update [ID ...]",
  words: ["status", "update"],
  what: "show every downloaded list, or download now",
  options: [{ name: "json", what: "status: the result as JSON" }],
  async run(args, context) {
    const given = readFeedsArguments(args);
    const config = context.readConfig();
    const { version, now, paths } = context;
    const output = {
      write: (text: string) => void context.write(text),
      isTerminal: context.terminal.isTerminal,
    };
    if (given.action === "status") {
      showFeeds(config, { now, paths, output, json: given.json });
      return EXIT.ok;
    }
    prepareDataDirectory(config.dataDirectory);
    return updateFeeds(config, { ids: given.ids, version, now, paths, output });
  },
};

/**
 * Reads the arguments of `limpid feeds status [--json]` and `limpid feeds update [ID ...]`.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readFeedsArguments(args: readonly string[]): FeedsArguments {
  const { flags, operands } = readOptions(feeds, args);
  const json = flags.has("json");
  const [action = "status", ...ids] = operands;
  if (action === "update" && !json) return { action, ids };
  if (action === "status" && ids.length === 0) return { action, json };
  throw wrongUsage("feeds", "expected status [--json] or update [ID ...]");
}

/** Shows the state of every feed in the data folder: a table, or JSON for machines. */
export function showFeeds(
  config: Config,
  options: {
    readonly now: () => number;
    readonly paths: Pick<Paths, "seed">;
    readonly output: FeedsOutput;
    readonly json: boolean;
  },
  all: AllFeeds = ALL_FEEDS,
): void {
  const chosen = chooseFeeds(config, all);
  const opened = openChosenFeeds(config, chosen, options);
  const rows = [...all.tables, ...all.feeds].map((feed): StatusRow => {
    const left = chosen.excluded.get(feed.id);
    return {
      name: feed.name,
      host: feedHosts(feed)[0] ?? "",
      ...opened.state(feed.id),
      ...(left === undefined ? {} : { left }),
    };
  });
  const { output, json } = options;
  output.write(json ? formatJson({ feeds: rows }) : formatTable(rows, output.isTerminal));
}

/**
 * Downloads feeds now, all or the named ones, and compiles them. Returns the exit code: 1 when one failed.
 * @throws {ExitError} when a named feed does not exist or may not be downloaded.
 */
export async function updateFeeds(
  config: Config,
  options: {
    readonly ids: readonly string[];
    readonly version: string;
    readonly now: () => number;
    readonly paths: Pick<Paths, "seed">;
    readonly output: FeedsOutput;
    readonly registry?: string;
  },
  all: AllFeeds = ALL_FEEDS,
): Promise<number> {
  const { now, output, ids } = options;
  const chosen = chooseFeeds(config, all);
  const known = new Set([...all.tables, ...all.feeds].map((feed) => feed.id));
  for (const id of ids) {
    const why = chosen.excluded.get(id) ?? (known.has(id) ? undefined : "no such feed");
    if (why !== undefined) throw new ExitError(EXIT.usage, `Cannot update feed "${id}": ${why}`);
  }
  const wanted = [...chosen.tables, ...chosen.feeds].filter(
    (feed) => ids.length === 0 || ids.includes(feed.id),
  );
  const opened = openChosenFeeds(config, chosen, options);
  const upstream = createUpstreamClient({
    hosts: wanted.flatMap(feedHosts),
    userAgent: formatUserAgent(options.version, config.contact),
    poolSize: PARALLEL,
    now,
    ...(config.gateway === undefined ? {} : { gateway: config.gateway }),
  });
  const compiler = createCompiler(options.registry === undefined ? {} : { registry: options.registry });
  try {
    let failed = 0;
    let done = 0;
    const waiting = [...wanted];
    const never = new AbortController().signal;
    const work = async () => {
      for (let feed = waiting.shift(); feed !== undefined; feed = waiting.shift()) {
        const session = upstream.openSession(AbortSignal.timeout(REFRESH_MS));
        const ports = { upstream: session, cache: opened.cache, compiler, now, random: Math.random };
        const outcome = await refreshFeed(feed, ports, never).finally(() => session.close());
        done += 1;
        if (outcome.did === "failed") failed += 1;
        if (output.isTerminal) output.write("\r\u001b[K");
        if (!output.isTerminal || outcome.did === "failed") output.write(`${describeOutcome(outcome)}\n`);
        if (output.isTerminal) output.write(formatBar(done, wanted.length, outcome.id));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    if (output.isTerminal) output.write("\r\u001b[K");
    if (!opened.isCurrent()) {
      const startedMs = now();
      const { rows, unwritten } = await opened.rebuild(compiler);
      if (unwritten !== undefined)
        throw new ExitError(EXIT.cannotCreate, `Cannot write the compiled lists: ${unwritten}`);
      output.write(`compiled ${rows} ranges in ${((now() - startedMs) / 1000).toFixed(1)} s\n`);
    }
    output.write(`${wanted.length - failed} of ${wanted.length} feeds are up to date\n`);
    return failed === 0 ? EXIT.ok : EXIT.notReady;
  } finally {
    compiler.close();
    upstream.close();
  }
}

function describeOutcome(outcome: RefreshOutcome): string {
  if (outcome.did === "failed") return `${outcome.id}: failed: ${outcome.problem}`;
  const { id, did, rows, problem } = outcome;
  return `${id}: ${did}, ${rows} rows${problem === undefined ? "" : `, with old files: ${problem}`}`;
}

function formatBar(done: number, all: number, id: string): string {
  const full = all === 0 ? BAR_CELLS : Math.round((BAR_CELLS * done) / all);
  return `[${"█".repeat(full)}${"░".repeat(BAR_CELLS - full)}] ${done}/${all} ${id}`;
}

function formatTable(rows: readonly StatusRow[], isTerminal: boolean): string {
  const head = ["feed", "state", "age", "rows", "stripped", "size", "source", "last error"];
  const lines = rows.map((row) => [
    row.id,
    row.left ?? (row.ready ? row.freshness : (row.problem ?? "")),
    row.ageMs === undefined ? "-" : formatAge(row.ageMs),
    row.rows === undefined ? "-" : String(row.rows),
    row.stripped === undefined ? "-" : String(row.stripped),
    row.bytes === undefined ? "-" : formatBytes(row.bytes),
    row.host,
    row.error === undefined ? "" : row.error.problem.slice(0, ERROR_CELLS),
  ]);
  const isRight = (column: number) => column >= 2 && column <= 5;
  const [top = [], ...rest] = alignColumns([head, ...lines], isRight);
  const formatted = rest.map((cells, index) => {
    const colour = isTerminal ? colourOf(rows[index]) : undefined;
    if (colour !== undefined) cells[1] = `\u001b[${colour}m${cells[1]}\u001b[0m`;
    return cells.join("  ").trimEnd();
  });
  return `${[top.join("  ").trimEnd(), ...formatted].join("\n")}\n`;
}

/** Colours of ECMA-48: green, yellow and red; grey for a feed that is not downloaded. */
function colourOf(row: StatusRow | undefined): number {
  if (row === undefined || row.left !== undefined) return 90;
  if (!row.ready) return 31;
  return row.freshness === "fresh" && row.error === undefined ? 32 : 33;
}
