import type { Metrics } from "#metrics";
import type { Store } from "#store";

const DAY_MS = 86_400_000;

/** A database that does not answer must not keep the metrics from being read: then they tell what was last known. */
const PATIENCE_MS = 500;

/** Shows what is used of each source's day, as all processes on the database have counted it. */
export function watchBudgets(
  metrics: Metrics,
  options: {
    readonly book: Store["budgets"];
    readonly limits: ReadonlyMap<string, number | undefined>;
    readonly now: () => number;
    readonly patienceMs?: number;
  },
): void {
  const { patienceMs = PATIENCE_MS } = options;
  let known: { readonly day: number; readonly used: ReadonlyMap<string, number> } | undefined;
  metrics.prepare(async () => {
    const day = Math.floor(options.now() / DAY_MS);
    const reading = options.book.read(day).then((used) => {
      known = { day, used };
    });
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
  });
  metrics.attach({
    budgets() {
      const { day, used } = known ?? { day: -1, used: new Map<string, number>() };
      // Before the first word of the database, and on a new day without one, nothing is claimed.
      if (day !== Math.floor(options.now() / DAY_MS)) return [];
      return [...options.limits].flatMap(([id, limit]) =>
        limit === undefined ? [] : [{ id, limit, used: used.get(id) ?? 0 }],
      );
    },
  });
}
