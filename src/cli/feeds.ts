import {
  ALL_FEEDS,
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
import { type AllFeeds, createCompiler, feedHosts, type RefreshOutcome, refreshFeed } from "#feeds";
import { createUpstreamClient } from "#upstream";
import {
  alignColumns,
  type Command,
  type CommandContext,
  commandTextsOf,
  formatAge,
  formatBar,
  formatBytes,
  formatJson,
  readOptions,
  WIDTH,
  wrongUsage,
} from "./command.ts";

/** The arguments of `limpid feeds`. */
type FeedsArguments = ReturnType<typeof readFeedsArguments>;

/** What the command takes from its context, the feeds that exist, and the module of their readers. */
interface FeedsContext extends Pick<CommandContext, "version" | "now" | "write"> {
  readonly paths: Pick<Paths, "seed">;
  readonly terminal: Pick<CommandContext["terminal"], "isTerminal">;
  readonly all?: AllFeeds;
  readonly registry?: string;
}

/** One row of the table or the JSON. `left` is the reason why the feed is not downloaded. */
interface StatusRow extends FeedState {
  readonly name: string;
  readonly host: string;
  readonly left?: string;
}

const PARALLEL = 2;
const REFRESH_MS = 300_000;
/** `limpid feeds`: shows or downloads the feeds. */
export const feeds: Command = {
  ...commandTextsOf("feeds"),
  async run(args, context) {
    const given = readFeedsArguments(args);
    const config = context.readConfig();
    if (given.action === "update") prepareDataDirectory(config.dataDirectory);
    return given.action === "status"
      ? showFeeds(config, given, context)
      : updateFeeds(config, given, context);
  },
};

/**
 * Reads the arguments of `limpid feeds status [--json]` and `limpid feeds update [ID ...]`. `ids` are the feeds to update;
 * empty = all.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readFeedsArguments(args: readonly string[]) {
  const { flags, operands } = readOptions(feeds, args);
  const json = flags.has("json");
  const [action = "status", ...rest] = operands;
  const ids: readonly string[] = rest;
  if ((action === "update" && !json) || (action === "status" && ids.length === 0))
    return { action, ids, json };
  throw wrongUsage("feeds", "expected status [--json] or update [ID ...]");
}

/** Shows the state of every feed in the data folder: a table, or JSON for machines. */
export async function showFeeds(
  config: Config,
  { json }: Pick<FeedsArguments, "json">,
  { now, paths, write, terminal, all = ALL_FEEDS }: FeedsContext,
): Promise<number> {
  const chosen = chooseFeeds(config, all);
  const opened = openChosenFeeds(config, chosen, { now, paths, downloads: true });
  const rows = [...all.tables, ...all.feeds].map((feed): StatusRow => {
    const left = chosen.excluded.get(feed.id);
    return {
      name: feed.name,
      host: feedHosts(feed)[0] ?? "",
      ...opened.state(feed.id),
      ...(left === undefined ? {} : { left }),
    };
  });
  await write(json ? formatJson({ feeds: rows }) : formatTable(rows, terminal.isTerminal));
  return EXIT.ok;
}

/**
 * Downloads feeds now, all or the named ones, and compiles them. Returns the exit code: 1 when one failed.
 * @throws {ExitError} when a named feed does not exist or may not be downloaded.
 */
export async function updateFeeds(
  config: Config,
  { ids }: Pick<FeedsArguments, "ids">,
  { version, now, paths, write, terminal: { isTerminal }, registry, all = ALL_FEEDS }: FeedsContext,
): Promise<number> {
  const chosen = chooseFeeds(config, all);
  const known = new Set([...all.tables, ...all.feeds].map((feed) => feed.id));
  for (const id of ids) {
    const why = chosen.excluded.get(id) ?? (known.has(id) ? undefined : "no such feed");
    if (why !== undefined) throw new ExitError(EXIT.usage, `Cannot update feed "${id}": ${why}`);
  }
  const wanted = [...chosen.tables, ...chosen.feeds].filter(
    (feed) => ids.length === 0 || ids.includes(feed.id),
  );
  const opened = openChosenFeeds(config, chosen, { now, paths });
  const upstream = createUpstreamClient({
    hosts: wanted.flatMap(feedHosts),
    userAgent: formatUserAgent(version, config.contact),
    poolSize: PARALLEL,
    now,
    ...(config.gateway === undefined ? {} : { gateway: config.gateway }),
  });
  const compiler = createCompiler(registry === undefined ? {} : { registry });
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
        if (isTerminal) await write("\r\u001b[K");
        if (!isTerminal || outcome.did === "failed") await write(`${describeOutcome(outcome)}\n`);
        if (isTerminal)
          await write(`${formatBar(done / wanted.length)} ${done}/${wanted.length} ${outcome.id}`);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    if (isTerminal) await write("\r\u001b[K");
    if (!opened.isCurrent()) {
      const startedMs = now();
      const { rows, unwritten } = await opened.rebuild(compiler);
      if (unwritten !== undefined)
        throw new ExitError(EXIT.cannotCreate, `Cannot write the compiled lists: ${unwritten}`);
      await write(`compiled ${rows} ranges in ${((now() - startedMs) / 1000).toFixed(1)} s\n`);
    }
    await write(`${wanted.length - failed} of ${wanted.length} feeds are up to date\n`);
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

/** A table for terminals of 80 columns; the last error stands below its row, with the host. */
function formatTable(rows: readonly StatusRow[], isTerminal: boolean): string {
  const head = ["feed", "state", "age", "rows", "stripped", "size"];
  const lines = rows.map((row) => [
    row.id,
    row.left ?? (row.ready ? row.freshness : (row.problem ?? "")),
    row.ageMs === undefined ? "-" : formatAge(row.ageMs),
    row.rows === undefined ? "-" : String(row.rows),
    row.stripped === undefined ? "-" : String(row.stripped),
    row.bytes === undefined ? "-" : formatBytes(row.bytes),
  ]);
  const [top = [], ...rest] = alignColumns([head, ...lines], (column) => column >= 2);
  const formatted = rest.map((cells, index) => {
    const colour = isTerminal ? colourOf(rows[index]) : undefined;
    if (colour !== undefined) cells[1] = `\u001b[${colour}m${cells[1]}\u001b[0m`;
    const error = rows[index]?.error;
    const problem = `  ${rows[index]?.host}: ${error?.problem}`.slice(0, WIDTH);
    return cells.join("  ").trimEnd() + (error === undefined ? "" : `\n${problem}`);
  });
  return `${[top.join("  ").trimEnd(), ...formatted].join("\n")}\n`;
}

/** Colours of ECMA-48: green, yellow and red; grey for a feed that is not downloaded. */
function colourOf(row: StatusRow | undefined): number {
  if (row === undefined || row.left !== undefined) return 90;
  if (!row.ready) return 31;
  return row.freshness === "fresh" && row.error === undefined ? 32 : 33;
}
