import type { Extent } from "../run_cases.ts";
import { arrange, likeUpstreams, NO_LIMITS } from "./arrange.ts";
import { compareSpans, isCalm, watchBystander } from "./bystander.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { countRuns } from "./count_runs.ts";
import { describeLoad } from "./describe_load.ts";
import { freshKind, hitMix } from "./mix.ts";
import { readState } from "./read_state.ts";
import { runLoad } from "./start_load.ts";

const TIMES = 10;

/** As many as the surveys that run at once; more would only wait. */
const CAPACITY_CONNECTIONS = 12;

/** Every place in the queue, and some hundred requests that are refused. */
const CONNECTIONS = 400;
const PATIENCE_MS = 30_000;
const IDLE_SECONDS = 3;

/** The last request in the queue is answered before the state is checked. */
const AFTER_SECONDS = 8;

/** Aims, and the floors that a regression breaks on a busy machine. */
const GOODPUT = { aim: 0.9, floor: 0.75 };
const REFUSED_P99_MS = { aim: 50, floor: 400 };
const RECOVERY_MS = { aim: 2000, floor: 4000 };
/** What a report may keep of memory, with its finished reply, and the longest that garbage is left lying. */
const KEPT_KB = { floor: 120 };
const CALM_MS = 8000;

/**
 * Ten times as many new addresses as can be surveyed: twelve surveys run, thirty-six wait, all others are refused at
 * once with Retry-After. Requests for known addresses are almost not affected.
 */
export async function surveys(extent: Extent): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const isFull = extent === "full";
  const seconds = isFull ? 60 : 4;
  const arrangement = await arrange({ known: 48, delayMs: likeUpstreams, env: NO_LIMITS });
  const { upstreams, service, known } = arrangement;
  const { pid } = service.process;
  const common = { url: service.url, mix: [freshKind(1)], patienceMs: PATIENCE_MS };
  try {
    await Bun.sleep(isFull ? CALM_MS : 0);
    const idleState = readState(pid);
    const heapBefore = await readHeap(service.url);
    const cpuAt = () => readState(pid).cpuMs;
    let before = cpuAt();
    const capacity = await runLoad({
      ...common,
      connections: CAPACITY_CONNECTIONS,
      seconds: isFull ? 15 : 4,
      freshFrom: 0x100000,
    });
    const capacityCpu = cpuAt() - before;
    upstreams.forget();
    const bystanding = watchBystander(
      service.url,
      hitMix(known).slice(0, 1),
      IDLE_SECONDS + seconds + AFTER_SECONDS,
    );
    await Bun.sleep(IDLE_SECONDS * 1000);
    const runsBefore = await countRuns(service.url);
    const startedAt = Date.now();
    before = cpuAt();
    const memory: number[] = [];
    const watching = setInterval(() => memory.push(readState(pid).rssKb / 1024), 250);
    const loaded = await runLoad({
      ...common,
      connections: CONNECTIONS,
      seconds,
      perSecond: capacity.goodPerSecond * TIMES,
      freshFrom: 0x200000,
    });
    clearInterval(watching);
    const loadedCpu = cpuAt() - before;
    const endedAt = Date.now();
    const runs = (await countRuns(service.url)).minus(runsBefore);
    const bystander = await bystanding;
    await Bun.sleep(isFull ? CALM_MS : 0);
    const calm = readState(pid);
    const keptKb =
      ((await readHeap(service.url)) - heapBefore) / 1024 / (capacity.total.good + loaded.total.good);

    const idle = bystander.between(0, startedAt - 200);
    const beside = bystander.between(startedAt + 500, startedAt + seconds * 1000);
    const recoveredMs = bystander.recovery(endedAt, Math.max(2, idle.p99 * 2));
    const fifth = memory[Math.floor(memory.length / 5)] ?? Number.NaN;
    const last = memory.at(-1) ?? Number.NaN;
    // All answers, divided by the whole processor time, including the rest of the queue.
    const share = loaded.total.good / loadedCpu / (capacity.total.good / capacityCpu);
    const { refused, refusedMs, refusedSentMs, mute } = loaded.total;
    see(
      `capacity: ${describeLoad(capacity)}; ${(capacityCpu / capacity.total.good).toFixed(1)} ms of processor each`,
    );
    see(
      `${TIMES} times that for ${seconds} s: ${describeLoad(loaded)}; ${(loadedCpu / loaded.total.good).toFixed(1)} ms of processor each, refusals included`,
    );
    see(
      `goodput ${((loaded.goodPerSecond / capacity.goodPerSecond) * 100).toFixed(0)} % a second of the clock, ${(share * 100).toFixed(0)} % a second of processor time (aim ${GOODPUT.aim * 100})`,
    );
    see(
      `${refused} refused: p50 ${refusedMs.p50.toFixed(1)} ms, p99 ${refusedMs.p99.toFixed(1)} (aim ${REFUSED_P99_MS.aim}), since sent ${refusedSentMs.p99.toFixed(1)}`,
    );
    see(
      `a bystander's hit: ${compareSpans(idle, beside)}; as before after ${recoveredMs.toFixed(0)} ms (aim ${RECOVERY_MS.aim})`,
    );
    see(`sources under load: ${runs}`);
    see(
      `memory ${fifth.toFixed(0)} → ${last.toFixed(0)} MB, ${(calm.rssKb / 1024).toFixed(0)} MB when calm, ${keptKb.toFixed(0)} kB of heap for each new report; sockets ${idleState.sockets} before, ${calm.sockets} afterwards`,
    );
    check(`goodput ${(share * 100).toFixed(0)} % of capacity`, share >= GOODPUT.floor);
    check("somebody is refused", refused > 0);
    check(`every refusal says when to come again: ${mute} do not`, mute === 0);
    if (isCalm(idle, beside))
      check(`refusals take ${refusedMs.p99.toFixed(0)} ms`, refusedMs.p99 <= REFUSED_P99_MS.floor);
    check(
      `no answer is wrong: ${JSON.stringify(loaded.total.wrong)}`,
      Object.keys(loaded.total.wrong).length === 0,
    );
    check(
      `nobody waits in vain: ${loaded.total.gaveUp + loaded.total.broken}`,
      loaded.total.gaveUp + loaded.total.broken === 0,
    );
    if (isCalm(idle)) check(`recovery after ${recoveredMs.toFixed(0)} ms`, recoveredMs <= RECOVERY_MS.floor);
    if (isFull) check(`a report keeps ${keptKb.toFixed(0)} kB`, keptKb <= KEPT_KB.floor);
    check(`nothing failed inside: ${service.log().slice(0, 500)}`, !service.log().includes("request_failed"));
  } finally {
    await arrangement.close();
  }
  return findings;
}

async function readHeap(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_heap_used_bytes (\S+)/m.exec(metrics)?.[1]);
}
