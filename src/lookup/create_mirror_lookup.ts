import { LRUCache } from "lru-cache";
import { type Address, isBogon } from "#address";
import { parseSurvey, type Survey } from "#evidence";
import type { Assessment } from "#report";
import { SCORING_VERSION } from "#scoring";
import type { FoundReport, Store, VoteSum } from "#store";
import { assess } from "./assess.ts";
import type { Answer, FindKnown, Lookup, LookupResult } from "./lookup.ts";

/** Told to whoever asks for what is there and cannot be read: another copy is being made. */
const RETRY_AFTER_MS = 5000;

const NOT_IN_MIRROR: LookupResult = { kind: "not_in_mirror", limits: [] };

const NO_VOTES: readonly VoteSum[] = [];

/** What a mirror's lookup needs from the edge. Times in milliseconds. */
export interface MirrorLookupDependencies {
  readonly store: Pick<Store, "find" | "findSurvey">;
  /** What the tables say of special-purpose space; asks nobody. */
  readonly surveySpecial: (address: Address) => Promise<Survey>;
  readonly now: () => number;
  readonly staleMs: number;
  readonly cacheEntries: number;
  readonly log: (level: "info" | "warn" | "error", event: string, fields?: Record<string, unknown>) => void;
}

/** The lookup of a mirror, and what it must be told. */
export interface MirrorLookups {
  readonly lookup: Lookup;
  readonly findKnown: FindKnown;
  /** Says that the copy has changed, so that nothing that was read before is shown any more. */
  readonly forget: () => void;
}

interface Kept {
  readonly assessment: Assessment;
  readonly surveyedAt: number;
  readonly liveHeard: number;
  readonly votes: readonly VoteSum[];
}

/**
 * Builds the lookup of a mirror: it answers what the primary has stored, and about special-purpose space, and knows
 * nothing else. It asks nobody, keeps nothing but in memory, and refreshes nothing. `source` is always `store`: memory
 * only saves reading a row again that has not changed.
 */
export function createMirrorLookup(dependencies: MirrorLookupDependencies): MirrorLookups {
  const { store, now, log, staleMs } = dependencies;
  const cache = new LRUCache<string, Kept>({ max: dependencies.cacheEntries });
  let readings = 0;

  /** The report as found, or its survey judged anew where an older version judged it or its form is no longer read. */
  async function conclude(stored: FoundReport): Promise<Assessment | undefined> {
    const { address, surveyedAt, assessment: old } = stored;
    if (old !== undefined && old.scoringVersion >= SCORING_VERSION) return old;
    const survey = parseSurvey((await store.findSurvey(address)) ?? "");
    const isIts = survey?.address === address && Date.parse(survey.surveyedAt) === surveyedAt;
    return survey !== undefined && isIts ? assess(survey) : old;
  }

  async function find(address: string): Promise<Kept | undefined> {
    const known = cache.get(address);
    if (known !== undefined) return known;
    const reading = readings;
    const stored = await store.find(address);
    const assessment = stored && (await conclude(stored));
    if (stored === undefined || assessment === undefined) return undefined;
    const { surveyedAt, liveHeard, votes } = stored;
    const kept = { assessment, surveyedAt, liveHeard, votes };
    // What was forgotten meanwhile may be what this has read.
    if (reading === readings) cache.set(address, kept);
    return kept;
  }

  function toAnswer({ assessment, surveyedAt, liveHeard, votes }: Kept): Answer {
    return { tier: "store", stale: now() - surveyedAt > staleMs, assessment, votes, heard: liveHeard };
  }

  const lookup: Lookup = async ({ address, refresh }, signal): Promise<LookupResult> => {
    signal.throwIfAborted();
    if (isBogon(address)) {
      const assessment = assess(await dependencies.surveySpecial(address));
      return answer({ tier: "fresh", stale: false, assessment, votes: NO_VOTES, heard: 0 });
    }
    if (refresh) return NOT_IN_MIRROR;
    try {
      const kept = await find(address.text);
      if (kept === undefined) return NOT_IN_MIRROR;
      return answer(toAnswer(kept));
    } catch (error) {
      // That it cannot be read does not mean that it is not there.
      log("error", "store_unreadable", { message: String(error) });
      return { kind: "overloaded", retryAfterMs: RETRY_AFTER_MS, limits: [] };
    }
  };

  const findKnown: FindKnown = async ({ text }) => {
    try {
      const kept = await find(text);
      return kept && toAnswer(kept);
    } catch (error) {
      log("error", "store_unreadable", { message: String(error) });
      return undefined;
    }
  };

  return {
    lookup,
    findKnown,
    forget() {
      readings += 1;
      cache.clear();
    },
  };
}

function answer(answer: Answer): LookupResult {
  return { kind: "answer", answer, limits: [] };
}
