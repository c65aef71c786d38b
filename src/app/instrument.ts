import { DAY_MS } from "#common";
import type { Admissions } from "#limits";
import type { FindKnownSync, Lookup } from "#lookup";
import type { Metrics } from "#metrics";
import type { Store } from "#store";
import type { Limits } from "./limits.ts";

/** How long writing the metrics waits for the database. After that, the last known values are used. */
const BUDGET_TIMEOUT_MS = 500;

/** Metric labels of the results that are not answers. */
const RESULT_LABELS = { refused: "denied", overloaded: "overloaded", not_in_mirror: "elsewhere" } as const;

/** Wraps a lookup so that every outcome is counted, except for callers that disconnected. */
export function instrumentLookup(lookup: Lookup, metrics: Metrics): Lookup {
  return async (request, signal) => {
    try {
      const result = await lookup(request, signal);
      metrics.answered(result.kind === "answer" ? result.answer.tier : RESULT_LABELS[result.kind]);
      return result;
    } catch (error) {
      if (!signal.aborted) metrics.answered("failed");
      throw error;
    }
  };
}

/** Wraps the lookup in memory so that every answer is counted. */
export function instrumentFindKnownNow(find: FindKnownSync, metrics: Metrics): FindKnownSync {
  return (address) => {
    const answer = find(address);
    if (answer !== undefined) metrics.answered(answer.tier);
    return answer;
  };
}

/** Wraps the admissions so that every request is counted. */
export function instrumentAdmissions(admissions: Admissions, metrics: Metrics): Admissions {
  return {
    ...admissions,
    async request(request) {
      const admission = await admissions.request(request);
      metrics.admitted(request.kind, admission.admitted ? "admitted" : admission.refusal.reason);
      return admission;
    },
  };
}

/** Wraps the limits so that verifications and votes are counted. */
export function instrumentLimits(limits: Limits, metrics: Metrics): Limits {
  const { verification, votes } = limits;
  return {
    ...limits,
    verification: {
      ...verification,
      async verify(subject, payload) {
        const result = await verification.verify(subject, payload);
        metrics.verified(result);
        return result;
      },
    },
    votes: {
      async save(vote) {
        await votes.save(vote);
        metrics.voted();
      },
      read: (address) => votes.read(address),
    },
  };
}

/** Wraps a store so that its operations are counted and timed. Members that are not named here are not counted. */
export function instrumentStore(store: Store, metrics: Metrics): Store {
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

/** Shows how much of each source's daily budget all processes on the database have used. */
export function showBudgets(
  metrics: Metrics,
  options: {
    readonly budgets: Pick<Store["budgets"], "read">;
    readonly limits: ReadonlyMap<string, number | undefined>;
    readonly now: () => number;
    readonly timeoutMs?: number;
  },
): void {
  const { budgets, timeoutMs = BUDGET_TIMEOUT_MS } = options;
  let known: { readonly day: number; readonly used: ReadonlyMap<string, number> } | undefined;
  metrics.prepare(async () => {
    const day = Math.floor(options.now() / DAY_MS);
    const reading = budgets.read(day).then((used) => {
      known = { day, used };
    });
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  });
  metrics.attach({
    budgets() {
      const { day, used } = known ?? { day: -1, used: new Map<string, number>() };
      // Values of another day would be wrong: show none until the database answers.
      if (day !== Math.floor(options.now() / DAY_MS)) return [];
      return [...options.limits].flatMap(([id, limit]) =>
        limit === undefined ? [] : [{ id, limit, used: used.get(id) ?? 0 }],
      );
    },
  });
}
