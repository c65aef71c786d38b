import { LRUCache } from "lru-cache";
import { type Address, isBogon } from "#address";
import type { Log } from "#common";
import type { Read } from "#concurrency";
import type { Survey } from "#evidence";
import type { Assessment } from "#report";
import type { FoundReport, Store } from "#store";
import {
  type Answer,
  answerSpecial,
  type FindKnown,
  type LookupEnd,
  type LookupResult,
  watchLookup,
} from "./answer.ts";
import { assess } from "./assess.ts";
import { boundReports, isUpToDate, type KnownReport, readStoredSurvey } from "./known_reports.ts";

/** The result of a request that fails because there is no copy yet, or it cannot be read. Meanwhile, a new copy is made. */
const UNREADABLE: LookupResult = { kind: "overloaded", retryAfterMs: 5000, limits: [] };

const NOT_IN_MIRROR: LookupResult = { kind: "not_in_mirror", limits: [] };

/**
 * Creates the lookup of a mirror: it answers with the reports that the primary has stored, and assesses
 * special-purpose addresses. It queries no source, writes nothing and refreshes nothing. The tier is always `store`:
 * memory only saves reading an unchanged row again.
 */
export function createMirrorLookup(dependencies: {
  readonly store: Pick<Store, "find" | "findSurvey">;
  /** Whether there is a copy to read. */
  readonly hasCopy: () => boolean;
  /** Reads the tables about a special-purpose address; queries no source. */
  readonly surveySpecial: (address: Address) => Promise<Survey>;
  readonly now: () => number;
  readonly staleMs: number;
  readonly cacheEntries: number;
  readonly cacheBytes: number;
  readonly log: Log;
  /** Called when a lookup ends; must not throw. */
  readonly onEnd?: (end: LookupEnd) => void;
}) {
  const { store, now, log, staleMs } = dependencies;
  const cache = new LRUCache<string, KnownReport>(boundReports(dependencies));
  /** How often the copy has changed. */
  let changes = 0;

  /** Returns the stored assessment. If an older scoring version made it, assesses the stored survey again. */
  async function readAssessment(stored: FoundReport): Promise<Assessment | undefined> {
    if (isUpToDate(stored.assessment)) return stored.assessment;
    const survey = readStoredSurvey(await store.findSurvey(stored.address), stored);
    return survey === undefined ? stored.assessment : assess(survey);
  }

  async function find(address: string): Promise<Answer | undefined> {
    const cached = cache.get(address);
    if (cached !== undefined) return toAnswer(cached);
    const changesBefore = changes;
    const stored = await store.find(address);
    const assessment = stored && (await readAssessment(stored));
    if (stored === undefined || assessment === undefined) return undefined;
    const { surveyedAt, liveAnswers, votes } = stored;
    const known = { assessment, surveyedAt, liveAnswers, votes };
    // If the copy has changed meanwhile, this report may be the old one.
    if (changes === changesBefore) cache.set(address, known);
    return toAnswer(known);
  }

  async function read(address: string): Promise<Read<Answer | undefined>> {
    try {
      return { reached: true, value: await find(address) };
    } catch (error) {
      log("error", "store_unreadable", { message: String(error) });
      return { reached: false };
    }
  }

  function toAnswer({ assessment, surveyedAt, liveAnswers, votes }: KnownReport): Answer {
    return { tier: "store", stale: Math.abs(now() - surveyedAt) > staleMs, assessment, votes, liveAnswers };
  }

  const lookup = watchLookup(async ({ address, refresh }, signal) => {
    signal.throwIfAborted();
    if (isBogon(address)) return answerSpecial(address, dependencies.surveySpecial);
    if (refresh) return NOT_IN_MIRROR;
    const found = await read(address.text);
    // A report that cannot be read is not a missing report.
    if (!found.reached) return UNREADABLE;
    if (found.value !== undefined) return { kind: "answer", answer: found.value, limits: [] };
    // Without a copy, nobody knows whether the primary has the address.
    return dependencies.hasCopy() ? NOT_IN_MIRROR : UNREADABLE;
  }, dependencies.onEnd);

  const findKnown: FindKnown = async ({ text }) => {
    const found = await read(text);
    return found.reached ? found.value : undefined;
  };

  return {
    lookup,
    findKnown,
    /** Removes all reports from memory, because the copy has changed. */
    forget(): void {
      changes += 1;
      cache.clear();
    },
  };
}
