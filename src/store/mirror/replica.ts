import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client";
import type { Log } from "#common";
import { raceAbort } from "#concurrency";
import { isDamaged, listCauses } from "../failures.ts";
import { createServerClient } from "../server_client.ts";
import { PING } from "../statements.ts";
import { StoreError } from "../store.ts";
import { lockByFile, openReplicaFolder } from "./replica_folder.ts";
import { type SyncOutcome, syncInProcess } from "./sync_copy.ts";

const DEADLINE_MS = 10_000;

/** Each sync that missed its deadline doubles the next one, because many changes may need longer: up to 3 hours. */
const MAX_DEADLINE_DOUBLINGS = 10;

/** Larger files are not checked at the start; damage in them is detected when it is read. */
const MAX_CHECKED_BYTES = 1024 ** 3;

/** The shortest time between two new copies. */
const REBUILD_PAUSE_MS = 60_000;

/** The longest pause between two syncs while there is no copy to serve. */
const EMPTY_PERIOD_MS = 2000;

/** After this many failures in a row that the primary did not cause, the copy counts as damaged. */
const MAX_UNEXPLAINED_FAILURES = 3;

/** In WAL mode, readers wait for the writer only for a moment, while SQLite creates the log. */
const BUSY_TIMEOUT_MS = 50;

/** During a longer sync the mirror shows new rows before the sync ends. */
const LONG_SYNC_MS = 1000;

/** The state of a replica. Moments in milliseconds since the epoch. */
export type ReplicaState = ReturnType<Awaited<ReturnType<typeof openReplica>>["state"]>;

/** The primary of a replica, its folder and its period. Times in milliseconds. */
export interface ReplicaOptions {
  /** A folder for this replica alone. Its content can be created again. */
  readonly directory: string;
  /** `http(s)://` or `libsql://` URL of a libSQL server. */
  readonly primary: string;
  readonly token?: string;
  /** The command line that starts this program. */
  readonly program: readonly string[];
  /** The period varies by a tenth at random, so that many mirrors do not sync at the same moment. */
  readonly periodMs: number;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Called when rows may have changed. */
  readonly onRows: () => void;
  readonly log: Log;
  /** First deadline of a sync; default ten seconds. */
  readonly deadlineMs?: number;
  /** The shortest time between two new copies; default one minute. */
  readonly rebuildPauseMs?: number;
}

/**
 * Opens a replica with the copy that the folder contains and starts to synchronize it. No call waits for the primary,
 * which may be down. A process of its own writes the file for each sync, and readers here see each commit of the
 * primary completely or not at all.
 * @throws {StoreError} when the folder cannot be written to or another process uses it.
 */
export async function openReplica(options: ReplicaOptions) {
  const { now, log, onRows, primary } = options;
  const token = options.token === undefined ? {} : { token: options.token };
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const rebuildPauseMs = options.rebuildPauseMs ?? REBUILD_PAUSE_MS;
  const { folder, lock } = await openFolder(options);
  const server = createServerClient({ url: primary, deadlineMs, ...token });

  const found = folder.find();
  let target = found?.copy ?? 1;
  let served = found && (await openCopy(target));
  let damage = found?.problem;
  if (found !== undefined && served === undefined) damage ??= "it cannot be opened";
  if (damage !== undefined) log("error", "replica_damaged", { problem: damage });
  if (found === undefined) folder.clear(target);
  folder.keepOnly([target]);

  /** When the copy was last known to contain everything the primary contained. */
  let lastSyncAt = found?.lastSyncAt;
  /** Number of the last page that was written to the copy; absent before the first sync. */
  let frame: number | undefined;
  /** Why the last sync failed; absent when it succeeded. */
  let error: string | undefined;
  let missedDeadlines = 0;
  let unexplainedFailures = 0;
  let rebuiltAt = Number.NEGATIVE_INFINITY;
  /** Checked by the first sync. */
  let unchecked = found?.facts;
  let wasChecked = false;
  const closing = new AbortController();
  let endPause = () => {};
  const running = run();

  async function openCopy(copy: number) {
    let client: Client | undefined;
    try {
      client = createClient({
        url: `file:${folder.pathOf(copy)}`,
        timeout: BUSY_TIMEOUT_MS,
        // One connection, so that the pragma holds for every query.
        concurrency: 1,
      });
      await client.execute("PRAGMA query_only=1");
      await client.execute("SELECT count(*) FROM sqlite_schema");
      return { copy, client };
    } catch (problem) {
      client?.close();
      log("warn", "replica_unreadable", { problem: listCauses(problem) });
      return undefined;
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        if (mayRebuild()) startCopy(damage ?? "");
        await recordOutcome(await sync());
      } catch (problem) {
        error = listCauses(problem);
        log("error", "replica_broken", { problem: error });
      }
      if (!closing.signal.aborted && !mayRebuild()) await pause();
    }
  }

  function pause(): Promise<void> {
    const period = served === undefined ? Math.min(options.periodMs, EMPTY_PERIOD_MS) : options.periodMs;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, period * (0.9 + options.random() * 0.2));
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function mayRebuild(): boolean {
    return damage !== undefined && performance.now() - rebuiltAt >= rebuildPauseMs;
  }

  async function sync(): Promise<SyncOutcome | { readonly kind: "unreachable"; readonly problem: string }> {
    try {
      // Finds a primary that hangs or refuses the token, so that a later failure points to the copy.
      await raceAbort(server.execute(PING), closing.signal);
    } catch (problem) {
      return { kind: "unreachable", problem: `the primary cannot be reached: ${listCauses(problem)}` };
    }
    const path = folder.pathOf(target);
    const check = !wasChecked && existsSync(path) && statSync(path).size <= MAX_CHECKED_BYTES;
    const deadline = AbortSignal.timeout(deadlineMs * 2 ** Math.min(missedDeadlines, MAX_DEADLINE_DOUBLINGS));
    const known = unchecked === undefined ? {} : { known: unchecked };
    const news = setInterval(onRows, LONG_SYNC_MS);
    const signal = AbortSignal.any([deadline, closing.signal]);
    const outcome = await syncInProcess(
      { path, primary, check, ...known, ...token },
      options.program,
      signal,
    );
    clearInterval(news);
    return outcome;
  }

  async function recordOutcome(outcome: Awaited<ReturnType<typeof sync>>): Promise<void> {
    if (closing.signal.aborted) return;
    missedDeadlines = outcome.kind === "late" ? missedDeadlines + 1 : 0;
    unexplainedFailures = outcome.kind === "failed" ? unexplainedFailures + 1 : 0;
    if (outcome.kind === "done") {
      if (error !== undefined) log("info", "replica_synced", { frame: outcome.frame });
      error = undefined;
      return finishSync(outcome);
    }
    if (error === undefined) log("warn", "replica_not_synced", { problem: outcome.problem });
    error = outcome.problem;
    if (outcome.kind === "damaged" || unexplainedFailures >= MAX_UNEXPLAINED_FAILURES) {
      unexplainedFailures = 0;
      reportTargetDamage(outcome.problem);
    }
  }

  async function finishSync(outcome: Extract<SyncOutcome, { kind: "done" }>): Promise<void> {
    wasChecked = true;
    unchecked = undefined;
    lastSyncAt = now();
    folder.recordSync(target, lastSyncAt, outcome.facts);
    const isNew = served?.copy !== target;
    if (isNew && !(await serveTarget())) return reportTargetDamage("the new copy cannot be read");
    const hasGrown = isNew || outcome.frame !== frame || (outcome.added ?? 0) > 0;
    frame = outcome.frame;
    if (hasGrown) onRows();
  }

  /** Serves the copy that was just synchronized, and removes the previous one. */
  async function serveTarget(): Promise<boolean> {
    const next = await openCopy(target);
    if (next === undefined) return false;
    const previous = served;
    served = next;
    damage = undefined;
    folder.mark(target, "whole");
    if (previous !== undefined) {
      previous.client.close();
      // Statements keep the removed files open, with their disk space, until garbage collection.
      Bun.gc(false);
    }
    folder.keepOnly([target]);
    log("info", "replica_served", { copy: target });
    return true;
  }

  /** Starts the next copy. The current one is served meanwhile, as far as it can be read. */
  function startCopy(problem: string): void {
    log("warn", "replica_rebuilding", { problem });
    rebuiltAt = performance.now();
    // The marker names the damaged copy until the next one is complete.
    if (served !== undefined) folder.mark(served.copy, "suspect");
    target += 1;
    frame = undefined;
    wasChecked = true;
    unchecked = undefined;
    folder.clear(target);
    folder.keepOnly(served === undefined ? [target] : [served.copy, target]);
    damage = undefined;
  }

  /** Records that the copy that is synchronized must be replaced. */
  function reportTargetDamage(problem: string): void {
    if (damage !== undefined) return;
    damage = problem;
    log("error", "replica_damaged", { problem });
    endPause();
  }

  /** Reports damaged content, so that a new copy is made. Does nothing when the served copy is already being replaced. */
  function reportDamage(problem: string): void {
    if (served?.copy === target) reportTargetDamage(problem);
  }

  /**
   * `starting`: there is no copy to serve yet. `current`: the last sync is at most two periods old. `behind`: it is
   * older, and the copy is served as it is. `rebuilding`: the copy is damaged, and is served as far as it can be read
   * until the next one is complete.
   */
  function nameState(lagMs: number | undefined) {
    if (served === undefined) return "starting";
    if (damage !== undefined || served.copy !== target) return "rebuilding";
    return lagMs === undefined || lagMs > 2 * options.periodMs ? "behind" : "current";
  }

  return {
    /**
     * Reads from the copy without waiting; undefined while there is none.
     * @throws the error of the database. If it says that the copy is damaged, a new copy is made.
     */
    async read<Result>(work: (client: Client) => Promise<Result>): Promise<Result | undefined> {
      if (served === undefined) return undefined;
      try {
        return await work(served.client);
      } catch (problem) {
        if (isDamaged(problem)) reportDamage(listCauses(problem));
        throw problem;
      }
    },
    reportDamage,
    state() {
      const lagMs = lastSyncAt === undefined ? undefined : Math.max(0, now() - lastSyncAt);
      return {
        state: nameState(lagMs),
        ...(lastSyncAt === undefined || lagMs === undefined ? {} : { lastSyncAt, lagMs }),
        ...(frame === undefined ? {} : { frame }),
        ...(error === undefined ? {} : { error }),
      };
    },
    async close(): Promise<void> {
      if (closing.signal.aborted) return;
      closing.abort();
      endPause();
      await running;
      served?.client.close();
      if (served?.copy === target && damage === undefined) folder.flush(target);
      server.close();
      lock.close();
    },
  };
}

async function openFolder({ directory, primary }: ReplicaOptions) {
  try {
    const folder = openReplicaFolder(directory, primary);
    return { folder, lock: await lockByFile(join(directory, "lock.db"), 0) };
  } catch (error) {
    throw new StoreError(`Cannot open mirror "${directory}": ${listCauses(error)}`, { cause: error });
  }
}
