import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, type Transaction } from "@libsql/client";
import { isDamaged, isLocked, listCauses } from "../failures.ts";
import { StoreError } from "../store.ts";
import { openReplicaFolder } from "./replica_folder.ts";
import type { RelayEvent, RelayOrder } from "./replica_relay.ts";
import { type ReplicaThread, startReplicaThread } from "./replica_thread.ts";
import type { ReplicaAnswer } from "./replica_worker.ts";

/** Default time without a byte after which a request to the primary is aborted. */
const IDLE_TIMEOUT_MS = 10_000;

/** Larger files are not checked at the start; damage in them is detected when it is read. */
const MAX_CHECKED_BYTES = 1024 ** 3;

/**
 * Pause before a new copy that is damaged too is replaced. Each further damaged copy doubles the pause, up to half a
 * day; a copy that stays sound for ten such pauses resets it.
 */
const REBUILD_PAUSE_MS = 60_000;
const MAX_DOUBLINGS = 10;
const RESET_AFTER_PAUSES = 10;

/** Pause before a relay that ended is started again. */
const RESTART_MS = 1000;

/** The longest pause between two syncs while there is no copy to serve. */
const EMPTY_PERIOD_MS = 2000;

/** After this many failures in a row that the primary did not cause, the copy counts as damaged. */
const MAX_UNEXPLAINED_FAILURES = 3;

/** In WAL mode, readers wait for the writer only for a moment, while SQLite creates the log. */
const BUSY_TIMEOUT_MS = 50;

/** During a longer sync the mirror shows new rows before the sync ends. */
const LONG_SYNC_MS = 1000;

/** How long closing waits for native code. */
const CLOSE_TIMEOUT_MS = 5000;

/** The state of a replica. Moments in milliseconds since the epoch. */
export interface ReplicaState {
  /**
   * `starting`: there is no copy to serve yet. `current`: the last sync is at most two periods old. `behind`: it is
   * older, and the copy is served as it is. `rebuilding`: the copy is damaged, and is served as far as it can be read
   * until the next one is complete.
   */
  readonly state: "starting" | "current" | "behind" | "rebuilding";
  /** When the copy was last known to contain everything the primary contained. */
  readonly lastSyncAt?: number;
  /** Time since `lastSyncAt`. */
  readonly lagMs?: number;
  /** Number of the last page that was written to the copy; absent before the first sync. */
  readonly frame?: number;
  /** Why the last sync failed; absent when it succeeded. */
  readonly error?: string;
}

/** The primary of a replica, its folder and its period. Times in milliseconds. */
export interface ReplicaOptions {
  /** A folder for this replica alone. Its content can be created again. */
  readonly directory: string;
  /** `http(s)://` or `libsql://` URL of a libSQL server. */
  readonly primary: string;
  readonly token?: string;
  /** The period varies by a tenth at random, so that many mirrors do not sync at the same moment. */
  readonly periodMs: number;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Called when rows may have changed. */
  readonly onRows: () => void;
  readonly log: (level: "info" | "warn" | "error", event: string, fields?: Record<string, unknown>) => void;
  readonly idleTimeoutMs?: number;
  /** First pause between two new copies; default one minute. */
  readonly rebuildPauseMs?: number;
}

/** A copy of a primary's database on this machine, synchronized in the background. */
export interface Replica {
  /**
   * Reads from the copy without waiting; undefined while there is none.
   * @throws the error of the database. If it says that the copy is damaged, a new copy is made.
   */
  read<Result>(work: (client: Client) => Promise<Result>): Promise<Result | undefined>;
  /** Reports damaged content, so that a new copy is made. */
  reportDamage(problem: string): void;
  state(): ReplicaState;
  close(): Promise<void>;
}

interface ServedCopy {
  readonly copy: number;
  readonly client: Client;
}

/**
 * Opens a replica with the copy that the folder contains and starts to synchronize it. No call waits for the primary,
 * which may be down. A thread writes the file, and readers here see each commit of the primary completely or not at
 * all. A second thread, the relay, forwards the requests of the first one to the primary. It aborts requests without
 * an answer and refuses requests that would write.
 * @throws {StoreError} when the folder cannot be written to or another process uses it.
 */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const { now, log, onRows } = options;
  const idleTimeoutMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
  const rebuildPauseMs = options.rebuildPauseMs ?? REBUILD_PAUSE_MS;
  const folder = openFolder(options);
  const lock = await lockFolder(options.directory);
  const key = crypto.randomUUID();

  const found = folder.find();
  let target = found?.copy ?? 1;
  let served = found === undefined || found.isPartial ? undefined : await openCopy(target);
  let damage = found?.problem;
  if (found?.isPartial === false && served === undefined) damage ??= "it cannot be opened";
  if (damage !== undefined) log("error", "replica_damaged", { problem: damage });
  if (found === undefined) {
    folder.clear(target);
    folder.mark(target, "partial");
  }
  folder.keepOnly([target]);

  let lastSyncAt = found?.lastSyncAt;
  let frame: number | undefined;
  let error: string | undefined;
  /** The problem of the primary that the relay reported during the last sync. */
  let primaryProblem: string | undefined;
  let unexplainedFailures = 0;
  let rebuilds = 0;
  let rebuiltAt = 0;
  /** A lost thread still has the file of the target open. */
  let isFileHeld = false;
  let wasChecked = false;
  let isClosed = false;
  let endPause = () => {};
  let thread: ReplicaThread | undefined;
  let isFileOpen = false;

  let syncingSince = Number.POSITIVE_INFINITY;
  let listening = Promise.withResolvers<string>();
  let relay = startRelay();
  const running = run();

  function startRelay(): Worker {
    const started = new Worker(new URL("./replica_relay_worker.ts", import.meta.url).href);
    started.onmessage = ({ data }: MessageEvent<RelayEvent>) => {
      switch (data.kind) {
        case "listening":
          return listening.resolve(data.url);
        case "bytes":
          thread?.noteProgress();
          // During a long sync, new rows become visible before it ends.
          if (performance.now() - syncingSince > LONG_SYNC_MS) onRows();
          return;
        case "failed":
          primaryProblem = data.problem;
      }
    };
    started.onerror = (event) => {
      event.preventDefault();
      log("error", "replica_broken", { problem: event.message });
    };
    started.addEventListener("close", () => {
      if (isClosed) return;
      listening = Promise.withResolvers();
      setTimeout(() => {
        if (!isClosed) relay = startRelay();
      }, RESTART_MS);
    });
    const { primary, token } = options;
    const order: RelayOrder = {
      kind: "start",
      primary,
      ...(token === undefined ? {} : { token }),
      key,
      idleTimeoutMs,
    };
    started.postMessage(order);
    return started;
  }

  async function openCopy(copy: number): Promise<ServedCopy | undefined> {
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
    while (!isClosed) {
      try {
        await runOnce();
      } catch (problem) {
        error = listCauses(problem);
        log("error", "replica_broken", { problem: error });
      }
      if (!isClosed && !mayRebuild()) await pause();
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
    const pauseMs = rebuildPauseMs * 2 ** Math.min(rebuilds - 1, MAX_DOUBLINGS);
    return damage !== undefined && (rebuilds === 0 || performance.now() - rebuiltAt >= pauseMs);
  }

  async function runOnce(): Promise<void> {
    if (mayRebuild()) await startCopy(damage ?? "");
    primaryProblem = undefined;
    const answer = await sync();
    if (isClosed) return;
    // The event of the relay may arrive shortly after the answer of the replica's thread.
    if (answer.kind === "failed") await Bun.sleep(10);
    await recordOutcome(answer);
    if (answer.kind === "done") await finishSync(answer);
  }

  async function sync(): Promise<ReplicaAnswer> {
    if (thread?.state() === "lost") {
      thread = undefined;
      isFileHeld = true;
    }
    // Two writers would damage the file.
    if (isFileHeld) return { kind: "damaged", problem: "native code does not close it" };
    if (thread?.state() === "ended") thread = undefined;
    if (thread === undefined) {
      thread = startReplicaThread(threadTimeoutOf(idleTimeoutMs));
      const path = folder.pathOf(target);
      const check = !wasChecked && existsSync(path) && statSync(path).size <= MAX_CHECKED_BYTES;
      const opened = await thread.send({
        kind: "open",
        path,
        url: await listening.promise,
        token: key,
        check,
      });
      isFileOpen = opened.kind === "done";
      if (opened.kind !== "done") return opened;
      wasChecked = true;
    }
    syncingSince = performance.now();
    const answer = await thread.send({ kind: "sync" });
    syncingSince = Number.POSITIVE_INFINITY;
    return answer;
  }

  /** Ends the thread, because only then the library has certainly closed the file. */
  async function endThread(): Promise<void> {
    if (thread?.state() !== "alive") return;
    await thread.end(CLOSE_TIMEOUT_MS);
    if (thread.state() === "ended") thread = undefined;
  }

  async function recordOutcome(answer: ReplicaAnswer): Promise<void> {
    if (answer.kind === "done") {
      unexplainedFailures = 0;
      if (error !== undefined) log("info", "replica_synced", { frame: answer.frame });
      error = undefined;
      return;
    }
    // The thread continues if only the primary failed: the library repeats the request itself.
    if (answer.kind === "damaged" || primaryProblem === undefined || !isFileOpen) await endThread();
    const problem = primaryProblem ?? answer.problem;
    if (error === undefined) log("warn", "replica_not_synced", { problem });
    error = problem;
    unexplainedFailures =
      answer.kind === "failed" && primaryProblem === undefined ? unexplainedFailures + 1 : 0;
    if (answer.kind === "damaged" || unexplainedFailures >= MAX_UNEXPLAINED_FAILURES) {
      unexplainedFailures = 0;
      markDamaged(answer.problem);
    }
  }

  async function finishSync(answer: Extract<ReplicaAnswer, { kind: "done" }>): Promise<void> {
    if (answer.frame !== undefined && frame !== undefined && answer.frame < frame) {
      // A restarted server starts a new log. This is not damage and may happen often.
      return markDamaged(`the primary's log ends at ${answer.frame}, before ${frame}`, "expected");
    }
    lastSyncAt = now();
    folder.recordSync(target, lastSyncAt);
    const isNew = served?.copy !== target;
    if (isNew && !(await serveTarget())) return markDamaged("the new copy cannot be read");
    const hasGrown = isNew || answer.frame !== frame || (answer.added ?? 0) > 0;
    frame = answer.frame;
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
  async function startCopy(problem: string): Promise<void> {
    log("warn", "replica_rebuilding", { problem });
    rebuiltAt = performance.now();
    rebuilds += 1;
    await endThread();
    // The new copy has its own file, which no thread has open.
    thread = undefined;
    isFileHeld = false;
    // The marker names the damaged copy until the next one is complete.
    if (served !== undefined) folder.mark(served.copy, "suspect");
    target += 1;
    frame = undefined;
    wasChecked = true;
    folder.clear(target);
    if (served === undefined) folder.mark(target, "partial");
    folder.keepOnly(served === undefined ? [target] : [served.copy, target]);
    damage = undefined;
  }

  /** Records that the copy that is synchronized must be replaced. */
  function markDamaged(problem: string, cause: "damage" | "expected" = "damage"): void {
    if (damage !== undefined) return;
    const wasSound = performance.now() - rebuiltAt > RESET_AFTER_PAUSES * rebuildPauseMs;
    if (cause === "expected" || wasSound) rebuilds = Math.min(rebuilds, 1);
    damage = problem;
    log("error", "replica_damaged", { problem });
    endPause();
  }

  /** Does nothing when the served copy is already being replaced. */
  function reportDamage(problem: string): void {
    if (served?.copy === target) markDamaged(problem);
  }

  return {
    async read(work) {
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
      const isBehind = lagMs === undefined || lagMs > 2 * options.periodMs;
      return {
        state:
          served === undefined
            ? "starting"
            : damage !== undefined || served.copy !== target
              ? "rebuilding"
              : isBehind
                ? "behind"
                : "current",
        ...(lastSyncAt === undefined || lagMs === undefined ? {} : { lastSyncAt, lagMs }),
        ...(frame === undefined ? {} : { frame }),
        ...(error === undefined ? {} : { error }),
      };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      endPause();
      relay.postMessage({ kind: "refuse" } satisfies RelayOrder);
      await thread?.end(CLOSE_TIMEOUT_MS);
      await Promise.race([running, Bun.sleep(CLOSE_TIMEOUT_MS)]);
      relay.terminate();
      if (served?.copy === target && damage === undefined && thread?.state() !== "lost") folder.flush(target);
      served?.client.close();
      lock.close();
    },
  };
}

/**
 * The library tries three times, a second apart, before it fails. A thread that takes longer than twice that time
 * counts as lost.
 */
function threadTimeoutOf(idleTimeoutMs: number): number {
  return 2 * 3 * (idleTimeoutMs + 1000);
}

function openFolder({ directory, primary }: ReplicaOptions) {
  try {
    return openReplicaFolder(directory, primary);
  } catch (error) {
    throw new StoreError(`Cannot open mirror "${directory}": ${listCauses(error)}`, { cause: error });
  }
}

/** Locks the folder by an open transaction. The system ends it with the process, also when the process is killed. */
async function lockFolder(directory: string): Promise<{ close(): void }> {
  const client = createClient({ url: `file:${join(directory, "lock.db")}`, concurrency: 1 });
  let transaction: Transaction | undefined;
  try {
    transaction = await client.transaction("write");
  } catch (error) {
    client.close();
    const why = isLocked(error) ? "another process uses it" : listCauses(error);
    throw new StoreError(`Cannot open mirror "${directory}": ${why}`, { cause: error });
  }
  return {
    close() {
      transaction?.close();
      client.close();
    },
  };
}
