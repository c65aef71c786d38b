import { join } from "node:path";

/** One kind of request, and its frequency. */
export interface LoadKind {
  readonly name: string;
  /** Its share of all requests is this over the sum of the mix. */
  readonly weight: number;
  /** Requested in turn; `{fresh}` becomes an address that was never requested. */
  readonly paths: readonly string[];
  readonly method?: "GET" | "POST";
  /** Asks as this many clients behind the proxy in turn (X-Forwarded-For); absent = as the peer itself. */
  readonly clients?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The statuses of a right answer. 429 and 503 are refusals unless named here, everything else is wrong. */
  readonly statuses: readonly number[];
  /** Closes the connection this many milliseconds after the request, answered or not. */
  readonly leaveMs?: number;
}

/** What one generator does. */
export interface LoadPlan {
  readonly url: string;
  readonly mix: readonly LoadKind[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests that are sent a second, without waiting for earlier answers; each is timed from its planned time. */
  readonly perSecond: number;
  /** A request without a connection or an answer gives up after this time. */
  readonly patienceMs: number;
  /** Which of 2^22 addresses `{fresh}` begins with, so that two runs share none. */
  readonly freshFrom?: number;
  /** Writes every right answer down: when it was asked for, and what it took. */
  readonly trace?: true;
}

/** The results of one kind, or of all. Times in milliseconds from the planned time of the request. */
export interface KindResult {
  readonly asked: number;
  readonly good: number;
  readonly refused: number;
  /** Refusals that do not say when to come again. */
  readonly mute: number;
  /** Answers that are neither, by status. */
  readonly wrong: Readonly<Record<string, number>>;
  /** Sent, and the connection closed without an answer. */
  readonly broken: number;
  /** Sent, without an answer in time. */
  readonly gaveUp: number;
  readonly ms: Spread;
  readonly refusedMs: Spread;
}

/** Milliseconds; -1 where there was nothing to measure. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/** What a run saw. */
export interface LoadResult {
  /** Seconds it really lasted. */
  readonly seconds: number;
  readonly total: KindResult;
  readonly kinds: Readonly<Record<string, KindResult>>;
  /** Right answers, when traced: milliseconds since the epoch when each was to be sent, how long it took, and its kind. */
  readonly trace: readonly (readonly [at: number, ms: number, kind: string])[];
}

/** Runs a load in a process of its own, so that it shares no thread with the service, the upstreams or the proof. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "generate_load.ts")], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("Cannot run the load");
  return JSON.parse(text) as LoadResult;
}
