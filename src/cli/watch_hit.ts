import type { Hit } from "#lookup";
import type { Metrics } from "#metrics";

/** The same memory, every answer from it counted. */
export function watchHit(hit: Hit, metrics: Metrics): Hit {
  return (address) => {
    const answer = hit(address);
    if (answer !== undefined) metrics.answered(answer.tier);
    return answer;
  };
}
