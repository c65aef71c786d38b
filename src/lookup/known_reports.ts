import { LRUCache } from "lru-cache";
import { type Address, isBogon, parseAddress } from "#address";
import type { Log, StartTimer } from "#common";
import { createOutage, type Read } from "#concurrency";
import { type Corrections, carryForward, NO_CORRECTIONS, parseSurvey, type Survey } from "#evidence";
import { type Assessment, BANDS, type VoteSum } from "#report";
import { SCORING_VERSION } from "#scoring";
import type { FoundReport, Store } from "#store";
import { NO_VOTES } from "./answer.ts";
import { assess } from "./assess.ts";
import { createLateSaves } from "./late_saves.ts";

/** A report without an answer of a live source stays in memory for at most this time. */
const UNANSWERED_CACHE_MS = 30_000;

/** Pauses between two reads of a store that cannot be read. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;

/** A report in memory. */
export interface KnownReport {
  readonly assessment: Assessment;
  /** The characters of its JSON, if the store counted them: counting them takes a tenth of the time of an answer. */
  readonly chars?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly surveyedAt: number;
  readonly liveAnswers: number;
  readonly votes: readonly VoteSum[];
  /** The version of the corrections that the assessment includes. Absent = none. The store keeps it without any. */
  readonly corrections?: string;
  /** The store could not be read before the survey, so it may contain a report of more sources. */
  readonly isUnread?: true;
}

/** Dependencies of {@link createKnownReports}. Times in milliseconds. */
export interface KnownReportsOptions {
  readonly store: Pick<Store, "find" | "findSurvey" | "save" | "rescore"> & {
    readonly ratings: Pick<Store["ratings"], "read">;
  };
  /** Reads the store without waiting. Absent = only memory is read without waiting. */
  readonly findSync?: NonNullable<Store["findSync"]>;
  readonly now: () => number;
  readonly live: boolean;
  readonly corrections?: Corrections;
  readonly cacheEntries: number;
  readonly cacheBytes: number;
  readonly cacheMs: number;
  /** Calls `then` after `ms`. The returned function cancels the call. */
  readonly after: StartTimer;
  readonly log: Log;
}

/** A read of votes in progress, and the votes that were set meanwhile. */
interface VoteRead {
  readonly address: string;
  votes?: readonly VoteSum[];
}

/** Memory of a report besides its assessment: votes, key and place in the cache. */
const OVERHEAD_BYTES = 2048;

/** The heap takes about twice what is in use, because garbage is collected when it has doubled. */
const HEAP_FACTOR = 2;

/**
 * The bounds of a cache of reports: their number, and their memory. An assessment takes about as many bytes of the
 * heap as its JSON has characters.
 */
export function boundReports(options: { readonly cacheEntries: number; readonly cacheBytes: number }) {
  return {
    max: options.cacheEntries,
    maxSize: options.cacheBytes,
    sizeCalculation: ({ assessment, chars = JSON.stringify(assessment).length }: KnownReport) =>
      chars * HEAP_FACTOR + OVERHEAD_BYTES,
  };
}

/** Creates the reports that are known, in memory and in one store. No method rejects. */
export function createKnownReports(options: KnownReportsOptions) {
  const { store, now, live, cacheMs, log, corrections = NO_CORRECTIONS } = options;
  const cache = new LRUCache<string, KnownReport>({
    ...boundReports(options),
    ttl: cacheMs,
    // Replaces the library's own clock.
    perf: { now },
    ttlResolution: 0,
  });
  const voteReads = new Set<VoteRead>();
  const outage = createOutage({
    firstPauseMs: FIRST_PAUSE_MS,
    longestPauseMs: LONGEST_PAUSE_MS,
    now,
    onLoss: (error) => log("error", "store_unreadable", { message: String(error) }),
    onReturn(lastedMs) {
      log("info", "store_readable", { lastedMs, unsaved: lateSaves.size });
      void lateSaves.run();
    },
  });
  /** Since when every write has failed. */
  let unwritableSince: number | undefined;
  const lateSaves = createLateSaves({ find, saveSurvey, after: options.after, log });

  /** Reads the store, brings the report up to date and puts it into memory. `reached: false`: it cannot be read. */
  function find(address: string): Promise<Read<KnownReport | undefined>> {
    const findInStore = async (read: VoteRead) => {
      const stored = await store.find(address);
      // A report without an answer of a live source is used only when live sources are turned off.
      if (stored === undefined || (live && stored.liveAnswers === 0)) return undefined;
      const current = await bringUpToDate(stored);
      if (current === undefined) return undefined;
      const found = await correct(current);
      // A refresh may have ended meanwhile; its report is newer.
      const newer = getCached(address);
      if (newer !== undefined && newer.surveyedAt > found.surveyedAt && supersedes(newer, found))
        return newer;
      const known = read.votes === undefined ? found : { ...found, votes: read.votes };
      cache.set(address, known);
      return known;
    };
    return outage.read(() => readVotes(address, findInStore));
  }

  /** Returns the report in memory, unless other corrections apply now. */
  function getCached(address: string): KnownReport | undefined {
    const known = cache.get(address);
    if (known === undefined || (known.corrections ?? "") === corrections.version()) return known;
    cache.delete(address);
    return undefined;
  }

  function isCorrected({ address, asn }: Assessment): boolean {
    const parsed = corrections.version() === "" ? undefined : parseAddress(address);
    return parsed !== undefined && corrections.find(parsed, asn?.asn).length > 0;
  }

  /** Adds the version of the corrections to a report. */
  function date<Report extends Omit<KnownReport, "votes">>(report: Report): Report {
    const version = corrections.version();
    return version === "" ? { ...report } : { ...report, corrections: version };
  }

  /** Adds the corrections to a report: its survey is assessed with them. Without its survey it stays as it is. */
  async function correct<Report extends Omit<KnownReport, "votes">>(
    found: Report,
    latest?: Survey,
  ): Promise<Report> {
    const dated = date(found);
    if (!isCorrected(found.assessment)) return dated;
    const { surveyedAt } = found;
    const assessCorrected = (survey: Survey) => assess(survey, corrections);
    const assessment =
      latest === undefined
        ? await withSurvey({ address: found.assessment.address, surveyedAt }, assessCorrected)
        : assessCorrected(latest);
    return assessment === undefined ? dated : { ...dated, assessment };
  }

  /** Uses the survey of a stored report. When it cannot be used, logs a warning and returns undefined. */
  async function withSurvey<Result>(
    stored: Pick<FoundReport, "address" | "surveyedAt">,
    work: (survey: Survey) => Result,
  ): Promise<Result | undefined> {
    let message = "Cannot read the stored survey: it is missing, damaged or in another format";
    try {
      const survey = readStoredSurvey(await store.findSurvey(stored.address), stored);
      if (survey !== undefined) return work(survey);
    } catch (error) {
      message = String(error);
    }
    log("warn", "survey_unusable", { message });
    return undefined;
  }

  /** Runs work that reads votes. Votes that are set meanwhile are newer and are found in `read`. */
  async function readVotes<Result>(
    address: string,
    work: (read: VoteRead) => Promise<Result>,
  ): Promise<Result> {
    const read: VoteRead = { address };
    voteReads.add(read);
    try {
      return await work(read);
    } finally {
      voteReads.delete(read);
    }
  }

  /** Does what `find` does without waiting; undefined also when that is not possible. */
  function findSync(address: Address): KnownReport | undefined {
    if (options.findSync === undefined || outage.isLost || isBogon(address)) return undefined;
    const stored = options.findSync(address.text);
    if (stored?.assessment === undefined || stored.assessment.scoringVersion < SCORING_VERSION)
      return undefined;
    if (live && stored.liveAnswers === 0) return undefined;
    const { assessment, chars, surveyedAt, liveAnswers, votes } = stored;
    if (isCorrected(assessment)) return undefined;
    const known = date({ assessment, chars, surveyedAt, liveAnswers, votes });
    cache.set(address.text, known);
    return known;
  }

  /** Returns the report. If an older scoring version made its assessment, assesses its survey again. */
  async function bringUpToDate(stored: FoundReport): Promise<KnownReport | undefined> {
    const { address, surveyedAt, liveAnswers, votes, assessment: old, chars } = stored;
    if (isUpToDate(old)) return { assessment: old, chars, surveyedAt, liveAnswers, votes };
    const assessment = await withSurvey(stored, (survey) => assess(survey));
    if (assessment === undefined) return old && { assessment: old, surveyedAt, liveAnswers, votes };
    await write(() => store.rescore({ address, assessment, surveyedAt, liveAnswers }));
    return { assessment, surveyedAt, liveAnswers, votes };
  }

  /** Of the writes that fail in a row, as while the disk is full, only the first is logged as an error. */
  async function write(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      if (unwritableSince !== undefined) log("info", "store_writable", { lastedMs: now() - unwritableSince });
      unwritableSince = undefined;
      return true;
    } catch (error) {
      log(unwritableSince === undefined ? "error" : "debug", "store_unwritable", { message: String(error) });
      unwritableSince ??= now();
      return false;
    }
  }

  /**
   * Keeps the report of a survey in memory and in the store, unless less than half as many live sources answered as
   * for the one `before`, or its band is better only because a source that accused the address did not answer.
   * Accusations of sources that did not answer are carried forward from the stored survey. A report without live sources
   * is kept in memory only. `isPoorer`: `known` is the earlier report. `isUnanswered`: no live source answered, although
   * some were queried.
   */
  async function saveSurvey(latest: Survey, before: Read<KnownReport | undefined>) {
    const { address } = latest;
    // If the store could not be read before the survey, it is read now, so that a better report is not overwritten.
    const found = before.reached ? before : await find(address);
    const old = found.reached ? found.value : undefined;
    // The accusations of the stored survey, where their sources did not answer.
    const carrying =
      old &&
      (await withSurvey({ address, surveyedAt: old.surveyedAt }, (before) => carryForward(before, latest)));
    const survey = carrying ?? latest;
    const fresh = assessSurvey(survey);
    const shown = await correct(fresh, survey);
    const isUnanswered = live && fresh.liveAnswers === 0;
    // A refresh that lost an accusing source never raises the band. Without the earlier survey, any lost source counts.
    const hasLost = () =>
      carrying === undefined
        ? old !== undefined && hasLostSource(fresh.assessment, old.assessment)
        : carrying.runs.some(({ carried }) => carried?.lostAt === latest.surveyedAt);
    const isBetter =
      old !== undefined && BANDS.indexOf(shown.assessment.band) < BANDS.indexOf(old.assessment.band);
    const hidesAccusation = isBetter && hasLost();
    if (old !== undefined && (hidesAccusation || !supersedes(fresh, old))) {
      log("warn", "refresh_poorer", {
        answered: fresh.liveAnswers,
        before: old.liveAnswers,
        sources: fresh.assessment.sources.filter((source) => source.state === "failed"),
      });
      return { known: cache.peek(address) ?? old, isPoorer: true, isUnanswered };
    }
    if (!isUnanswered) {
      const save = () => store.save({ address, ...fresh }, JSON.stringify(survey));
      if (!found.reached || !(await write(save))) lateSaves.queueSave(survey);
    }
    return readVotes(address, async (read) => {
      // An address that is not in memory may have earlier votes in the store.
      const stored = cache.has(address) ? undefined : await outage.read(() => store.ratings.read(address));
      const votes = cache.peek(address)?.votes ?? read.votes ?? (stored?.reached ? stored.value : NO_VOTES);
      const known: KnownReport = { ...shown, votes, ...(found.reached ? {} : { isUnread: true }) };
      cache.set(address, known, { ttl: isUnanswered ? Math.min(UNANSWERED_CACHE_MS, cacheMs) : cacheMs });
      return { known, isPoorer: false, isUnanswered };
    });
  }

  /** Replaces the votes of a report in memory, and of one that is read at this moment. */
  function setVotes(address: string, votes: readonly VoteSum[]): void {
    for (const read of voteReads) if (read.address === address) read.votes = votes;
    const known = cache.peek(address);
    if (known === undefined || isSameVotes(known.votes, votes)) return;
    cache.set(address, { ...known, votes }, { noUpdateTTL: true });
  }

  return {
    getCached,
    find,
    findSync,
    saveSurvey,
    setVotes,
    /** Tries a last time to save the surveys that could not be saved. */
    flush: () => lateSaves.flush(),
    get cached(): number {
      return cache.size;
    },
    get unsaved(): number {
      return lateSaves.size;
    },
    /** False from a failed read until the next successful one. */
    get isReadable(): boolean {
      return !outage.isLost;
    },
  };
}

/** Assesses a survey and counts its live sources. */
export function assessSurvey(survey: Survey): Omit<KnownReport, "votes"> {
  return {
    assessment: assess(survey),
    surveyedAt: Date.parse(survey.surveyedAt),
    liveAnswers: survey.runs.filter(
      (run) => !run.local && (run.state === "answered" || run.state === "empty"),
    ).length,
  };
}

/**
 * Whether this or a newer scoring version made the assessment. A newer one stays: otherwise two versions on one
 * database would replace each other's assessments for ever.
 */
export function isUpToDate(assessment: Assessment | undefined): assessment is Assessment {
  return assessment !== undefined && assessment.scoringVersion >= SCORING_VERSION;
}

/** Reads the survey of a report; undefined when it is missing, damaged, or of another address or time. */
export function readStoredSurvey(
  text: string | undefined,
  { address, surveyedAt }: Pick<FoundReport, "address" | "surveyedAt">,
): Survey | undefined {
  const survey = parseSurvey(text ?? "");
  return survey?.address === address && Date.parse(survey.surveyedAt) === surveyedAt ? survey : undefined;
}

/** Whether a report replaces another one: at least half as many live sources must have answered. */
function supersedes(newer: Pick<KnownReport, "liveAnswers">, old: Pick<KnownReport, "liveAnswers">): boolean {
  return newer.liveAnswers * 2 >= old.liveAnswers;
}

/** Whether a source of the earlier report answered then and did not now: it may have been the one that accused. */
function hasLostSource(fresh: Assessment, old: Assessment): boolean {
  const answered = new Set(old.sources.filter(({ state }) => state === "answered").map(({ id }) => id));
  return fresh.sources.some(({ id, state }) => state === "failed" && answered.has(id));
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
