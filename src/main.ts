#!/usr/bin/env bun
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkSources,
  EXIT,
  ExitError,
  lookupOnce,
  openService,
  type Paths,
  readCheckArguments,
  readFeedsArguments,
  readLookupArguments,
  renderCheck,
  showFeeds,
  startServer,
  updateFeeds,
} from "#cli";
import { type Config, ConfigError, readConfig } from "#config";
import { TABLE_FEEDS } from "#datasets";
import { SOURCES } from "#sources";
import { StoreError } from "#store";
import manifest from "../package.json" with { type: "json" };
import { createLog, type Log } from "./log.ts";

const USAGE = `limpid ${manifest.version}: tells how clean an IP address is, and shows its reasoning

  limpid serve                         serve the HTTP interface
  limpid lookup ADDRESS [--json] [--lang zh|en] [--refresh]
                                       print one report
  limpid feeds status [--json]         show the age and state of every downloaded list
  limpid feeds update [ID ...]         download lists now
  limpid check [--json]                ask every source about a known address; 1 if one is not ready
  limpid --version | --help

Everything is set by environment variables; .env.example lists them.
`;

const project = join(import.meta.dir, "..");
const paths: Paths = {
  migrations: join(project, "drizzle"),
  seed: join(project, "seed"),
  static: join(project, "static"),
};
const now = () => Date.now();

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
    write: (line) => process.stderr.write(line),
  });
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
  for (const name of config.withoutEffect) log("warn", "variable_without_effect", { name });
  prepareDataDirectory(config);
  const server = await startServer(config, { paths, version: manifest.version, now, log });
  const known = server.publicUrl === server.url ? "" : `, as ${server.publicUrl}`;
  process.stdout.write(
    `limpid ${manifest.version} answers at ${server.url}${known}\n\n  curl '${server.url}/api/lookup?ip=1.1.1.1&lang=en'\n\n`,
  );

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log("info", "stopping", { signal });
    await server.stop();
    process.exit(EXIT.ok);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
}

async function lookup(args: readonly string[]): Promise<void> {
  const language = /^zh/i.test(process.env.LC_ALL ?? process.env.LANG ?? "") ? "zh" : "en";
  const wanted = readLookupArguments(args, language);
  const config = readEnvironment();
  prepareDataDirectory(config);
  const service = await openService(config, { paths, version: manifest.version, now, log: openLog(config) });
  try {
    const origin = config.baseUrl ?? `http://${config.host}:${config.port}`;
    process.stdout.write(await lookupOnce(service, wanted, origin, new AbortController().signal));
  } finally {
    await service.close();
  }
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

async function main(args: readonly string[]): Promise<void> {
  const [command = "serve", ...rest] = args;
  if (command === "--version" || command === "-v") process.stdout.write(`${manifest.version}\n`);
  else if (command === "--help" || command === "-h" || command === "help") process.stdout.write(USAGE);
  else if (command === "serve" && rest.length === 0) await serve();
  else if (command === "lookup") await lookup(rest);
  else if (command === "feeds") await feeds(rest);
  else if (command === "check") await check(rest);
  else throw new ExitError(EXIT.usage, `Cannot run "${args.join(" ")}": no such command\n\n${USAGE}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT.config);
  }
  const known = error instanceof ExitError || error instanceof StoreError;
  process.stderr.write(`${known ? error.message : `Cannot go on: ${String(error)}`}\n`);
  process.exit(error instanceof ExitError ? error.code : EXIT.software);
});
