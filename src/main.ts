#!/usr/bin/env bun
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import {
  checkHealth,
  checkSources,
  describeUsage,
  drawCompletions,
  EXIT,
  ExitError,
  lookupOnce,
  openService,
  type Reader,
  readBatchArguments,
  readCheckArguments,
  readDbArguments,
  readFeedsArguments,
  readLookupArguments,
  renderCheck,
  runBatchCommand,
  runDbCommand,
  SHELLS,
  showFeeds,
  startMirror,
  startServer,
  updateFeeds,
} from "#cli";
import { type Config, ConfigError, readConfig } from "#config";
import { TABLE_FEEDS } from "#feeds";
import { SOURCES } from "#sources";
import { StoreError } from "#store";
import manifest from "../package.json" with { type: "json" };
import { createLineWriter } from "./line_writer.ts";
import { createLog, type Log } from "./log.ts";
import { locatePaths } from "./paths.ts";

const paths = locatePaths(import.meta.dir);
const now = () => Date.now();

/** How long an end waits for a reader of stderr that is slow. */
const DRAIN_MS = 1000;

/** Not `process.stderr`: an output that is full or closed ends the process there, and one that nobody reads fills the memory. */
const stderr = createLineWriter(() => Bun.stderr.writer());

function readEnvironment(): Config {
  return readConfig(process.env, {
    sources: [
      ...SOURCES.map((source) => ({ id: source.id, keyed: source.secret !== undefined })),
      ...TABLE_FEEDS.map(({ id }) => ({ id, keyed: false })),
    ],
    readSecret: (path) => readFileSync(path, "utf8"),
  });
}

function openLog(config: Config): Log {
  return createLog({
    level: config.log,
    readable: process.stderr.isTTY === true,
    now,
    write: stderr.write,
    secrets: listSecrets(config),
    setTimer: (callback, delayMs) => void setTimeout(callback, delayMs).unref(),
  });
}

function listSecrets({ secrets, secret, database, verifier, metricsToken }: Config): readonly string[] {
  const verifying = verifier.kind === "turnstile" ? verifier.secret : undefined;
  return [...secrets.values(), secret, database.token, verifying, metricsToken].filter(
    (one) => one !== undefined,
  );
}

function prepareDataDirectory(config: Config): void {
  try {
    mkdirSync(config.dataDirectory, { recursive: true });
    accessSync(config.dataDirectory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ExitError(
      EXIT.cannotCreate,
      `Cannot write to the data directory "${config.dataDirectory}": ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

async function serve(): Promise<void> {
  const config = readEnvironment();
  const log = openLog(config);
  prepareDataDirectory(config);
  const edge = { paths, version: manifest.version, now, log, lostLogLines: stderr.lost };
  const { mirror } = config;
  const server = await (mirror === undefined
    ? startServer(config, edge)
    : startMirror({ ...config, mirror }, edge));
  const known = server.publicUrl === server.url ? "" : `, as ${server.publicUrl}`;

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log("info", "stopping", { signal });
    await server.stop();
    await stderr.drain(DRAIN_MS);
    process.exit(EXIT.ok);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));

  // Whoever reads this may end it at once.
  createLineWriter(() => Bun.stdout.writer()).write(
    `limpid ${manifest.version} answers at ${server.url}${known}\n\n  curl '${server.url}/api/lookup?ip=1.1.1.1&lang=en'\n\n`,
  );
}

/** https://no-color.org */
function readReader(): Reader {
  return {
    language: /^zh/i.test(process.env.LC_ALL ?? process.env.LANG ?? "") ? "zh" : "en",
    isTerminal: process.stdout.isTTY === true,
    wantsColour: (process.env.NO_COLOR ?? "") === "" && process.env.TERM !== "dumb",
  };
}

async function lookup(args: readonly string[]): Promise<void> {
  const wanted = readLookupArguments(args, readReader());
  const config = readEnvironment();
  prepareDataDirectory(config);
  const service = await openService(config, { paths, version: manifest.version, now, log: openLog(config) });
  try {
    const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
    const never = new AbortController().signal;
    const { text, code } = await lookupOnce(service, wanted, { baseUrl, live: config.live }, never);
    process.stdout.write(text);
    process.exitCode = code;
  } finally {
    await service.close();
  }
}

async function batch(args: readonly string[]): Promise<void> {
  const wanted = readBatchArguments(args);
  const config = readEnvironment();
  const log = openLog(config);
  const ending = new AbortController();
  process.once("SIGINT", () => ending.abort());
  process.once("SIGTERM", () => ending.abort());
  const watched = process.stderr.isTTY === true;
  process.exitCode = await runBatchCommand(config, wanted, {
    paths,
    now,
    openService() {
      prepareDataDirectory(config);
      return openService(config, { paths, version: manifest.version, now, log });
    },
    input: () => Bun.stdin.stream(),
    write: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
    ...(watched ? { progress: (line: string) => stderr.write(`\r\u001b[K${line}`) } : {}),
    signal: ending.signal,
  });
  if (watched) stderr.write("\n");
}

function completions(args: readonly string[]): void {
  const shell = SHELLS.find((known) => known === args[0]);
  if (shell === undefined || args.length !== 1) {
    throw new ExitError(EXIT.usage, `Cannot complete: the shell must be one of ${SHELLS.join(", ")}`);
  }
  process.stdout.write(drawCompletions(shell));
}

async function check(args: readonly string[]): Promise<void> {
  const { json } = readCheckArguments(args);
  const config = readEnvironment();
  prepareDataDirectory(config);
  const service = await openService(config, { paths, version: manifest.version, now, log: openLog(config) });
  try {
    const found = await checkSources(service, SOURCES, { poolSize: config.pool, now });
    // https://no-color.org
    const colour = process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === "";
    process.stdout.write(json ? `${JSON.stringify(found, undefined, 2)}\n` : renderCheck(found, { colour }));
    process.exitCode = found.ready ? EXIT.ok : EXIT.notReady;
  } finally {
    await service.close();
  }
}

async function feeds(args: readonly string[]): Promise<void> {
  const wanted = readFeedsArguments(args);
  const config = readEnvironment();
  const output = {
    write: (text: string) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY === true,
  };
  if (wanted.action === "status") return showFeeds(config, { now, output, json: wanted.json });
  prepareDataDirectory(config);
  const { ids } = wanted;
  process.exitCode = await updateFeeds(config, { ids, version: manifest.version, now, output });
}

async function db(args: readonly string[]): Promise<void> {
  const wanted = readDbArguments(args);
  const config = readEnvironment();
  if (wanted.action === "restore") prepareDataDirectory(config);
  const ending = new AbortController();
  if (wanted.action === "prune") {
    process.once("SIGINT", () => ending.abort());
    process.once("SIGTERM", () => ending.abort());
  }
  const watched = process.stderr.isTTY === true;
  process.exitCode = await runDbCommand(config, wanted, {
    migrations: paths.migrations,
    now,
    write: (text) => void process.stdout.write(text),
    ...(watched ? { progress: (line: string) => stderr.write(`\r\u001b[K${line}`) } : {}),
    signal: ending.signal,
  });
}

async function main(args: readonly string[]): Promise<void> {
  const [command = "serve", ...rest] = args;
  if (command === "--version" || command === "-v") process.stdout.write(`${manifest.version}\n`);
  else if (command === "--help" || command === "-h" || command === "help")
    process.stdout.write(describeUsage(manifest.version));
  else if (command === "serve" && rest.length === 0) await serve();
  else if (command === "lookup") await lookup(rest);
  else if (command === "batch") await batch(rest);
  else if (command === "completions") completions(rest);
  else if (command === "feeds") await feeds(rest);
  else if (command === "db") await db(rest);
  else if (command === "check") await check(rest);
  else if (command === "health" && rest.length === 0) await checkHealth(readEnvironment());
  else
    throw new ExitError(
      EXIT.usage,
      `Cannot run "${args.join(" ")}": no such command\n\n${describeUsage(manifest.version)}`,
    );
  // A command ends by itself, unless lines wait for a reader that does not read; what it printed is written first.
  if (command !== "serve" && !(await stderr.drain(DRAIN_MS))) process.stdout.write("", () => process.exit());
}

async function fail(message: string, code: number): Promise<never> {
  stderr.write(`${message}\n`);
  await stderr.drain(DRAIN_MS);
  process.exit(code);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof ConfigError) return fail(error.message, EXIT.config);
  const known = error instanceof ExitError || error instanceof StoreError;
  const message = known ? error.message : `Cannot go on: ${String(error)}`;
  return fail(message, error instanceof ExitError ? error.code : EXIT.software);
});
