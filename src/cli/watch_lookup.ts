import type { Lookup } from "#lookup";
import type { Metrics } from "#metrics";

/** Results other than answers, as the metric labels them. */
const LABELS = { refused: "denied", overloaded: "overloaded", not_in_mirror: "elsewhere" } as const;

/** The same lookup, every answer counted by its tier; whoever has left is not. */
export function watchLookup(lookup: Lookup, metrics: Metrics): Lookup {
  return async (request, signal) => {
    try {
      const result = await lookup(request, signal);
      metrics.answered(result.kind === "answer" ? result.answer.tier : LABELS[result.kind]);
      return result;
    } catch (error) {
      if (!signal.aborted) metrics.answered("failed");
      throw error;
    }
  };
}
