import { isOurs, type UpstreamError, type UpstreamErrorKind } from "./upstream.ts";

/** A circuit breaker for each source: stops requests to a source that is down or that told us to wait. */
export interface Breaker {
  /** Tells whether this id may be asked now. After a pause it admits one probe, until that one is reported or times out. */
  admit(id: string): boolean;
  /** Tells whether it has failed since its last answer. Failures that this side caused do not count. */
  isFailing(id: string): boolean;
  succeeded(id: string): void;
  failed(id: string, error: UpstreamError): void;
  /** States of the ids that have failed; all others are `closed`. */
  states(): readonly BreakerState[];
}

/** State of one id. `closed` = still asked, `open` = not asked until `untilMs`, `half_open` = one probe at a time. */
export interface BreakerState {
  readonly id: string;
  readonly state: "closed" | "open" | "half_open";
  /** Consecutive failures that count. */
  readonly failures: number;
  /** Milliseconds since the epoch; only when open. */
  readonly untilMs?: number;
}

interface Trouble {
  failures: number;
  /** Sum of the failures' weights. */
  strain: number;
  /** When the pause ends; set once the breaker has opened. */
  untilMs: number | undefined;
  /** The upstream asked for the pause, so a late success does not end it. */
  isOrdered: boolean;
  /** While a probe is running: when it counts as lost. */
  probeUntilMs: number | undefined;
  quotaPauseMs: number;
}

/**
 * The sum of weights in a row that opens the breaker: five failures of a broken source, or twenty well-formed "cannot
 * answer", which may be about single addresses.
 */
const MOST_STRAIN = 20;
const STRAIN: Readonly<Record<UpstreamErrorKind, number>> = {
  timeout: 4,
  refused: 4,
  status: 4,
  shape: 4,
  too_large: 4,
  unavailable: 1,
  quota: 0,
};
/** Pause and probe together stay under 10 s, so a lost probe does not keep a healthy source out for longer. */
const PAUSE_MS = 3_000;
const PROBE_MS = 5_000;
/** Pause after a quota error without a time; it doubles with each one in a row. */
const QUOTA_PAUSE_MS = 60_000;
const MAX_QUOTA_PAUSE_MS = 3_600_000;
const MIN_ORDERED_MS = 1_000;
const MAX_ORDERED_MS = 86_400_000;
const MAX_IDS = 1_024;

/** Creates a {@link Breaker}. It remembers only ids that have failed, at most 1 024. */
export function createBreaker(options: { readonly now: () => number }): Breaker {
  const troubles = new Map<string, Trouble>();

  function troubleOf(id: string): Trouble {
    const known = troubles.get(id);
    if (known !== undefined) return known;
    for (const oldest of troubles.keys()) {
      if (troubles.size < MAX_IDS) break;
      troubles.delete(oldest);
    }
    const created: Trouble = {
      failures: 0,
      strain: 0,
      untilMs: undefined,
      isOrdered: false,
      probeUntilMs: undefined,
      quotaPauseMs: QUOTA_PAUSE_MS,
    };
    troubles.set(id, created);
    return created;
  }

  /** Pauses as the upstream ordered; requests that ran at the same time count as one order. */
  function obey(trouble: Trouble, retryAfterMs: number | undefined, nowMs: number): void {
    const isPaused = trouble.untilMs !== undefined && nowMs < trouble.untilMs;
    let pauseMs: number;
    if (retryAfterMs !== undefined) {
      pauseMs = Math.min(Math.max(retryAfterMs, MIN_ORDERED_MS), MAX_ORDERED_MS);
    } else if (isPaused && trouble.isOrdered) {
      return;
    } else {
      pauseMs = trouble.quotaPauseMs;
      trouble.quotaPauseMs = Math.min(trouble.quotaPauseMs * 2, MAX_QUOTA_PAUSE_MS);
    }
    trouble.untilMs = Math.max(isPaused ? (trouble.untilMs ?? 0) : 0, nowMs + pauseMs);
    trouble.isOrdered = true;
  }

  function stateOf(id: string, trouble: Trouble, nowMs: number): BreakerState {
    const { failures, untilMs } = trouble;
    if (untilMs === undefined) return { id, state: "closed", failures };
    return nowMs < untilMs ? { id, state: "open", failures, untilMs } : { id, state: "half_open", failures };
  }

  return {
    admit(id) {
      const trouble = troubles.get(id);
      if (trouble?.untilMs === undefined) return true;
      const nowMs = options.now();
      if (nowMs < trouble.untilMs) return false;
      if (trouble.probeUntilMs !== undefined && nowMs < trouble.probeUntilMs) return false;
      trouble.probeUntilMs = nowMs + PROBE_MS;
      return true;
    },
    isFailing: (id) => (troubles.get(id)?.failures ?? 0) > 0,
    succeeded(id) {
      const trouble = troubles.get(id);
      if (trouble === undefined) return;
      const isWaiting = trouble.isOrdered && options.now() < (trouble.untilMs ?? 0);
      if (!isWaiting) troubles.delete(id);
    },
    failed(id, error) {
      const isOrder = error.kind === "quota" || error.retryAfterMs !== undefined;
      const strain = isOurs(error) ? 0 : STRAIN[error.kind];
      if (!isOrder && strain === 0) {
        const trouble = troubles.get(id);
        if (trouble !== undefined) trouble.probeUntilMs = undefined;
        return;
      }
      const nowMs = options.now();
      const trouble = troubleOf(id);
      trouble.probeUntilMs = undefined;
      if (strain > 0) trouble.failures += 1;
      trouble.strain += strain;
      if (isOrder) {
        obey(trouble, error.retryAfterMs, nowMs);
      } else if (trouble.untilMs === undefined ? trouble.strain >= MOST_STRAIN : nowMs >= trouble.untilMs) {
        trouble.untilMs = nowMs + PAUSE_MS;
        trouble.isOrdered = false;
      }
    },
    states() {
      const nowMs = options.now();
      return [...troubles].map(([id, trouble]) => stateOf(id, trouble, nowMs));
    },
  };
}
