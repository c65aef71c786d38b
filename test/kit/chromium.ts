import type { Browser } from "playwright-core";
import { findProgram } from "./find_program.ts";

/**
 * Starts the system's Chromium without a window. `names` are host names that stand for this machine.
 * @throws when it is missing: ask `findProgram("chromium")` first.
 */
export async function startChromium(names: readonly string[] = []): Promise<Browser> {
  const executablePath = findProgram("chromium");
  if (executablePath === undefined) throw new Error("Cannot start Chromium: it is missing");
  // Loaded where it is used: every other test would wait for it too.
  const { chromium } = await import("playwright-core");
  const rules = names.map((name) => `MAP ${name} 127.0.0.1`).join(",");
  return await chromium.launch({
    executablePath,
    // Its sandbox refuses to run as root, and containers run tests as root; it only sees pages of our own.
    args: ["--no-sandbox", ...(rules === "" ? [] : [`--host-resolver-rules=${rules}`])],
  });
}
