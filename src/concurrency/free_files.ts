import { closeSync, openSync } from "node:fs";

/** A new thread opens about a dozen files, while the process goes on accepting connections. */
const NEEDED = 64;

/**
 * Whether the process can open as many files as a new thread needs. When a thread starts without a free file descriptor,
 * the runtime ends the whole process (Bun 1.4.5), and connections of clients may take them all.
 */
export function hasFreeFiles(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED) opened.push(openSync("/dev/null", "r"));
    return true;
  } catch {
    return false;
  } finally {
    for (const file of opened) closeSync(file);
  }
}
