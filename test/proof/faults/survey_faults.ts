import type { SourceRun, Survey } from "#evidence";
import { localize } from "#locale";
import { assess } from "#lookup";
import type { Report } from "#report";
import type { Source } from "#sources";
import { ADDRESS, type FaultSetup, LIVE, openFaultSetup } from "./fault_setup.ts";

/** One survey under faults, and what it cost. */
export interface FaultySurvey {
  readonly runs: readonly SourceRun[];
  readonly ms: number;
  /** How late the event loop was at most within half a second: what a source's time is judged with. */
  readonly lagMs: number;
  /** Bytes that the gateway could send. */
  readonly sentBytes: number;
  /** How far resident memory rose at most, in bytes. */
  readonly grownBytes: number;
  /** Connections with a query under way half a second after the survey ended. */
  readonly leaked: number;
}

const LOOK_MS = 10;
const LEAK_TURNS = 50;
const WINDOW_MS = 500;

/** Starts the upstreams, lets the test break some, and asks every live source once. */
export async function surveyFaults(
  breakIt: (at: FaultSetup) => void,
  options: Parameters<typeof openFaultSetup>[0] = {},
): Promise<FaultySurvey> {
  const at = await openFaultSetup(options);
  try {
    breakIt(at);
    const startBytes = process.memoryUsage.rss();
    let mostBytes = startBytes;
    let lagMs = 0;
    let lookedAt = performance.now();
    const late: { readonly at: number; readonly ms: number }[] = [];
    const looking = setInterval(() => {
      const now = performance.now();
      late.push({ at: now, ms: Math.max(0, now - lookedAt - LOOK_MS) });
      while ((late[0]?.at ?? now) < now - WINDOW_MS) late.shift();
      lagMs = Math.max(
        lagMs,
        late.reduce((sum, { ms }) => sum + ms, 0),
      );
      lookedAt = now;
      mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
    }, LOOK_MS);
    const startedAt = performance.now();
    const runs = await at.survey(LIVE);
    const ms = performance.now() - startedAt;
    clearInterval(looking);
    at.upstreamClient.close();
    for (let turn = 0; turn < LEAK_TURNS && at.gateway.busy > 0; turn += 1) await Bun.sleep(LOOK_MS);
    const { sentBytes, busy } = at.gateway;
    return { runs, ms, lagMs, sentBytes, grownBytes: mostBytes - startBytes, leaked: busy };
  } finally {
    await at.close();
  }
}

/** The report on the one address that these runs make. */
export function reportOn(runs: readonly SourceRun[]): Report {
  return localize(assess(surveyOf(runs)), {
    language: "en",
    tier: "fresh",
    stale: false,
    reportUrl: "https://limpid.example/en/ip/203.0.113.7",
  });
}

function surveyOf(runs: readonly SourceRun[]): Survey {
  return { address: ADDRESS.text, version: ADDRESS.version, surveyedAt: "2026-01-15T12:00:00.000Z", runs };
}

/** The same runs, as if these sources had never answered. */
export function silence(runs: readonly SourceRun[], sources: readonly Source[]): readonly SourceRun[] {
  const ids = new Set(sources.map(({ id }) => id));
  return runs.map(({ observation, error: _, detail: __, skipped: ___, ...run }) =>
    ids.has(run.id)
      ? { ...run, state: "failed", error: "timeout" }
      : { ...run, ...(observation === undefined ? {} : { observation }) },
  );
}
