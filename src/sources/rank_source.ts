import type { Breaker, Turn } from "#upstream";
import type { Source } from "./source.ts";

/**
 * Where a source stands in line for its first place in a survey, lower first: who will ask again before who asks once,
 * the lists with their quick answers after them, and last who failed last time, for it may hold its place to the end of
 * its time.
 */
export function rankSource(
  source: Pick<Source, "id" | "asksAgain" | "zone">,
  breaker: Pick<Breaker, "doubts">,
): Exclude<Turn["rank"], 0> {
  if (breaker.doubts(source.id)) return 4;
  if (source.asksAgain === true) return 1;
  return source.zone === undefined ? 2 : 3;
}
