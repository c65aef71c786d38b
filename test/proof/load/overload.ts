import type { Extent } from "../run_cases.ts";
import { arrange, likeUpstreams, NO_LIMITS } from "./arrange.ts";
import { compareSpans, isCalm, watchBystander } from "./bystander.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { countRuns } from "./count_runs.ts";
import { describeKind, describeLoad } from "./describe_load.ts";
import type { LoadKind, LoadPlan, LoadResult } from "./load_plan.ts";
import { BAD_INPUT, freshKind, hitMix, storeKind } from "./mix.ts";
import { readState } from "./read_state.ts";
import { runLoad } from "./start_load.ts";

const CACHE_ENTRIES = 500;
const HOT = 200;

/** The load relative to the capacity. */
const TIMES = 10;

/** Enough connections for requests that wait for a survey and for those that do not. */
const CAPACITY_CONNECTIONS = 128;
const CONNECTIONS = 512;

/** A visitor gives up after this time without an answer. */
const PATIENCE_MS = 10_000;
const IDLE_SECONDS = 3;
const AFTER_SECONDS = 6;

/** The aim, and the floor that a regression breaks on a busy machine. */
const GOODPUT = { aim: 0.9, floor: 0.75 };
const RECOVERY_MS = { aim: 2000, floor: 4000 };

/** Most that memory may grow from the first fifth of the load to its end. */
const MOST_GROWTH_MB = 64;

/**
 * Ten times as many requests as one core can answer, of the usual kinds. None is refused for it; requests wait in the
 * queues of the kernel. The service must answer as many as before, not grow, and be normal at once when the load ends.
 */
export async function overload(extent: Extent): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const isFull = extent === "full";
  const seconds = isFull ? 60 : 4;
  const arrangement = await arrange({
    known: isFull ? 1500 : 600,
    delayMs: likeUpstreams,
    env: { LIMPID_CACHE_ENTRIES: String(CACHE_ENTRIES), ...NO_LIMITS },
  });
  const { upstreams, service, known } = arrangement;
  const { pid } = service.process;
  const hot = known.slice(0, HOT);
  const mix: readonly LoadKind[] = [
    ...hitMix(hot).map((kind) => ({ ...kind, weight: kind.weight * 0.9 })),
    storeKind(known.slice(CACHE_ENTRIES), 5.5),
    ...BAD_INPUT,
    freshKind(0.5),
  ];
  const measured = async (plan: Omit<LoadPlan, "url" | "mix" | "patienceMs">) => {
    const before = readState(pid).cpuMs;
    const result = await runLoad({ url: service.url, mix, patienceMs: PATIENCE_MS, ...plan });
    const cpuMs = readState(pid).cpuMs - before;
    return { result, cpuMs, perCoreSecond: (result.total.good / cpuMs) * 1000 };
  };
  try {
    const closed = { connections: CAPACITY_CONNECTIONS };
    await measured({ ...closed, seconds: isFull ? 8 : 1.5, freshFrom: 0x100000 });
    const capacity = await measured({ ...closed, seconds: isFull ? 15 : 3, freshFrom: 0x200000 });
    upstreams.forget();
    await Bun.sleep(1500);

    const bystanding = watchBystander(
      service.url,
      hitMix(hot).slice(0, 1),
      IDLE_SECONDS + seconds + AFTER_SECONDS,
    );
    await Bun.sleep(IDLE_SECONDS * 1000);
    const runsBefore = await countRuns(service.url);
    const startedAt = Date.now();
    const memory: number[] = [];
    const watching = setInterval(() => memory.push(readState(pid).rssKb / 1024), 250);
    const loaded = await measured({
      connections: CONNECTIONS,
      seconds,
      perSecond: capacity.result.goodPerSecond * TIMES,
      freshFrom: 0x300000,
    });
    clearInterval(watching);
    const endedAt = startedAt + seconds * 1000;
    const runs = (await countRuns(service.url)).minus(runsBefore);
    const bystander = await bystanding;
    const calm = readState(pid);

    const idle = bystander.between(0, startedAt - 200);
    const beside = bystander.between(startedAt + 1000, endedAt);
    const recoveredMs = bystander.recovery(endedAt, Math.max(2, idle.p99 * 2));
    const fifth = memory[Math.floor(memory.length / 5)] ?? Number.NaN;
    const last = memory.at(-1) ?? Number.NaN;
    const rate = loaded.result.goodPerSecond / capacity.result.goodPerSecond;
    const share = loaded.perCoreSecond / capacity.perCoreSecond;
    see(`capacity: ${describe(capacity)}`);
    see(`${TIMES} times that for ${seconds} s: ${describe(loaded)}`);
    for (const [name, kind] of Object.entries(loaded.result.kinds)) see(`  ${describeKind(name, kind)}`);
    see(
      `answers a second of processor time ${percent(share)} of what they were (aim ${percent(GOODPUT.aim)}), a second of the clock ${percent(rate)}`,
    );
    see(
      `a bystander's hit: ${compareSpans(idle, beside)}; as before after ${recoveredMs.toFixed(0)} ms (aim ${RECOVERY_MS.aim})`,
    );
    see(`surveys under load: ${runs}`);
    see(
      `memory ${fifth.toFixed(0)} → ${last.toFixed(0)} MB; afterwards ${calm.sockets} sockets, ${calm.files} files`,
    );
    check(`goodput ${percent(share)} of capacity`, share >= GOODPUT.floor);
    checkAnswers(loaded.result, check);
    if (isCalm(idle)) check(`recovery after ${recoveredMs.toFixed(0)} ms`, recoveredMs <= RECOVERY_MS.floor);
    // Within seconds the heap rises and falls; growth is visible after a minute.
    if (isFull) check(`memory ${fifth.toFixed(0)} → ${last.toFixed(0)} MB`, last <= fifth + MOST_GROWTH_MB);
    check(`nothing failed inside: ${service.log().slice(0, 500)}`, !service.log().includes("request_failed"));
  } finally {
    await arrangement.close();
  }
  return findings;
}

function checkAnswers({ total }: LoadResult, check: (promise: string, holds: boolean) => void): void {
  check(`every refusal says when to come again: ${total.mute} do not`, total.mute === 0);
  check(`no answer is wrong: ${JSON.stringify(total.wrong)}`, Object.keys(total.wrong).length === 0);
  check(`no connection breaks: ${total.broken}`, total.broken === 0);
}

function describe({
  result,
  cpuMs,
  perCoreSecond,
}: {
  readonly result: LoadResult;
  readonly cpuMs: number;
  readonly perCoreSecond: number;
}): string {
  return `${describeLoad(result)}; ${percent(cpuMs / 1000 / result.seconds)} of a core, ${perCoreSecond.toFixed(0)} answers a second of it`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
