import type { FindKnownNow } from "#lookup";
import type { Metrics } from "#metrics";

/** The same memory, every answer from it counted. */
export function watchHit(find: FindKnownNow, metrics: Metrics): FindKnownNow {
  return (address) => {
    const answer = find(address);
    if (answer !== undefined) metrics.answered(answer.tier);
    return answer;
  };
}
