import { LRUCache } from "lru-cache";
import { type Address, isBogon } from "#address";
import { parseSurvey, type Survey } from "#evidence";
import type { Assessment, Tier } from "#report";
import { SCORING_VERSION } from "#scoring";
import type { FoundReport, Store } from "#store";
import { assess } from "./assess.ts";
import type { Answer, Lookup, LookupResult } from "./lookup.ts";

/** An answer that nobody live stood behind is kept in memory this long at most. */
const UNHEARD_CACHE_MS = 30_000;

/** What a caller is told to wait when every survey slot is taken. */
const OVERLOADED_RETRY_MS = 1000;

/** What the use case needs from the edge. Times in milliseconds. */
export interface LookupDependencies {
  readonly store: Pick<Store, "find" | "findSurvey" | "save" | "rescore">;
  /** Asks the sources about a public address, scarce ones too if `everyone`, else while undecided; never rejects. */
  readonly survey: (address: Address, options: { readonly everyone: boolean }) => Promise<Survey>;
  /** What the tables say of special-purpose space; asks nobody. */
  readonly surveySpecial: (address: Address) => Promise<Survey>;
  readonly now: () => number;
  readonly live: boolean;
  readonly staleMs: number;
  readonly cacheEntries: number;
  readonly cacheMs: number;
  /** Surveys under way at once; one more is told to come back. */
  readonly maxSurveys: number;
  readonly log: (level: "info" | "warn" | "error", event: string, fields?: Record<string, unknown>) => void;
}

interface Kept {
  readonly assessment: Assessment;
  readonly surveyedAt: number;
  readonly liveHeard: number;
}

/**
 * Builds the lookup: cache, then store, then one survey shared by everyone who asks for the address meanwhile.
 * A survey runs to its own deadline even if its callers leave: the next one finds its answer.
 */
export function createLookup(dependencies: LookupDependencies): Lookup {
  const { store, now, log } = dependencies;
  const cache = new LRUCache<string, Kept>({
    max: dependencies.cacheEntries,
    ttl: dependencies.cacheMs,
    // Read the injected clock, not the library's own.
    perf: { now },
    ttlResolution: 0,
  });
  const finding = new Map<string, Promise<Kept | undefined>>();
  const surveying = new Map<string, Promise<Kept>>();
  const refreshing = new Map<string, Promise<Answer>>();

  function answer(kept: Kept, tier: Tier): LookupResult {
    return { kind: "answer", answer: toAnswer(kept, tier) };
  }

  function toAnswer(kept: Kept, tier: Tier): Answer {
    return { tier, stale: now() - kept.surveyedAt > dependencies.staleMs, assessment: kept.assessment };
  }

  async function find(address: string): Promise<Kept | undefined> {
    try {
      const stored = await store.find(address);
      // A conclusion that no live source backs answers only for as long as none can be asked.
      if (stored === undefined || (dependencies.live && stored.liveHeard === 0)) return undefined;
      const kept = await bringUpToDate(stored);
      if (kept === undefined) return undefined;
      // A refresh may have ended while the database was asked; what it found is newer.
      const newer = cache.get(address);
      if (newer !== undefined && newer.surveyedAt > kept.surveyedAt) return newer;
      cache.set(address, kept);
      return kept;
    } catch (error) {
      log("error", "store_unreadable", { message: String(error) });
      return undefined;
    }
  }

  /**
   * The report as found, or its survey judged anew where an older version judged it or its form is no longer read.
   * A conclusion of a newer version stands: two versions on one database would rewrite each other's for ever.
   */
  async function bringUpToDate(stored: FoundReport): Promise<Kept | undefined> {
    const { address, surveyedAt, liveHeard, assessment: old } = stored;
    if (old !== undefined && old.scoringVersion >= SCORING_VERSION) {
      return { assessment: old, surveyedAt, liveHeard };
    }
    const assessment = await assessStored(stored);
    if (assessment === undefined) return old && { assessment: old, surveyedAt, liveHeard };
    const kept = { assessment, surveyedAt, liveHeard };
    try {
      await store.rescore({ address, ...kept });
    } catch (error) {
      log("error", "store_unwritable", { message: String(error) });
    }
    return kept;
  }

  /** Undefined, and said in the log, when the survey is missing, broken or of another address or moment. */
  async function assessStored({ address, surveyedAt }: FoundReport): Promise<Assessment | undefined> {
    let message = "Cannot read the stored survey: it is missing, broken or in another form";
    try {
      const survey = parseSurvey((await store.findSurvey(address)) ?? "");
      const isIts = survey?.address === address && Date.parse(survey.surveyedAt) === surveyedAt;
      if (survey !== undefined && isIts) return assess(survey);
    } catch (error) {
      message = String(error);
    }
    log("warn", "survey_unusable", { message });
    return undefined;
  }

  async function keep(survey: Survey): Promise<Kept> {
    const kept = conclude(survey);
    if (dependencies.live && kept.liveHeard === 0) {
      cache.set(survey.address, kept, { ttl: Math.min(UNHEARD_CACHE_MS, dependencies.cacheMs) });
      return kept;
    }
    try {
      await store.save({ address: survey.address, ...kept }, JSON.stringify(survey));
    } catch (error) {
      log("error", "store_unwritable", { message: String(error) });
    }
    cache.set(survey.address, kept);
    return kept;
  }

  /** One piece of work an address at a time; whoever comes meanwhile shares it. */
  function share<Result>(
    under: Map<string, Promise<Result>>,
    address: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const running = under.get(address);
    if (running !== undefined) return running;
    const started = work().finally(() => under.delete(address));
    under.set(address, started);
    return started;
  }

  /** Replaces the kept report unless the new survey heard less than half as many live sources as the old one. */
  async function refresh(address: Address): Promise<Answer> {
    const old = cache.get(address.text) ?? (await find(address.text));
    const survey = await dependencies.survey(address, { everyone: true });
    const fresh = conclude(survey);
    if (old !== undefined && fresh.liveHeard * 2 < old.liveHeard) {
      log("warn", "refresh_poorer", {
        heard: fresh.liveHeard,
        before: old.liveHeard,
        sources: fresh.assessment.sources.filter((source) => source.state === "failed"),
      });
      return { tier: "store", stale: true, assessment: old.assessment };
    }
    return toAnswer(await keep(survey), "fresh");
  }

  return async (address, options, signal) => {
    signal.throwIfAborted();
    if (isBogon(address)) return answer(conclude(await dependencies.surveySpecial(address)), "fresh");

    if (!options.refresh) {
      const cached = cache.get(address.text);
      if (cached !== undefined) return answer(cached, "cache");
      const stored = await share(finding, address.text, () => find(address.text));
      if (stored !== undefined) return answer(stored, "store");
      // A survey may have ended while the database was asked; its answer is in the cache by now.
      const settled = cache.get(address.text);
      if (settled !== undefined) return answer(settled, "cache");
    }

    const joined = options.refresh ? refreshing.get(address.text) : surveying.get(address.text);
    if (joined === undefined) {
      if (surveying.size + refreshing.size >= dependencies.maxSurveys) {
        return { kind: "overloaded", retryAfterMs: OVERLOADED_RETRY_MS };
      }
      const admission = options.admit();
      if (!admission.admitted) return { kind: "denied", retryAfterMs: admission.retryAfterMs };
    }

    if (options.refresh) {
      const refreshed = await leaveOnAbort(
        share(refreshing, address.text, () => refresh(address)),
        signal,
      );
      return { kind: "answer", answer: refreshed };
    }
    const kept = await leaveOnAbort(
      share(surveying, address.text, async () =>
        keep(await dependencies.survey(address, { everyone: false })),
      ),
      signal,
    );
    return answer(kept, "fresh");
  };
}

function conclude(survey: Survey): Kept {
  return {
    assessment: assess(survey),
    surveyedAt: Date.parse(survey.surveyedAt),
    liveHeard: survey.runs.filter((run) => !run.local && (run.state === "answered" || run.state === "empty"))
      .length,
  };
}

/** Waits for shared work only as long as this caller is there. */
function leaveOnAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
