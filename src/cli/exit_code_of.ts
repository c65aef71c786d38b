import type { BatchFacts } from "./batch_facts.ts";
import { EXIT } from "./exit_codes.ts";

/**
 * The exit code that a threshold asks for: 1 for a purity below it, and 3 where live sources were to be asked and
 * none was heard, for silence passes no threshold.
 */
export function exitCodeOf(
  { purity, heard }: Pick<BatchFacts, "purity" | "heard">,
  failBelow: number | undefined,
): number {
  if (failBelow === undefined) return EXIT.ok;
  if (purity < failBelow) return EXIT.below;
  return heard === 0 ? EXIT.unavailable : EXIT.ok;
}
