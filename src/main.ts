#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import { createLog, EXIT, ExitError, type Log, locatePaths } from "#app";
import { type CommandContext, runProgram } from "#cli";
import { type Config, ConfigError, readConfig } from "#config";
import { TABLE_FEEDS } from "#datasets";
import { SOURCES } from "#sources";
import { StoreError } from "#store";
import manifest from "../package.json" with { type: "json" };

const env = process.env;
const { stderr, stdout } = process;
const now = () => Date.now();

/** The process as the commands see it. */
const context: CommandContext = {
  paths: locatePaths(import.meta.dir),
  version: manifest.version,
  now,
  readConfig: () =>
    readConfig(env, {
      sources: [
        ...SOURCES.map((source) => ({ id: source.id, keyed: source.secret !== undefined })),
        ...TABLE_FEEDS.map(({ id }) => ({ id, keyed: false })),
      ],
      readSecret: (path) => readFileSync(path, "utf8"),
    }),
  openLog,
  terminal: {
    language: /^zh/i.test(env.LC_ALL ?? env.LANG ?? "") ? "zh" : "en",
    isTerminal: stdout.isTTY === true,
    // https://no-color.org
    hasColour: (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb",
  },
  readInput: () => Bun.stdin.stream(),
  write: (text) => new Promise((resolve) => stdout.write(text, () => resolve())),
  ...(stderr.isTTY === true ? { progress: (line) => void stderr.write(`\r\u001b[K${line}`) } : {}),
  abortOnSignal() {
    const aborting = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => aborting.abort());
    return aborting.signal;
  },
  waitForSignal: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve(signal));
    }),
  exit: (code) => process.exit(code),
};

function openLog(config: Config): Log {
  return createLog({
    level: config.log,
    readable: stderr.isTTY === true,
    now,
    write: (line) => stderr.write(line),
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

runProgram(process.argv.slice(2), context).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    if (error instanceof ConfigError) {
      stderr.write(`${error.message}\n`);
      process.exit(EXIT.config);
    }
    const isExpected = error instanceof ExitError || error instanceof StoreError;
    stderr.write(`${isExpected ? error.message : `Unexpected error: ${String(error)}`}\n`);
    process.exit(error instanceof ExitError ? error.code : EXIT.software);
  },
);
