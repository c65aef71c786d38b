import { EXIT, ExitError } from "#app";
import type { BatchFacts } from "./batch/rows.ts";
import type { CommandOption } from "./command.ts";

/** The option `--fail-below` of `lookup` and `batch`. */
export const FAIL_BELOW: CommandOption = {
  name: "fail-below",
  value: "PURITY",
  what: "end with 1 when the purity is lower than this",
};

/**
 * Reads `--fail-below`, a purity from 0 to 100.
 * @throws {ExitError} when the value is not one.
 */
export function readFailBelow(values: ReadonlyMap<string, string>): number | undefined {
  const text = values.get(FAIL_BELOW.name);
  if (text === undefined) return undefined;
  const purity = Number(text);
  if (/^\d{1,3}$/.test(text) && purity <= 100) return purity;
  throw new ExitError(
    EXIT.usage,
    `Cannot read --fail-below: it must be 0 to 100: current value is "${text}"`,
  );
}

/** Returns the exit code: 1 for a purity below the threshold, else 3 where live sources were queried and none answered. */
export function exitCodeOf(
  { purity, heard }: Pick<BatchFacts, "purity" | "heard">,
  failBelow: number | undefined,
): number {
  if (failBelow !== undefined && purity < failBelow) return EXIT.below;
  return heard === 0 ? EXIT.unavailable : EXIT.ok;
}
