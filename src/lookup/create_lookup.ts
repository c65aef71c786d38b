import { LRUCache } from "lru-cache";
import { type Address, isBogon } from "#address";
import { parseSurvey, type Survey } from "#evidence";
import type { Assessment, Tier } from "#report";
import { SCORING_VERSION } from "#scoring";
import type { FoundReport, Store, VoteSum } from "#store";
import { assess } from "./assess.ts";
import { createFlights, type Landing } from "./flights.ts";
import type { Answer, Hit, Lookup, LookupResult, Peek, SurveyEvent } from "./lookup.ts";
import { createOutage, type Read } from "./outage.ts";
import { createSurveyQueue } from "./survey_queue.ts";

/** An answer that nobody live stood behind is kept in memory this long at most. */
const UNHEARD_CACHE_MS = 30_000;

/** Surveys kept back while the store is away; they cost the world something, and about 30 kB each. */
const MAX_UNSAVED = 500;

/** They are tried again this often, whether or not anybody asks for anything meanwhile. */
const SAVE_AGAIN_MS = 5000;

const NO_VOTES: readonly VoteSum[] = [];

/** What the use case needs from the edge. Times in milliseconds. */
export interface LookupDependencies {
  readonly store: Pick<Store, "find" | "findSurvey" | "save" | "rescore"> & {
    readonly ratings: Pick<Store["ratings"], "read">;
  };
  /** The store's own, for answers without waiting. Absent = only memory answers so. */
  readonly findNow?: NonNullable<Store["findNow"]>;
  /** A copy of the store at hand. Absent = there is none, and the store is asked for everything. */
  readonly near?: NearShelf;
  /** Asks the sources about a public address, scarce ones too if `everyone`, else while undecided; never rejects. */
  readonly survey: (
    address: Address,
    options: { readonly everyone: boolean; readonly watch: (event: SurveyEvent) => void },
  ) => Promise<Survey>;
  /** What the tables say of special-purpose space; asks nobody. */
  readonly surveySpecial: (address: Address) => Promise<Survey>;
  readonly now: () => number;
  readonly live: boolean;
  readonly staleMs: number;
  readonly cacheEntries: number;
  readonly cacheMs: number;
  /** Surveys under way at once. */
  readonly maxSurveys: number;
  /** Surveys that wait for their turn, first come first; one more is told to come back. */
  readonly maxWaiting: number;
  /** Whoever has waited this long for a turn is told to come back. */
  readonly maxWaitMs: number;
  /** Calls back in `ms`; what it returns calls that off. Absent = the process's own timers. */
  readonly after?: (ms: number, then: () => void) => () => void;
  readonly log: (level: "info" | "warn" | "error", event: string, fields?: Record<string, unknown>) => void;
}

/**
 * A copy of the store that is read in its place while it is in step, and when the store is away. It holds back what is
 * older than this process's own writes; what it does not hold may still be in the store.
 */
export interface NearShelf extends Pick<Store, "find" | "findSurvey"> {
  isCurrent(): boolean;
}

/** The lookup, and what it must be told. */
export interface Lookups {
  readonly lookup: Lookup;
  readonly peek: Peek;
  readonly hit: Hit;
  /** Says what the votes on an address are by now, so that this process's next answer shows them. */
  readonly noteVotes: (address: string, votes: readonly VoteSum[]) => void;
  readonly load: () => LookupLoad;
  /** Tries to save, for the last time, what was surveyed while the store was away. Never rejects. */
  readonly settle: () => Promise<void>;
}

/** How busy the lookup is: surveys under way, waiting, and not yet stored, and reports in memory. */
export interface LookupLoad {
  readonly running: number;
  readonly waiting: number;
  readonly unsaved: number;
  readonly cached: number;
  /** False from a read that failed until one that did not. */
  readonly storeReadable: boolean;
}

/** A read under way that may bring the votes of a moment ago; `noted` is what has been said of them since. */
interface Reading {
  readonly address: string;
  noted?: readonly VoteSum[];
}

interface Kept {
  readonly assessment: Assessment;
  readonly surveyedAt: number;
  readonly liveHeard: number;
  readonly votes: readonly VoteSum[];
  /** It is unknown what the store holds of the address, so this is not kept there and may be the poorer. */
  readonly unread?: true;
}

/**
 * Builds the lookup: cache, then store, then one survey shared by everyone who asks for the address meanwhile.
 * A survey runs to its own deadline even if its callers leave: the next one finds its answer. Surveys wait in one
 * queue for everybody: what a limited client may start in a minute is less than its places, so none fills it alone.
 */
export function createLookup(dependencies: LookupDependencies): Lookups {
  const { store, near, now, log } = dependencies;
  const cache = new LRUCache<string, Kept>({
    max: dependencies.cacheEntries,
    ttl: dependencies.cacheMs,
    // Read the injected clock, not the library's own.
    perf: { now },
    ttlResolution: 0,
  });
  const finding = new Map<string, Promise<Read<Kept | undefined>>>();
  const readings = new Set<Reading>();
  const unsaved = new LRUCache<string, Survey>({
    max: MAX_UNSAVED,
    dispose(_, __, reason) {
      if (reason === "evict") log("error", "survey_given_up", { kept: MAX_UNSAVED });
    },
  });
  const after = dependencies.after ?? callLater;
  let saving: Promise<void> | undefined;
  let cancelSaving: (() => void) | undefined;
  let isSettled = false;
  const outage = createOutage({
    now,
    onLoss: (error) => log("error", "store_unreadable", { message: String(error) }),
    onReturn(lastedMs) {
      log("info", "store_readable", { lastedMs, unsaved: unsaved.size });
      void saveLate();
    },
  });
  const queue = createSurveyQueue({
    maxRunning: dependencies.maxSurveys,
    maxWaiting: dependencies.maxWaiting,
  });
  const flights = createFlights({
    queue,
    maxWaitMs: dependencies.maxWaitMs,
    now,
    after,
    onBrokenWatcher: (error) => log("error", "watcher_broken", { message: String(error) }),
  });

  function answer(kept: Kept, tier: Tier): LookupResult {
    return { kind: "answer", answer: toAnswer(kept, tier) };
  }

  function toAnswer({ assessment, surveyedAt, liveHeard, votes }: Kept, tier: Tier): Answer {
    const stale = now() - surveyedAt > dependencies.staleMs;
    return { tier, stale, assessment, votes, heard: liveHeard };
  }

  /** Reads votes, and whatever else, and keeps what comes of it; a vote noted meanwhile is not lost. */
  async function reading<Result>(
    address: string,
    work: (reading: Reading) => Promise<Result>,
  ): Promise<Result> {
    const own: Reading = { address };
    readings.add(own);
    try {
      return await work(own);
    } finally {
      readings.delete(own);
    }
  }

  /** What the copy holds where it is in step or the store is away; else what the store holds. */
  async function find(address: string): Promise<Read<Kept | undefined>> {
    if (near === undefined) return findInStore(address);
    const wasCurrent = near.isCurrent();
    const first = wasCurrent ? await findNear(near, address) : undefined;
    if (first !== undefined) return { reached: true, value: first };
    const stored = await findInStore(address);
    if (stored.reached || wasCurrent) return stored;
    const second = await findNear(near, address);
    return second === undefined ? stored : { reached: true, value: second };
  }

  /** What the store holds, if it can say so without waiting and nothing is left to be done with it. */
  function findNow(address: Address): Kept | undefined {
    if (dependencies.findNow === undefined || outage.isLost || isBogon(address)) return undefined;
    const stored = dependencies.findNow(address.text);
    if (stored?.assessment === undefined || stored.assessment.scoringVersion < SCORING_VERSION)
      return undefined;
    if (dependencies.live && stored.liveHeard === 0) return undefined;
    const { assessment, surveyedAt, liveHeard, votes } = stored;
    const kept = { assessment, surveyedAt, liveHeard, votes };
    cache.set(address.text, kept);
    return kept;
  }

  function findInStore(address: string): Promise<Read<Kept | undefined>> {
    return outage.read(() => findIn(store, address));
  }

  async function findNear(shelf: NearShelf, address: string): Promise<Kept | undefined> {
    try {
      return await findIn(shelf, address);
    } catch (error) {
      log("warn", "copy_unreadable", { message: String(error) });
      return undefined;
    }
  }

  function findIn(shelf: Pick<Store, "find" | "findSurvey">, address: string): Promise<Kept | undefined> {
    return reading(address, async (own) => {
      const stored = await shelf.find(address);
      // A conclusion that no live source backs answers only for as long as none can be asked.
      if (stored === undefined || (dependencies.live && stored.liveHeard === 0)) return undefined;
      const found = await bringUpToDate(stored, shelf);
      if (found === undefined) return undefined;
      // A refresh may have ended while the database was asked; what it found is newer.
      const newer = cache.get(address);
      if (newer !== undefined && newer.surveyedAt > found.surveyedAt && supersedes(newer, found))
        return newer;
      const kept = own.noted === undefined ? found : { ...found, votes: own.noted };
      cache.set(address, kept);
      return kept;
    });
  }

  /**
   * The report as found, or its survey judged anew where an older version judged it or its form is no longer read.
   * A conclusion of a newer version stands: two versions on one database would rewrite each other's for ever.
   */
  async function bringUpToDate(
    stored: FoundReport,
    shelf: Pick<Store, "findSurvey">,
  ): Promise<Kept | undefined> {
    const { address, surveyedAt, liveHeard, votes, assessment: old } = stored;
    if (old !== undefined && old.scoringVersion >= SCORING_VERSION) {
      return { assessment: old, surveyedAt, liveHeard, votes };
    }
    const assessment = await assessStored(stored, shelf);
    if (assessment === undefined) return old && { assessment: old, surveyedAt, liveHeard, votes };
    await write(() => store.rescore({ address, assessment, surveyedAt, liveHeard }));
    return { assessment, surveyedAt, liveHeard, votes };
  }

  /** Undefined, and said in the log, when the survey is missing, broken or of another address or moment. */
  async function assessStored(
    { address, surveyedAt }: FoundReport,
    shelf: Pick<Store, "findSurvey">,
  ): Promise<Assessment | undefined> {
    let message = "Cannot read the stored survey: it is missing, broken or in another form";
    try {
      const survey = parseSurvey((await shelf.findSurvey(address)) ?? "");
      const isIts = survey?.address === address && Date.parse(survey.surveyedAt) === surveyedAt;
      if (survey !== undefined && isIts) return assess(survey);
    } catch (error) {
      message = String(error);
    }
    log("warn", "survey_unusable", { message });
    return undefined;
  }

  /** Whether it was written. */
  async function write(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log("error", "store_unwritable", { message: String(error) });
      return false;
    }
  }

  function noteVotes(address: string, votes: readonly VoteSum[]): void {
    for (const one of readings) if (one.address === address) one.noted = votes;
    const kept = cache.peek(address);
    if (kept === undefined || isSameVotes(kept.votes, votes)) return;
    cache.set(address, { ...kept, votes }, { noUpdateTTL: true });
  }

  /** Keeps what a survey found, unless it heard less than half as many live sources as what was known `before`. */
  async function keep(
    survey: Survey,
    before: Read<Kept | undefined>,
  ): Promise<{ readonly kept: Kept; readonly isPoorer: boolean; readonly isOwed: boolean }> {
    const { address } = survey;
    const fresh = conclude(survey);
    const isUnheard = dependencies.live && fresh.liveHeard === 0;
    // What could not be read before the survey must not be overwritten unread.
    const known = before.reached ? before : await findInStore(address);
    const old = known.reached ? known.value : undefined;
    if (old !== undefined && !supersedes(fresh, old)) {
      log("warn", "refresh_poorer", {
        heard: fresh.liveHeard,
        before: old.liveHeard,
        sources: fresh.assessment.sources.filter((source) => source.state === "failed"),
      });
      return { kept: cache.peek(address) ?? old, isPoorer: true, isOwed: isUnheard };
    }
    if (!isUnheard) {
      const save = () => store.save({ address, ...fresh }, JSON.stringify(survey));
      if (!known.reached || !(await write(save))) owe(address, survey);
    }
    return reading(address, async (own) => {
      // Nobody votes on what is not known yet, but it may have been known once.
      const stored = cache.has(address) ? undefined : await outage.read(() => store.ratings.read(address));
      const read = stored?.reached ? stored.value : NO_VOTES;
      const votes = cache.peek(address)?.votes ?? own.noted ?? read;
      const kept: Kept = { ...fresh, votes, ...(known.reached ? {} : { unread: true }) };
      const ttl = isUnheard ? Math.min(UNHEARD_CACHE_MS, dependencies.cacheMs) : dependencies.cacheMs;
      cache.set(address, kept, { ttl });
      return { kept, isPoorer: false, isOwed: isUnheard };
    });
  }

  function owe(address: string, survey: Survey): void {
    unsaved.set(address, survey);
    saveSoon();
  }

  /** By itself: nobody may ever ask again, or whoever asks may find everything in memory. */
  function saveSoon(): void {
    if (isSettled || cancelSaving !== undefined || unsaved.size === 0) return;
    cancelSaving = after(SAVE_AGAIN_MS, () => {
      cancelSaving = undefined;
      void saveLate();
    });
  }

  function saveLate(): Promise<void> {
    saving ??= saveOwed().finally(() => {
      saving = undefined;
      saveSoon();
    });
    return saving;
  }

  /** Saves what was surveyed while the store was away, unless it holds something newer or richer. */
  async function saveOwed(): Promise<void> {
    for (const [address, survey] of [...unsaved.entries()]) {
      const stored = await findInStore(address);
      if (!stored.reached) return;
      // Another survey of the address may have taken its place meanwhile.
      if (unsaved.peek(address) !== survey) continue;
      unsaved.delete(address);
      if ((stored.value?.surveyedAt ?? 0) > Date.parse(survey.surveyedAt)) continue;
      await keep(survey, stored);
      if (unsaved.has(address)) return;
    }
  }

  async function settle(): Promise<void> {
    isSettled = true;
    cancelSaving?.();
    await saveLate();
    if (unsaved.size > 0) log("error", "surveys_given_up", { count: unsaved.size });
  }

  /** One read an address at a time; whoever comes meanwhile shares it. */
  function findOnce(address: string): Promise<Read<Kept | undefined>> {
    const running = finding.get(address);
    if (running !== undefined) return running;
    const started = find(address).finally(() => finding.delete(address));
    finding.set(address, started);
    return started;
  }

  /** `before` is what the store said when the lookup began, for it found nothing then. */
  async function surveyNew(
    address: Address,
    before: Read<Kept | undefined>,
    watch: (event: SurveyEvent) => void,
  ): Promise<Landing> {
    // A refresh may have ended while this waited for its turn.
    const known = cache.get(address.text);
    if (known !== undefined) return { answer: toAnswer(known, "cache"), isOwed: true };
    const survey = await dependencies.survey(address, { everyone: false, watch });
    const { kept, isPoorer, isOwed } = await keep(survey, before);
    return { answer: toAnswer(kept, isPoorer ? "store" : "fresh"), isOwed };
  }

  async function refresh(address: Address, watch: (event: SurveyEvent) => void): Promise<Landing> {
    const cached = cache.get(address.text);
    const before: Read<Kept | undefined> =
      cached !== undefined && cached.unread !== true
        ? { reached: true, value: cached }
        : await findInStore(address.text);
    const survey = await dependencies.survey(address, { everyone: true, watch });
    const { kept, isPoorer, isOwed } = await keep(survey, before);
    if (!isPoorer) return { answer: toAnswer(kept, "fresh"), isOwed };
    return { answer: { ...toAnswer(kept, "store"), stale: true }, isOwed };
  }

  const lookup: Lookup = async (address, options, signal) => {
    signal.throwIfAborted();
    const { text } = address;
    if (isBogon(address)) {
      const { assessment } = conclude(await dependencies.surveySpecial(address));
      return {
        kind: "answer",
        answer: { tier: "fresh", stale: false, assessment, votes: NO_VOTES, heard: 0 },
      };
    }
    if (options.refresh) {
      return flights.join(`refresh ${text}`, (watch) => refresh(address, watch), options, signal);
    }

    const cached = cache.get(text);
    if (cached !== undefined) return answer(cached, "cache");
    const found = await leaveOnAbort(findOnce(text), signal);
    signal.throwIfAborted();
    if (found.reached && found.value !== undefined) return answer(found.value, "store");
    // A survey may have ended while the database was asked; its answer is in the cache by now.
    const settled = cache.get(text);
    if (settled !== undefined) return answer(settled, "cache");
    return flights.join(`new ${text}`, (watch) => surveyNew(address, found, watch), options, signal);
  };

  const hit: Hit = (address) => {
    const cached = cache.get(address.text);
    if (cached !== undefined) return toAnswer(cached, "cache");
    const found = findNow(address);
    return found && toAnswer(found, "store");
  };

  const peek: Peek = async ({ text }) => {
    const cached = cache.get(text);
    if (cached !== undefined) return toAnswer(cached, "cache");
    const found = await findOnce(text);
    return found.reached && found.value !== undefined ? toAnswer(found.value, "store") : undefined;
  };

  const load = (): LookupLoad => ({
    running: queue.running,
    waiting: queue.waiting,
    unsaved: unsaved.size,
    cached: cache.size,
    storeReadable: !outage.isLost,
  });

  return { lookup, peek, hit, noteVotes, load, settle };
}

/** A report gives way only to one that heard at least half as many live sources. */
function supersedes(newer: Pick<Kept, "liveHeard">, old: Pick<Kept, "liveHeard">): boolean {
  return newer.liveHeard * 2 >= old.liveHeard;
}

function callLater(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

function isSameVotes(some: readonly VoteSum[], others: readonly VoteSum[]): boolean {
  return (
    some.length === others.length &&
    some.every((one) =>
      others.some(
        ({ scenario, count, sum }) => scenario === one.scenario && count === one.count && sum === one.sum,
      ),
    )
  );
}

function conclude(survey: Survey): Omit<Kept, "votes"> {
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
