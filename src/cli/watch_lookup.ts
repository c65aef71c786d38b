import type { Lookup } from "#lookup";
import type { Metrics } from "#metrics";

/** The same lookup, every answer counted by its tier; whoever has left is not. */
export function watchLookup(lookup: Lookup, metrics: Metrics): Lookup {
  return async (address, options, signal) => {
    try {
      const result = await lookup(address, options, signal);
      metrics.answered(result.kind === "answer" ? result.answer.tier : result.kind);
      return result;
    } catch (error) {
      if (!signal.aborted) metrics.answered("failed");
      throw error;
    }
  };
}
