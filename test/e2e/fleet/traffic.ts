import type { RunningService } from "#kit";

/** A caller gives up after this time without an answer. */
const PATIENCE_MS = 25_000;

/** One answer as its caller received it. */
export interface Seen {
  /** The key of the target. */
  readonly at: string;
  readonly ip: string;
  /** An HTTP status, or what happened in place of one. */
  readonly outcome: string;
  readonly ms: number;
  readonly report?: SeenReport;
}

/** The compared fields of a report. */
export interface SeenReport {
  readonly ip: string;
  readonly source: string;
  readonly surveyedAt: number;
  readonly purity: number;
}

/** A stream of requests that does not wait for answers. */
export interface Traffic {
  /** The requests sent while `work` ran, with their answers. */
  during(work: () => Promise<unknown>): Promise<readonly Seen[]>;
  /** All answers so far. */
  readonly all: readonly Seen[];
  /** Ends it; resolves when all requests are answered. */
  stop(): Promise<void>;
}

/** Requests an address from one target as an exempt client. Never rejects. */
export async function ask(
  target: RunningService | undefined,
  at: string,
  ip: string,
  client = "192.0.2.1",
): Promise<Seen> {
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  try {
    const response = await fetch(`${target?.url}/api/lookup?ip=${ip}&lang=en`, {
      headers: { "x-forwarded-for": client },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body: unknown = await response.json();
    const report = readReport(body);
    const code = readCode(body);
    const outcome = code === undefined ? String(response.status) : `${response.status} ${code}`;
    return { at, ip, outcome, ms: since(), ...(report === undefined ? {} : { report }) };
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    const outcome = name === "TimeoutError" ? "no answer" : "no connection";
    return { at, ip, outcome, ms: since() };
  }
}

/** Sends `perSecond` requests a second, evenly; `next` returns target and address. */
export function startTraffic(
  targets: Readonly<Record<string, () => RunningService | undefined>>,
  perSecond: number,
  next: (turn: number) => { readonly at: string; readonly ip: string },
): Traffic {
  const all: Seen[] = [];
  const waiting = new Set<Promise<void>>();
  const listeners = new Set<Promise<Seen>[]>();
  const startedAt = performance.now();
  let turn = 0;
  const timer = setInterval(() => {
    // A late timer sends the missed requests.
    while (turn < ((performance.now() - startedAt) * perSecond) / 1000) {
      const { at, ip } = next(turn);
      turn += 1;
      const seeing = ask(targets[at]?.(), at, ip);
      for (const listener of listeners) listener.push(seeing);
      const noting = seeing.then((seen) => {
        all.push(seen);
        waiting.delete(noting);
      });
      waiting.add(noting);
    }
  }, 20);
  return {
    all,
    async during(work) {
      const mine: Promise<Seen>[] = [];
      listeners.add(mine);
      try {
        await work();
      } finally {
        listeners.delete(mine);
      }
      return Promise.all(mine);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(waiting);
    },
  };
}

/** Counted outcomes and their times. */
export function describeSeen(seen: readonly Seen[]) {
  const counts: Record<string, number> = {};
  for (const { outcome } of seen) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const times = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? Number.NaN);
  return { counts, p50: at(0.5), p99: at(0.99), worst: at(1) };
}

function readReport(body: unknown): SeenReport | undefined {
  const { ip, source, queriedAt, risk } = (body ?? {}) as Record<string, unknown>;
  const purity = (risk as Record<string, unknown> | undefined)?.purity;
  if (typeof ip !== "string" || typeof queriedAt !== "string" || typeof purity !== "number") return undefined;
  return { ip, source: String(source), surveyedAt: Date.parse(queriedAt), purity };
}

function readCode(body: unknown): string | undefined {
  const code = (body as Record<string, unknown> | null)?.code;
  return typeof code === "string" ? code : undefined;
}
