import type { Metrics } from "#metrics";
import type { Store } from "#store";

/** The same store, every operation counted and timed; what is not named here passes uncounted. */
export function watchStore(store: Store, metrics: Metrics): Store {
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

  /** What it cannot tell is asked for again, and counted then. */
  function timedNow(findNow: NonNullable<Store["findNow"]>): NonNullable<Store["findNow"]> {
    return (address) => {
      const startedAt = performance.now();
      const found = findNow(address);
      if (found !== undefined) metrics.stored("find", "ok", (performance.now() - startedAt) / 1000);
      return found;
    };
  }

  const { budgets, admissions, challenges, ratings } = store;
  return {
    ...store,
    ...(store.findNow === undefined ? {} : { findNow: timedNow(store.findNow) }),
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
      admit: timed("permits", (request) => admissions.admit(request)),
      refund: timed("permits", (id) => admissions.refund(id)),
      read: timed("permits", (day, names) => admissions.read(day, names)),
    },
    challenges: { use: timed("challenges", (id, expiresAt, now) => challenges.use(id, expiresAt, now)) },
    ratings: {
      saveVote: timed("votes", (vote, mostVoters) => ratings.saveVote(vote, mostVoters)),
      read: timed("votes", (address) => ratings.read(address)),
    },
  };
}
