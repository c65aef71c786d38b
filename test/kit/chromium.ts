import type { Browser } from "playwright-core";
import { findProgram } from "./find_program.ts";

/**
 * Starts the Chromium of the system without a window. `names` are host names that resolve to this machine.
 * @throws if it is missing: call `findProgram("chromium")` first.
 */
export async function startChromium(names: readonly string[] = []): Promise<Browser> {
  const executablePath = findProgram("chromium");
  if (executablePath === undefined) throw new Error("Cannot start Chromium: it is missing");
  // Loaded only here, because loading takes time in every other test.
  const { chromium } = await import("playwright-core");
  const rules = names.map((name) => `MAP ${name.includes(" ") ? name : `${name} 127.0.0.1`}`).join(",");
  return await chromium.launch({
    executablePath,
    // Its sandbox does not run as root, and containers run tests as root. It opens only our own pages.
    args: ["--no-sandbox", ...(rules === "" ? [] : [`--host-resolver-rules=${rules}`])],
  });
}
