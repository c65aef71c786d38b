import { type Address, isBogon } from "#address";
import type { StartTimer } from "#common";
import { createQueue, createSingleFlight, type Read, raceAbort } from "#concurrency";
import type { Survey } from "#evidence";
import type { Admissions } from "#limits";
import type { Tier } from "#report";
import {
  type Answer,
  answerSpecial,
  type FindKnown,
  type FindKnownSync,
  type LookupEnd,
  type LookupRequest,
  type LookupResult,
  type SurveyEvent,
  watchLookup,
} from "./answer.ts";
import { createKnownReports, type KnownReport, type KnownReportsOptions } from "./known_reports.ts";
import { createSharedSurveys, type SurveyOutcome } from "./shared_surveys.ts";

export type Lookups = ReturnType<typeof createLookup>;

/**
 * Creates the lookup: memory, then the store, then one survey for all requests of the address. A survey runs to its
 * own deadline even if all its callers leave; the next request finds its answer. All surveys wait in one queue: a
 * client cannot fill it alone, because its limit per minute is less than the places of the queue. Times are in milliseconds.
 */
export function createLookup(
  dependencies: Omit<KnownReportsOptions, "after"> & {
    /** Called for the one request that starts a survey. */
    readonly admissions: Pick<Admissions, "request" | "refund">;
    /**
     * Queries the sources about a public address: with `askAll`, all of them; otherwise, the scarce ones only if the
     * others do not settle the address. Never rejects.
     */
    readonly survey: (
      address: Address,
      options: { readonly askAll: boolean; readonly watch: (event: SurveyEvent) => void },
    ) => Promise<Survey>;
    /** Reads the tables about a special-purpose address; queries no source. */
    readonly surveySpecial: (address: Address) => Promise<Survey>;
    readonly staleMs: number;
    /** Surveys that run at once. */
    readonly maxSurveys: number;
    /** Surveys that wait for their turn in order of arrival; further requests are `overloaded`. */
    readonly maxWaiting: number;
    /** A request that has waited this long is `overloaded`. */
    readonly maxWaitMs: number;
    /** Calls `then` after `ms`. The returned function cancels the call. Absent = the timers of the process. */
    readonly after?: StartTimer;
    /** Called when an answer leaves from memory or a lookup ends; must not throw. */
    readonly onEnd?: ((end: LookupEnd) => void) | undefined;
  },
) {
  const { now, log, staleMs, admissions, maxSurveys, maxWaitMs, after = setTimer } = dependencies;
  const reports = createKnownReports({ ...dependencies, after });
  const storeReads = createSingleFlight<Read<KnownReport | undefined>>();
  const queue = createQueue({ maxRunning: maxSurveys, maxWaiting: dependencies.maxWaiting });
  const surveys = createSharedSurveys({
    queue,
    maxRunning: maxSurveys,
    admissions,
    maxWaitMs,
    now,
    after,
    onBrokenWatcher: (error) => log("error", "watcher_broken", { message: String(error) }),
  });

  const lookup = watchLookup(async (request, signal) => {
    signal.throwIfAborted();
    const { address } = request;
    if (isBogon(address)) return answerSpecial(address, dependencies.surveySpecial);
    if (request.refresh) return surveys.join(request, (watch) => refresh(request, watch), signal);

    const cached = reports.getCached(address.text);
    if (cached !== undefined) return answer(cached, "cache");
    const found = await raceAbort(findOnce(address.text), signal);
    signal.throwIfAborted();
    if (found.reached && found.value !== undefined) return answer(found.value, "store");
    // A survey may have ended while the store was read.
    const surveyed = reports.getCached(address.text);
    if (surveyed !== undefined) return answer(surveyed, "cache");
    return surveys.join(request, (watch) => surveyNew(address, found, watch), signal);
  }, dependencies.onEnd);

  const findKnown: FindKnown = async ({ text }) => {
    const cached = reports.getCached(text);
    if (cached !== undefined) return toAnswer(cached, "cache");
    const found = await findOnce(text);
    return found.reached && found.value !== undefined ? toAnswer(found.value, "store") : undefined;
  };

  const findKnownSync: FindKnownSync = (address) => {
    const cached = reports.getCached(address.text);
    const found = cached ?? reports.findSync(address);
    if (found === undefined) return undefined;
    const tier = cached === undefined ? "store" : "cache";
    dependencies.onEnd?.(tier);
    return toAnswer(found, tier);
  };

  function findOnce(address: string): Promise<Read<KnownReport | undefined>> {
    return storeReads.run(address, () => reports.find(address));
  }

  /** `before` is the result of the read before the survey: no report, or the store could not be read. */
  async function surveyNew(
    address: Address,
    before: Read<KnownReport | undefined>,
    watch: (event: SurveyEvent) => void,
  ): Promise<SurveyOutcome> {
    // A refresh may have ended while this survey waited for its turn.
    const cached = reports.getCached(address.text);
    if (cached !== undefined) return { answer: toAnswer(cached, "cache"), isRefundable: true };
    const survey = await dependencies.survey(address, { askAll: false, watch });
    const { known, isPoorer, isUnanswered } = await reports.saveSurvey(survey, before);
    return { answer: toAnswer(known, isPoorer ? "store" : "fresh"), isRefundable: isUnanswered };
  }

  async function refresh(
    { address, isThrifty }: LookupRequest,
    watch: (event: SurveyEvent) => void,
  ): Promise<SurveyOutcome> {
    const cached = reports.getCached(address.text);
    const before: Read<KnownReport | undefined> =
      cached !== undefined && cached.isUnread !== true
        ? { reached: true, value: cached }
        : await reports.find(address.text);
    const survey = await dependencies.survey(address, { askAll: isThrifty !== true, watch });
    const { known, isPoorer, isUnanswered } = await reports.saveSurvey(survey, before);
    const answer = isPoorer ? { ...toAnswer(known, "store"), stale: true } : toAnswer(known, "fresh");
    return { answer, isRefundable: isUnanswered };
  }

  function answer(known: KnownReport, tier: Tier): LookupResult {
    return { kind: "answer", answer: toAnswer(known, tier), limits: [] };
  }

  function toAnswer({ assessment, surveyedAt, liveAnswers, votes }: KnownReport, tier: Tier): Answer {
    return { tier, stale: Math.abs(now() - surveyedAt) > staleMs, assessment, votes, liveAnswers };
  }

  return {
    lookup,
    findKnown,
    findKnownSync,
    /** Sets the votes on an address, so that the next answer of this process shows them. */
    noteVotes: reports.setVotes,
    /** Tries a last time to save the surveys that could not be saved. Never rejects. */
    flush: reports.flush,
    load: () => ({
      running: queue.running,
      waiting: queue.waiting,
      unsaved: reports.unsaved,
      cached: reports.cached,
      /** False from a failed read until the next successful one. */
      storeReadable: reports.isReadable,
    }),
  };
}

function setTimer(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
