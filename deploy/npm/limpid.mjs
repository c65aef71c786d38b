#!/usr/bin/env node
// Starts limpid with the Bun that npm installed as a dependency of this package.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A runtime is larger than this; what npm leaves in its place without its install script is smaller. */
const LEAST_BYTES = 1_000_000;

/** Finds the runtime: the one that the install script of `bun` made ready, else the one of this platform's package. */
function findBun() {
  const bun = createRequire(import.meta.url).resolve("bun/package.json");
  const cpu = process.arch === "arm64" ? "aarch64" : process.arch;
  const names = ["", "-musl"].map((libc) => `@oven/bun-${process.platform}-${cpu}${libc}/bin/bun`);
  const paths = names.flatMap((name) => {
    try {
      return [createRequire(bun).resolve(name)];
    } catch {
      return [];
    }
  });
  return [join(dirname(bun), "bin", "bun.exe"), ...paths].find(
    (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LEAST_BYTES,
  );
}

const runtime = findBun();
if (runtime === undefined) {
  console.error(
    `limpid has no Bun for ${process.platform} ${process.arch}: https://bun.com/docs/installation names the platforms`,
  );
  process.exit(69);
}
const main = join(dirname(fileURLToPath(import.meta.url)), "src", "main.ts");
const [command = "serve", ...options] = process.argv.slice(2);
// The service ends when this process does, even if it is killed.
const args = [command, ...options, ...(command === "serve" ? ["--stop-with-parent"] : [])];
const child = spawn(runtime, [main, ...args], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`limpid cannot start Bun at ${runtime}: ${error.message}`);
  process.exit(71);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
