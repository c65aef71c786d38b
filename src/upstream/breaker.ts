import { isOurs, type UpstreamError, type UpstreamErrorKind } from "./upstream.ts";

/** A circuit breaker for each source: stops requests to a source that is down or that asked us to wait. */
export type Breaker = ReturnType<typeof createBreaker>;

/** State of one id. `closed` = still asked, `open` = not asked until `untilMs`, `half_open` = one probe at a time. */
export interface BreakerState {
  readonly id: string;
  readonly state: "closed" | "open" | "half_open";
  /** Consecutive failures that count. */
  readonly failures: number;
  /** Milliseconds since the epoch; only when open. */
  readonly untilMs?: number;
}

interface FailureRecord {
  failures: number;
  weight: number;
  /** When the pause ends; set once the breaker has opened. */
  untilMs: number | undefined;
  /** The upstream asked for the pause, so a late success does not end it. */
  isRequested: boolean;
  /** While a probe is running: when it counts as lost. */
  probeUntilMs: number | undefined;
  quotaPauseMs: number;
}

/**
 * The sum of weights in a row that opens the breaker: five failures of a broken source, or twenty well-formed "cannot
 * answer", which may be about single addresses.
 */
const OPENING_WEIGHT = 20;
const FAILURE_WEIGHTS: Readonly<Record<UpstreamErrorKind, number>> = {
  timeout: 4,
  refused: 4,
  status: 4,
  shape: 4,
  too_large: 4,
  unavailable: 1,
  quota: 0,
};
/** Pause and probe together stay under 10 s, so after a lost probe a healthy source is asked again within 10 s. */
const PAUSE_MS = 3_000;
const PROBE_MS = 5_000;
/** Pause after a quota error without a time. It doubles with each such error in a row. */
const QUOTA_PAUSE_MS = 60_000;
const MAX_QUOTA_PAUSE_MS = 3_600_000;
const MIN_REQUESTED_MS = 1_000;
const MAX_REQUESTED_MS = 86_400_000;
const MAX_IDS = 1_024;

/** Creates a {@link Breaker}. It remembers only ids that have failed, at most 1 024. */
export function createBreaker(options: { readonly now: () => number }) {
  const records = new Map<string, FailureRecord>();

  function recordOf(id: string): FailureRecord {
    const known = records.get(id);
    if (known !== undefined) return known;
    for (const oldest of records.keys()) {
      if (records.size < MAX_IDS) break;
      records.delete(oldest);
    }
    const created: FailureRecord = {
      failures: 0,
      weight: 0,
      untilMs: undefined,
      isRequested: false,
      probeUntilMs: undefined,
      quotaPauseMs: QUOTA_PAUSE_MS,
    };
    records.set(id, created);
    return created;
  }

  /** Starts the pause that the upstream asked for. Requests that ran at the same time double the pause only once. */
  function pause(record: FailureRecord, retryAfterMs: number | undefined, nowMs: number): void {
    const isPaused = record.untilMs !== undefined && nowMs < record.untilMs;
    let pauseMs: number;
    if (retryAfterMs !== undefined) {
      pauseMs = Math.min(Math.max(retryAfterMs, MIN_REQUESTED_MS), MAX_REQUESTED_MS);
    } else if (isPaused && record.isRequested) {
      return;
    } else {
      pauseMs = record.quotaPauseMs;
      record.quotaPauseMs = Math.min(record.quotaPauseMs * 2, MAX_QUOTA_PAUSE_MS);
    }
    record.untilMs = Math.max(isPaused ? (record.untilMs ?? 0) : 0, nowMs + pauseMs);
    record.isRequested = true;
  }

  function stateOf(id: string, record: FailureRecord, nowMs: number): BreakerState {
    const { failures, untilMs } = record;
    if (untilMs === undefined) return { id, state: "closed", failures };
    return nowMs < untilMs ? { id, state: "open", failures, untilMs } : { id, state: "half_open", failures };
  }

  return {
    /**
     * Whether this id may be asked now. After a pause it admits one probe; the next one must wait for its result
     * or timeout.
     */
    admit(id: string): boolean {
      const record = records.get(id);
      if (record?.untilMs === undefined) return true;
      const nowMs = options.now();
      if (nowMs < record.untilMs) return false;
      if (record.probeUntilMs !== undefined && nowMs < record.probeUntilMs) return false;
      record.probeUntilMs = nowMs + PROBE_MS;
      return true;
    },
    /** Whether it has failed since its last answer. Failures that this process caused do not count. */
    isFailing: (id: string) => (records.get(id)?.failures ?? 0) > 0,
    /** Whether the upstream itself asked for the last pause: with Retry-After, or with a quota error. */
    isToldToWait: (id: string) => records.get(id)?.isRequested === true,
    succeeded(id: string): void {
      const record = records.get(id);
      if (record === undefined) return;
      const isWaiting = record.isRequested && options.now() < (record.untilMs ?? 0);
      if (!isWaiting) records.delete(id);
    },
    failed(id: string, error: UpstreamError): void {
      const hasWait = error.kind === "quota" || error.retryAfterMs !== undefined;
      const weight = isOurs(error) ? 0 : FAILURE_WEIGHTS[error.kind];
      if (!hasWait && weight === 0) {
        const record = records.get(id);
        if (record !== undefined) record.probeUntilMs = undefined;
        return;
      }
      const nowMs = options.now();
      const record = recordOf(id);
      record.probeUntilMs = undefined;
      if (weight > 0) record.failures += 1;
      record.weight += weight;
      if (hasWait) {
        pause(record, error.retryAfterMs, nowMs);
      } else if (record.untilMs === undefined ? record.weight >= OPENING_WEIGHT : nowMs >= record.untilMs) {
        record.untilMs = nowMs + PAUSE_MS;
        record.isRequested = false;
      }
    },
    /** States of the ids that have failed; all others are `closed`. */
    states(): readonly BreakerState[] {
      const nowMs = options.now();
      return [...records].map(([id, record]) => stateOf(id, record, nowMs));
    },
  };
}
