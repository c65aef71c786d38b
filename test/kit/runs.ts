/** Whether `bun run test` runs, not the quick checks. Set by the runner (test/run.ts). */
export const isFullRun = Bun.env.TEST_RUNS === "full";

/** How often a property is tried: `full` times by `bun run test`, a tenth of that by the quick checks. */
export function runs(full: number): number {
  return isFullRun ? full : Math.ceil(full / 10);
}
