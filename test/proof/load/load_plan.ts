/** One way of asking, and how often. */
export interface LoadKind {
  readonly name: string;
  /** Its share of all requests is this over the sum of the mix. */
  readonly weight: number;
  /** Asked in turn; `{fresh}` becomes an address that nobody asked about before. */
  readonly paths: readonly string[];
  readonly method?: "GET" | "POST";
  /** Asks as this many clients behind the proxy in turn (X-Forwarded-For); absent = as the peer itself. */
  readonly clients?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The statuses of a right answer. 429 and 503 are refusals unless named here, everything else is wrong. */
  readonly statuses: readonly number[];
  /** Hangs up so many milliseconds after asking, whether or not it was answered. */
  readonly leaveMs?: number;
}

/** What one generator does. */
export interface LoadPlan {
  readonly url: string;
  readonly mix: readonly LoadKind[];
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests that arrive a second, whether or not those before were answered; each is timed from when it was to be
   * sent. Absent = every connection asks as soon as it was answered.
   */
  readonly perSecond?: number;
  /** Whoever waited so long for a connection or an answer gives up. */
  readonly patienceMs: number;
  /** Which of 2^22 addresses `{fresh}` begins with, so that two runs share none. */
  readonly freshFrom?: number;
  /** Writes every right answer down: when it was asked for, and what it took. */
  readonly trace?: true;
}

/** What became of one kind, or of all. Times in milliseconds, from the moment the request was to be sent. */
export interface KindResult {
  readonly asked: number;
  readonly good: number;
  readonly refused: number;
  /** Refusals that do not say when to come again. */
  readonly mute: number;
  /** Answers that are neither, by status. */
  readonly wrong: Readonly<Record<string, number>>;
  /** Asked, and the connection ended without an answer. */
  readonly broken: number;
  /** Asked, and no answer in time. */
  readonly gaveUp: number;
  readonly ms: Spread;
  readonly refusedMs: Spread;
  /** The same from the moment the request was really sent. */
  readonly sentMs: Spread;
  readonly refusedSentMs: Spread;
}

/** Milliseconds; -1 where there was nothing to measure. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

/** What a run saw. */
export interface LoadResult {
  /** Seconds it really lasted. */
  readonly seconds: number;
  /** Requests that were to be sent, and those that found no free connection in time. */
  readonly offered: number;
  readonly unsent: number;
  readonly goodPerSecond: number;
  readonly total: KindResult;
  readonly kinds: Readonly<Record<string, KindResult>>;
  /** Right answers, when traced: milliseconds since the epoch when each was to be sent, how long it took, and its kind. */
  readonly trace: readonly (readonly [at: number, ms: number, kind: string])[];
}
