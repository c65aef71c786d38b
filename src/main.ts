#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import {
  chooseDataDirectory,
  createLineWriter,
  createLog,
  EXIT,
  ExitError,
  locatePaths,
  waitForLauncherEnd,
} from "#app";
import { type CommandContext, runProgram } from "#cli";
import type { Log } from "#common";
import { type Config, ConfigError, readConfig } from "#config";
import { TABLE_FEEDS } from "#feeds";
import { SOURCES } from "#sources";
import { StoreError } from "#store";
import manifest from "../package.json" with { type: "json" };

const env = process.env;
const { stdout } = process;
const now = () => Date.now();

/** How long the process waits at its end for a slow reader of stderr. */
const DRAIN_MS = 1000;

/** Replaces `process.stderr`, which ends the process when the output is full or closed, and buffers without a limit. */
const stderr = createLineWriter(() => Bun.stderr.writer());
const isWatched = process.stderr.isTTY === true;

/** The parts of the process that commands use. */
const context: CommandContext = {
  paths: locatePaths(import.meta.dir),
  version: manifest.version,
  now,
  readConfig: (user = "command") =>
    readConfig(
      { ...env, LIMPID_DATA_DIR: env.LIMPID_DATA_DIR || findDataDirectory(user) },
      {
        sources: [
          ...SOURCES.map((source) => ({ id: source.id, keyed: source.secret !== undefined })),
          ...TABLE_FEEDS.map(({ id }) => ({ id, keyed: false })),
        ],
        readSecret: (path) => readFileSync(path, "utf8"),
      },
    ),
  openLog,
  lostLogLines: stderr.lost,
  terminal: {
    // Of these, the first that is not empty (POSIX.1-2024, base definitions, 8.2).
    language: /^zh/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || "") ? "zh" : "en",
    isTerminal: stdout.isTTY === true,
    // https://no-color.org
    hasColour: (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb",
  },
  readInput: () => Bun.stdin.stream(),
  write: (text) =>
    new Promise((resolve, reject) => {
      stdout.write(text, (error) => (error == null ? resolve() : reject(describeWriteError(error))));
    }),
  warn,
  announce: (text) => createLineWriter(() => Bun.stdout.writer()).write(text),
  ...(isWatched ? { progress: (line) => stderr.write(`\r\u001b[K${line}`) } : {}),
  abortOnSignal() {
    const aborting = new AbortController();
    for (const signal of endingSignals()) process.once(signal, () => aborting.abort());
    return aborting.signal;
  },
  waitForSignal: () =>
    new Promise((resolve) => {
      for (const signal of endingSignals()) process.on(signal, () => resolve(signal));
    }),
  waitForLauncherEnd,
  exit,
};

/** https://specifications.freedesktop.org/basedir-spec/latest/ */
function findDataDirectory(user: "server" | "command"): string | undefined {
  if (user === "server") return undefined;
  const { XDG_DATA_HOME: given = "" } = env;
  return chooseDataDirectory(isAbsolute(given) ? given : join(homedir(), ".local/share"));
}

/** A reader that ends early, such as head(1), ends the program without a word. */
function describeWriteError(error: Error): ExitError {
  if ("code" in error && error.code === "EPIPE") return new ExitError(EXIT.ok, "");
  return new ExitError(EXIT.cannotCreate, `Cannot write to the standard output: ${error.message}`);
}

/** SIGHUP ends the process too, unless its parent made it ignore that signal, as nohup(1) does. */
function endingSignals(): readonly NodeJS.Signals[] {
  return ignoresHangup() ? ["SIGINT", "SIGTERM"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}

/** Reads the mask of ignored signals of Linux, proc_pid_status(5). SIGHUP is bit 0. */
function ignoresHangup(): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return mask !== undefined && (BigInt(`0x${mask}`) & 1n) === 1n;
  } catch {
    return false;
  }
}

/** A file name may contain what controls a terminal. Only line feeds stay as they are. */
function warn(text: string): void {
  stderr.write(`${text.replaceAll(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, "?")}\n`);
}

function openLog(config: Config): Log {
  return createLog({
    level: config.log,
    readable: isWatched,
    now,
    write: stderr.write,
    secrets: listSecrets(config),
    setTimer: (callback, delayMs) => void setTimeout(callback, delayMs).unref(),
  });
}

function listSecrets({ secrets, secret, database, verifier, metricsToken }: Config): readonly string[] {
  const verifierSecret = verifier.kind === "turnstile" ? verifier.secret : undefined;
  return [...secrets.values(), secret, database.token, verifierSecret, metricsToken].filter(
    (one) => one !== undefined,
  );
}

async function exit(code: number): Promise<never> {
  await stderr.drain(DRAIN_MS);
  process.exit(code);
}

async function main(): Promise<void> {
  // Each write reports its own error; without a listener the runtime would end the process.
  stdout.on("error", () => {});
  try {
    process.exitCode = await runProgram(process.argv.slice(2), context);
    // Unread log lines must not keep the process alive. The text on stdout is written first.
    if (!(await stderr.drain(DRAIN_MS))) stdout.write("", () => process.exit());
  } catch (error) {
    const isExpected =
      error instanceof ConfigError || error instanceof ExitError || error instanceof StoreError;
    const message = isExpected ? error.message : `Unexpected error: ${String(error)}`;
    if (message !== "") warn(message);
    await exit(exitCodeOf(error));
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.config;
  return error instanceof ExitError ? error.code : EXIT.software;
}

void main();
