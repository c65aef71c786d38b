import { LRUCache } from "lru-cache";
import { type Mirror, openMirror } from "./open_mirror.ts";
import type { ReplicaOptions, ReplicaState } from "./replica.ts";
import type { FoundReport, Store, StoredReport } from "./store.ts";

/** Addresses this process has written to that the copy may not show yet. */
const MAX_OWN = 1000;

/** A store whose reports can also be read from a copy on this machine's disk. */
export interface NearStore {
  /** The store itself; histories and lists are read from the copy where that is as good. Closing it closes the copy too. */
  readonly store: Store;
  /**
   * Reports as the copy holds them, and what this process has saved even before the copy does. Undefined also for what
   * the copy does not hold, or shows as it was before a vote that was cast here.
   */
  readonly shelf: Pick<Store, "find" | "findSurvey"> & { isCurrent(): boolean };
  /** How the copy stands to the store. */
  state(): ReplicaState;
}

/** One address's last write by this process. */
interface Own {
  /** When it was done, milliseconds since the epoch. */
  readonly at: number;
  readonly hasVote: boolean;
  readonly report?: StoredReport;
  /** When the copy was first seen in step after that. */
  seenAt?: number;
}

/**
 * Opens a copy of the database that `primary` keeps on a server, kept in step in the background, for reading beside it.
 * Nobody waits for the copy, and nothing is written to it but what the server has.
 * @throws {StoreError} when the copy's folder cannot be used.
 */
export async function openNearStore(
  primary: Store,
  options: Omit<ReplicaOptions, "onRows">,
): Promise<NearStore> {
  return createNearStore(primary, await openMirror({ ...options, onRows: () => {} }), options.now);
}

/** Joins a store and a copy of it; `now` in milliseconds since the epoch. */
export function createNearStore(primary: Store, mirror: Mirror, now: () => number): NearStore {
  const own = new LRUCache<string, Own>({ max: MAX_OWN });
  const copy = mirror.store;

  /** What was written here and may not be in the copy. */
  function findOwn(address: string): Own | undefined {
    const entry = own.get(address);
    if (entry === undefined) return undefined;
    const syncedAt = mirror.state().lastSyncAt ?? Number.NEGATIVE_INFINITY;
    if (syncedAt <= entry.at) return entry;
    // The first sync that ended since may have begun before; one that ended after that began after it.
    if (entry.seenAt === undefined) entry.seenAt = syncedAt;
    else if (syncedAt > entry.seenAt) {
      own.delete(address);
      return undefined;
    }
    return entry;
  }

  function note(address: string, wrote: { readonly report?: StoredReport; readonly hasVote?: true }): void {
    const before = findOwn(address);
    const report = wrote.report ?? before?.report;
    own.set(address, {
      at: now(),
      hasVote: wrote.hasVote === true || before?.hasVote === true,
      ...(report === undefined ? {} : { report }),
    });
  }

  const isCurrent = () => mirror.state().state === "current";

  /** The copy where it is as good as the store, else the store, else the copy. */
  async function readEither<Result>(
    isAsGood: boolean,
    askCopy: () => Promise<Result>,
    askStore: () => Promise<Result>,
  ): Promise<Result> {
    if (isAsGood) return askCopy().catch(askStore);
    try {
      return await askStore();
    } catch (error) {
      if (mirror.state().state === "starting") throw error;
      return askCopy();
    }
  }

  const { votes } = primary;
  return {
    state: mirror.state,
    shelf: {
      isCurrent,
      async find(address) {
        const found = await copy.find(address);
        const entry = findOwn(address);
        if (entry === undefined) return found;
        if (entry.hasVote) return undefined;
        if (entry.report === undefined || isAsNew(found, entry.report)) return found;
        return { ...entry.report, votes: found?.votes ?? (await copy.votes.read(address)) };
      },
      findSurvey: copy.findSurvey,
    },
    store: {
      ...primary,
      async save(report, survey) {
        await primary.save(report, survey);
        note(report.address, { report });
      },
      async rescore(report) {
        await primary.rescore(report);
        note(report.address, {});
      },
      history: (address) =>
        readEither(
          isCurrent() && findOwn(address) === undefined,
          () => copy.history(address),
          () => primary.history(address),
        ),
      newest: (limit) =>
        readEither(
          isCurrent(),
          () => copy.newest(limit),
          () => primary.newest(limit),
        ),
      votes: {
        read: votes.read,
        async cast(vote) {
          await votes.cast(vote);
          note(vote.address, { hasVote: true });
        },
      },
      async close() {
        await copy.close();
        await primary.close();
      },
    },
  };
}

function isAsNew(found: FoundReport | undefined, { surveyedAt, assessment }: StoredReport): boolean {
  if (found === undefined || found.surveyedAt !== surveyedAt) return (found?.surveyedAt ?? 0) > surveyedAt;
  return (found.assessment?.scoringVersion ?? 0) >= assessment.scoringVersion;
}
