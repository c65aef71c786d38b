import type { Metrics } from "#metrics";
import type { Store } from "#store";

/** Returns a store whose operations are counted and timed. Members that are not named here are not counted. */
export function timeStore(store: Store, metrics: Metrics): Store {
  function timed<Args extends readonly unknown[], Result>(
    operation: string,
    work: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      const startedAt = performance.now();
      let outcome: "ok" | "failed" = "failed";
      try {
        const result = await work(...args);
        outcome = "ok";
        return result;
      } finally {
        metrics.stored(operation, outcome, (performance.now() - startedAt) / 1000);
      }
    };
  }

  /** When this read finds nothing, the caller calls `find`, which counts the operation. */
  function timedNow(findSync: NonNullable<Store["findSync"]>): NonNullable<Store["findSync"]> {
    return (address) => {
      const startedAt = performance.now();
      const found = findSync(address);
      if (found !== undefined) metrics.stored("find", "ok", (performance.now() - startedAt) / 1000);
      return found;
    };
  }

  const { budgets, admissions, challenges, ratings } = store;
  return {
    ...store,
    ...(store.findSync === undefined ? {} : { findSync: timedNow(store.findSync) }),
    find: timed("find", (address) => store.find(address)),
    findSurvey: timed("find_survey", (address) => store.findSurvey(address)),
    save: timed("save", (report, survey) => store.save(report, survey)),
    rescore: timed("rescore", (report) => store.rescore(report)),
    history: timed("history", (address) => store.history(address)),
    ping: timed("ping", () => store.ping()),
    budgets: {
      settle: timed("budgets", (day, entries) => budgets.settle(day, entries)),
      read: timed("budgets", (day) => budgets.read(day)),
    },
    admissions: {
      admit: timed("permits", (now, charges) => admissions.admit(now, charges)),
      refund: timed("permits", (charges) => admissions.refund(charges)),
      read: timed("permits", (now, charges) => admissions.read(now, charges)),
    },
    challenges: { use: timed("challenges", (id, expiresAt, now) => challenges.use(id, expiresAt, now)) },
    ratings: {
      saveVote: timed("votes", (vote) => ratings.saveVote(vote)),
      read: timed("votes", (address) => ratings.read(address)),
    },
  };
}
