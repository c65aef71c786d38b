import { expect } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PROJECT = join(import.meta.dir, "../..");

/** Whether `bun run golden` is running, which writes golden files instead of comparing them. */
export const isRenewing = Bun.env.UPDATE_GOLDEN === "1";

/**
 * Expects a text to equal a golden file; `path` starts at the root of the project. `bun run golden` writes the file.
 * It runs the test files that contain `matchGolden`, so a helper that calls this function has this word in its name.
 */
export function matchGolden(path: string, text: string): void {
  const file = join(PROJECT, path);
  if (isRenewing) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text, `${path}: if this change is right, run \`bun run golden\``).toBe(readFileSync(file, "utf8"));
}
