import { statSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "#address";
import type { Config } from "#config";
import { openDatasets } from "#datasets";
import { mergeEvidence } from "#evidence";
import { FEEDS, openFeeds } from "#feeds";
import { createTableSurvey, SOURCES } from "#sources";
import { type BatchArguments, type BatchProgress, type Judged, runBatch } from "./batch.ts";
import { factsOfAnswer, factsOfEvidence } from "./batch_facts.ts";
import { openBatchOutput } from "./batch_output.ts";
import { chooseFeeds } from "./choose_feeds.ts";
import { EXIT, ExitError } from "./exit_codes.ts";
import { type LineSource, readLines } from "./line_source.ts";
import type { Paths, Service } from "./open_service.ts";

/** Where a batch reads, writes and reports. */
export interface BatchEdge {
  readonly paths: Pick<Paths, "seed">;
  readonly now: () => number;
  /** Opens what live judgements need; not called with `--tables-only`. */
  readonly openService: () => Promise<Pick<Service, "lookup" | "close">>;
  readonly input: () => ReadableStream<Uint8Array>;
  readonly write: (text: string) => void | Promise<void>;
  /** Present where a person watches. */
  readonly progress?: (line: string) => void;
  readonly signal: AbortSignal;
}

const BAR_CELLS = 24;
const MINUTE_S = 60;

/**
 * Runs `limpid batch` to its end and gives the exit code.
 * @throws {ExitError} when the file cannot be read or written, or the output belongs to another input.
 */
export async function runBatchCommand(
  config: Config,
  wanted: BatchArguments,
  edge: BatchEdge,
): Promise<number> {
  const lines = openLines(wanted.file, edge.input);
  const output = wanted.out === undefined ? undefined : openBatchOutput(wanted.out, wanted.format);
  const service = wanted.tablesOnly ? undefined : await edge.openService();
  const startedAt = edge.now();
  try {
    const result = await runBatch(wanted, {
      lines,
      judgeOne:
        service === undefined ? judgeByTables(config, edge) : judgeLive(service, config.live, edge.signal),
      write: output === undefined ? edge.write : (text) => output.write(text),
      done: output?.done ?? 0,
      ...(output?.lastInput === undefined ? {} : { lastInput: output.lastInput }),
      signal: edge.signal,
      ...(edge.progress === undefined
        ? {}
        : {
            onProgress: (at) =>
              edge.progress?.(describeProgress(at, output?.done ?? 0, edge.now() - startedAt)),
          }),
    });
    return result.code;
  } finally {
    output?.close();
    await service?.close();
  }
}

function openLines(file: string, input: BatchEdge["input"]): LineSource {
  if (file === "-") return readLines(input());
  try {
    return readLines(Bun.file(file).stream(), statSync(file).size);
  } catch (error) {
    throw new ExitError(
      EXIT.badInput,
      `Cannot read "${file}": ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** Leave is always given: the operator's own machine asks, and the sources' daily budgets still hold. */
function judgeLive(service: Pick<Service, "lookup">, live: boolean, signal: AbortSignal) {
  const admit = async () => ({ admitted: true, giveBack: () => {} }) as const;
  return async (address: Address): Promise<Judged> => {
    const result = await service.lookup(address, { refresh: false, admit }, signal);
    return result.kind === "answer" ? factsOfAnswer(result.answer, live) : "unavailable";
  };
}

function judgeByTables(config: Config, edge: Pick<BatchEdge, "paths" | "now">) {
  const chosen = chooseFeeds(config);
  const feeds = openFeeds({
    directory: join(config.dataDirectory, "feeds"),
    feeds: chosen.feeds,
    tables: chosen.tables,
    now: edge.now,
  });
  const absent = FEEDS.filter(({ id }) => feeds.state(id).freshness === "absent").map(({ id }) => id);
  const survey = createTableSurvey(SOURCES, {
    datasets: openDatasets({ directory: edge.paths.seed, feeds }),
    off: new Set([...config.sourcesOff, ...absent]),
    now: edge.now,
  });
  return async (address: Address): Promise<Judged> => {
    const said = await survey(address);
    return factsOfEvidence(said, mergeEvidence(said));
  };
}

/** `[######......] 12 345 rows, 41 %, 20 100/s, 0:12 left`; what an earlier run wrote counts for no speed. */
function describeProgress({ rows, bytes, of }: BatchProgress, before: number, elapsedMs: number): string {
  const seconds = Math.max(0.001, elapsedMs / 1000);
  const speed = `${format((rows - before) / seconds)}/s`;
  if (of === undefined || of === 0) return `${format(rows)} rows, ${speed}`;
  const share = Math.min(1, bytes / of);
  const full = Math.floor(share * BAR_CELLS);
  const left = Math.round((seconds * (1 - share)) / Math.max(share, 0.001));
  const clock = `${Math.floor(left / MINUTE_S)}:${String(left % MINUTE_S).padStart(2, "0")}`;
  const bar = "#".repeat(full) + ".".repeat(BAR_CELLS - full);
  return `[${bar}] ${format(rows)} rows, ${Math.floor(share * 100)} %, ${speed}, ${clock} left`;
}

function format(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}
