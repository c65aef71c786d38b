import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, type Transaction } from "@libsql/client";
import { isDamaged } from "./is_damaged.ts";
import { isLocked } from "./is_locked.ts";
import { listCauses } from "./list_causes.ts";
import { openReplicaFolder } from "./replica_folder.ts";
import type { RelayNews, RelayOrder, ReplicaAnswer } from "./replica_messages.ts";
import { type ReplicaThread, startReplicaThread } from "./replica_thread.ts";
import { StoreError } from "./store.ts";

/** A primary that says nothing for this long in the middle of an answer is given up for the time being. */
const QUIET_MS = 10_000;

/** Larger files are not read through at the start; what is wrong with them shows when it is read. */
const MAX_CHECKED_BYTES = 1024 ** 3;

/**
 * A copy that is bad again as soon as it was made is not the file's fault: it is made again after this time, then after
 * twice that, up to half a day; one that has been good for ten times this long says nothing of the next.
 */
const REBUILD_PAUSE_MS = 60_000;
const MAX_DOUBLINGS = 10;
const GOOD_PAUSES = 10;

/** A thread that cannot be kept running is not started over and over. */
const RESTART_MS = 1000;

/** While there is nothing to serve, the primary is asked more often. */
const EMPTY_PERIOD_MS = 2000;

/** Failures that no trouble with the primary explains, in a row, before the copy itself is held to be at fault. */
const UNEXPLAINED_LIMIT = 3;

/** A reader never waits for the writer of a write-ahead log; this is for the moment in which one is set up. */
const BUSY_TIMEOUT_MS = 50;

/** A sync that lasts longer than this brings rows worth showing before it ends. */
const LONG_SYNC_MS = 1000;

/** How long an ending waits for the native code, which is back sooner when nobody answers it. */
const END_MS = 5000;

/** How a replica stands to its primary. Moments in milliseconds since the epoch. */
export interface ReplicaState {
  /**
   * `starting`: nothing to serve yet. `current`: in step within two periods. `behind`: it is not, and serves what it
   * has. `rebuilding`: the copy was damaged, and is served as far as it can be read until there is another.
   */
  readonly state: "starting" | "current" | "behind" | "rebuilding";
  /** When it was last known to hold everything the primary held. */
  readonly lastSyncAt?: number;
  /** Since then. */
  readonly lagMs?: number;
  /** Number of the last page that was written to the copy; absent until the primary was asked. */
  readonly frame?: number;
  /** Why the last attempt failed; absent when it did not. */
  readonly error?: string;
}

/** What a replica is a copy of, where it lies, and how it is kept in step. Times in milliseconds. */
export interface ReplicaOptions {
  /** A folder of its own; everything in it can be made anew. */
  readonly directory: string;
  /** `http(s)://` or `libsql://` URL of a libSQL server. */
  readonly primary: string;
  readonly token?: string;
  /** Give or take a tenth, so that many mirrors do not come at once. */
  readonly periodMs: number;
  readonly now: () => number;
  /** 0 up to 1. */
  readonly random: () => number;
  /** Rows may be other than they were. */
  readonly onRows: () => void;
  readonly log: (level: "info" | "warn" | "error", event: string, fields?: Record<string, unknown>) => void;
  readonly quietMs?: number;
  /** Between two copies made anew; default a minute. */
  readonly rebuildPauseMs?: number;
}

/** A copy of a primary's database on this machine's disk, kept in step in the background. */
export interface Replica {
  /**
   * Reads from the copy, at once; undefined while there is none.
   * @throws what the database says; if that is damage, another copy is made.
   */
  read<Result>(work: (client: Client) => Promise<Result>): Promise<Result | undefined>;
  /** Says that the copy holds what was never written, so that another is made. */
  suspect(problem: string): void;
  state(): ReplicaState;
  close(): Promise<void>;
}

interface Served {
  readonly copy: number;
  readonly client: Client;
}

/**
 * Opens a replica with what the folder holds and begins to keep it in step. Nobody waits for the primary, which may be
 * down: a thread of its own writes the file, and readers here see each of the primary's commits whole or not at all.
 * Between that thread and the primary stands another, which breaks off what is not answered and passes on nothing that
 * would write.
 * @throws {StoreError} when the folder cannot be written to or another process serves from it.
 */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const { now, log, onRows } = options;
  const quietMs = options.quietMs ?? QUIET_MS;
  const rebuildPauseMs = options.rebuildPauseMs ?? REBUILD_PAUSE_MS;
  const folder = openFolder(options);
  const lock = await takeLock(options.directory);
  const key = crypto.randomUUID();

  const found = folder.find();
  let target = found?.copy ?? 1;
  let served = found === undefined || found.isPartial ? undefined : await tryToServe(target);
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
  let unanswered: string | undefined;
  let unexplained = 0;
  let rebuilds = 0;
  let rebuiltAt = 0;
  let isHeld = false;
  let wasChecked = false;
  let isClosed = false;
  let wake = () => {};
  let thread: ReplicaThread | undefined;
  let isOpen = false;

  let syncingSince = Number.POSITIVE_INFINITY;
  let listening = Promise.withResolvers<string>();
  let relay = startRelay();
  const running = run();

  function startRelay(): Worker {
    const started = new Worker(new URL("./replica_relay_worker.ts", import.meta.url).href);
    started.onmessage = ({ data }: MessageEvent<RelayNews>) => {
      switch (data.kind) {
        case "listening":
          return listening.resolve(data.url);
        case "heard":
          thread?.noteHeard();
          // A long catching up shows its rows as they come.
          if (performance.now() - syncingSince > LONG_SYNC_MS) onRows();
          return;
        case "unanswered":
          unanswered = data.problem;
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
    tell({ kind: "start", primary, ...(token === undefined ? {} : { token }), key, quietMs }, started);
    return started;
  }

  function tell(order: RelayOrder, worker = relay): void {
    worker.postMessage(order);
  }

  async function tryToServe(copy: number): Promise<Served | undefined> {
    let client: Client | undefined;
    try {
      client = createClient({
        url: `file:${folder.pathOf(copy)}`,
        timeout: BUSY_TIMEOUT_MS,
        // One connection, so that what is set on it holds for every query.
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
        await takeTurn();
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
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function mayRebuild(): boolean {
    const pauseMs = rebuildPauseMs * 2 ** Math.min(rebuilds - 1, MAX_DOUBLINGS);
    return damage !== undefined && (rebuilds === 0 || performance.now() - rebuiltAt >= pauseMs);
  }

  async function takeTurn(): Promise<void> {
    if (mayRebuild()) await beginCopy(damage ?? "");
    unanswered = undefined;
    const answer = await bringIntoStep();
    if (isClosed) return;
    // News of the other thread may come a moment after this one's.
    if (answer.kind === "failed") await Bun.sleep(10);
    await note(answer);
    if (answer.kind === "done") await settle(answer);
  }

  async function bringIntoStep(): Promise<ReplicaAnswer> {
    if (thread?.state() === "lost") {
      thread = undefined;
      isHeld = true;
    }
    // Two writers of one file would spoil it.
    if (isHeld) return { kind: "damaged", problem: "native code does not let go of it" };
    if (thread?.state() === "ended") thread = undefined;
    if (thread === undefined) {
      thread = startReplicaThread(silenceOf(quietMs));
      const path = folder.pathOf(target);
      const check = !wasChecked && existsSync(path) && statSync(path).size <= MAX_CHECKED_BYTES;
      const opened = await thread.ask({
        kind: "open",
        path,
        url: await listening.promise,
        token: key,
        check,
      });
      isOpen = opened.kind === "done";
      if (opened.kind !== "done") return opened;
      wasChecked = true;
    }
    syncingSince = performance.now();
    const answer = await thread.ask({ kind: "sync" });
    syncingSince = Number.POSITIVE_INFINITY;
    return answer;
  }

  /** The library lets go of a file for certain only when its thread has ended. */
  async function dropThread(): Promise<void> {
    if (thread?.state() !== "alive") return;
    await thread.end(END_MS);
    if (thread.state() === "ended") thread = undefined;
  }

  async function note(answer: ReplicaAnswer): Promise<void> {
    if (answer.kind === "done") {
      unexplained = 0;
      if (error !== undefined) log("info", "replica_synced", { frame: answer.frame });
      error = undefined;
      return;
    }
    // Trouble with the primary is nothing new to the library: it asks again by itself.
    if (answer.kind === "damaged" || unanswered === undefined || !isOpen) await dropThread();
    const problem = unanswered ?? answer.problem;
    if (error === undefined) log("warn", "replica_not_synced", { problem });
    error = problem;
    unexplained = answer.kind === "failed" && unanswered === undefined ? unexplained + 1 : 0;
    if (answer.kind === "damaged" || unexplained >= UNEXPLAINED_LIMIT) {
      unexplained = 0;
      condemn(answer.problem);
    }
  }

  async function settle(answer: Extract<ReplicaAnswer, { kind: "done" }>): Promise<void> {
    if (answer.frame !== undefined && frame !== undefined && answer.frame < frame) {
      // A server that was restarted begins another log; that is nobody's fault and may happen often.
      return condemn(`the primary's log ends at ${answer.frame}, before ${frame}`, "no fault");
    }
    lastSyncAt = now();
    folder.noteSync(target, lastSyncAt);
    const isNew = served?.copy !== target;
    if (isNew && !(await publish())) return condemn("the new copy cannot be read");
    const hasGrown = isNew || answer.frame !== frame || (answer.added ?? 0) > 0;
    frame = answer.frame;
    if (hasGrown) onRows();
  }

  /** Serves the copy that was just brought into step, and forgets the one before. */
  async function publish(): Promise<boolean> {
    const next = await tryToServe(target);
    if (next === undefined) return false;
    const before = served;
    served = next;
    damage = undefined;
    folder.mark(target, "whole");
    if (before !== undefined) {
      before.client.close();
      // Its statements hold the files that are removed, and their space, until they are collected.
      Bun.gc(false);
    }
    folder.keepOnly([target]);
    log("info", "replica_served", { copy: target });
    return true;
  }

  /** Begins another copy; the one before is served meanwhile as far as it can be read. */
  async function beginCopy(problem: string): Promise<void> {
    log("warn", "replica_rebuilding", { problem });
    rebuiltAt = performance.now();
    rebuilds += 1;
    await dropThread();
    // Whatever still holds the old file does not hold the new one.
    thread = undefined;
    isHeld = false;
    // What is to be replaced stays damaged in the marker until it is.
    if (served !== undefined) folder.mark(served.copy, "suspect");
    target += 1;
    frame = undefined;
    wasChecked = true;
    folder.clear(target);
    if (served === undefined) folder.mark(target, "partial");
    folder.keepOnly(served === undefined ? [target] : [served.copy, target]);
    damage = undefined;
  }

  /** Gives up the copy that is kept in step. */
  function condemn(problem: string, isFault: "fault" | "no fault" = "fault"): void {
    if (damage !== undefined) return;
    const wasGood = performance.now() - rebuiltAt > GOOD_PAUSES * rebuildPauseMs;
    if (isFault === "no fault" || wasGood) rebuilds = Math.min(rebuilds, 1);
    damage = problem;
    log("error", "replica_damaged", { problem });
    wake();
  }

  /** What is served may be a copy that is being replaced already. */
  function suspect(problem: string): void {
    if (served?.copy === target) condemn(problem);
  }

  return {
    async read(work) {
      if (served === undefined) return undefined;
      try {
        return await work(served.client);
      } catch (problem) {
        if (isDamaged(problem)) suspect(listCauses(problem));
        throw problem;
      }
    },
    suspect,
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
      wake();
      tell({ kind: "refuse" });
      await thread?.end(END_MS);
      await Promise.race([running, Bun.sleep(END_MS)]);
      relay.terminate();
      if (served?.copy === target && damage === undefined && thread?.state() !== "lost") folder.flush(target);
      served?.client.close();
      lock.close();
    },
  };
}

/** The library tries three times, a second apart, before it says that it failed; who takes twice that is lost. */
function silenceOf(quietMs: number): number {
  return 2 * 3 * (quietMs + 1000);
}

function openFolder({ directory, primary }: ReplicaOptions) {
  try {
    return openReplicaFolder(directory, primary);
  } catch (error) {
    throw new StoreError(`Cannot open mirror "${directory}": ${listCauses(error)}`, { cause: error });
  }
}

/** Held open in a transaction as long as the process lives; the system lets go of it however that ends. */
async function takeLock(directory: string): Promise<{ close(): void }> {
  const client = createClient({ url: `file:${join(directory, "lock.db")}`, concurrency: 1 });
  let held: Transaction | undefined;
  try {
    held = await client.transaction("write");
  } catch (error) {
    client.close();
    const why = isLocked(error) ? "another process serves from it" : listCauses(error);
    throw new StoreError(`Cannot open mirror "${directory}": ${why}`, { cause: error });
  }
  return {
    close() {
      held?.close();
      client.close();
    },
  };
}
