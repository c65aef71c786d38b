import type { Log } from "#common";

/** Bounds the memory of messages that were logged. */
const MAX_MESSAGES = 100;

/**
 * Keeps the process running when a callback of a timer, an event or a stream throws, here or in a package: otherwise
 * anyone who makes one callback throw ends the service. Each message is logged once, each error is counted by `count`.
 * Callbacks whose work must go on after an error catch it themselves. Returns a function that restores the default.
 */
export function catchUncaught(log: Log, count: () => void): () => void {
  const logged = new Set<string>();

  function report(error: unknown): void {
    count();
    const message = String(error);
    if (logged.has(message) || logged.size >= MAX_MESSAGES) return;
    logged.add(message);
    log("error", "uncaught_error", { message, stack: error instanceof Error ? error.stack : undefined });
  }

  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
  return () => {
    process.off("uncaughtException", report);
    process.off("unhandledRejection", report);
  };
}
