import type { Extent } from "../run_cases.ts";
import { arrange, NO_LIMITS } from "./arrange.ts";
import { compareSpans, isCalm, lossOf, watchBystander } from "./bystander.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { describeKind } from "./describe_load.ts";
import type { KindResult, LoadResult } from "./load_plan.ts";
import { freshKind, storeKind } from "./mix.ts";
import { hangUpstreams } from "./spoil_upstreams.ts";
import { runLoad } from "./start_load.ts";

const CLIENTS = 100;
/** They arrive within this time, with the frequency of each phase. */
const WAVE_SECONDS = 0.1;
const WAVES = { brief: 1, quick: 1, full: 4 };

/** So few reports in memory that forty addresses in turn are answered from the file. */
const CACHE_ENTRIES = 12;
const HOT = 4;

/** Below the time limits of upstreams, so that no breaker opens and surveys stay slow. */
const SLOW_MS = { brief: 600, quick: 2600, full: 2600 };
const SURVEY_MS = { brief: 1500, quick: 4000, full: 4000 };

/** What store hits may lose at their p99. */
const LOSS_MS = { aim: 10, floor: { brief: 150, quick: 60, full: 30 } };

const BYSTANDERS_PER_SECOND = 200;

/**
 * Surveys that all start or end in the same turns of the event loop take more than twenty turns in a long run; a cold
 * process may do so for some seconds.
 */
const LONG_TURNS = { aim: 5, floor: { brief: 100, quick: 40, full: 8 } };

/**
 * A hundred clients wait for surveys of silent upstreams, and then of the slowest allowed upstreams. All others are
 * answered as without them. Compares the same moments of one run.
 */
export async function stuck(extent: Extent): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const phaseMs = { brief: 2200, quick: 4000, full: 20_000 }[extent];
  let delayMs = 0;
  const arrangement = await arrange({
    known: 40,
    delayMs: () => delayMs,
    env: {
      LIMPID_CACHE_ENTRIES: String(CACHE_ENTRIES),
      LIMPID_SURVEY_MS: String(SURVEY_MS[extent]),
      ...NO_LIMITS,
    },
  });
  const { upstreams, service, known } = arrangement;
  try {
    const seconds = (phaseMs * 3) / 1000;
    const startedAt = Date.now();
    const watching = watchBystander(
      service.url,
      [
        storeKind(known.slice(HOT), 4),
        { ...storeKind(known.slice(0, HOT), 4), name: "memory" },
        { name: "health", weight: 1, paths: ["/healthz", "/readyz"], statuses: [200] },
      ],
      seconds,
      BYSTANDERS_PER_SECOND,
    );
    const load = async (freshFrom: number): Promise<readonly KindResult[]> => {
      const waves: Promise<LoadResult>[] = [];
      for (let wave = 0; wave < WAVES[extent]; wave += 1) {
        waves.push(
          runLoad({
            url: service.url,
            mix: [freshKind(1)],
            connections: CLIENTS,
            seconds: WAVE_SECONDS,
            perSecond: CLIENTS / WAVE_SECONDS,
            patienceMs: 30_000,
            freshFrom: freshFrom + wave * 0x1000,
          }),
        );
        await Bun.sleep(phaseMs / WAVES[extent]);
      }
      return (await Promise.all(waves)).map(({ total }) => total);
    };
    await Bun.sleep(phaseMs);
    const slowAt = Date.now();
    delayMs = SLOW_MS[extent];
    const slowing = load(0x100000);
    await Bun.sleep(phaseMs);
    const hangAt = Date.now();
    hangUpstreams(upstreams);
    const hanging = load(0x200000);
    await Bun.sleep(phaseMs);
    const endedAt = Date.now();
    const bystander = await watching;
    const [slow, hung] = await Promise.all([slowing, hanging]);
    for (const wave of slow)
      see(`upstreams that answer after ${delayMs} ms, ${CLIENTS} clients: ${describeKind("fresh", wave)}`);
    for (const wave of hung) see(`upstreams that hang, ${CLIENTS} clients: ${describeKind("fresh", wave)}`);
    for (const name of ["store", "memory", "health"]) {
      const idle = bystander.between(startedAt + 800, slowAt, name);
      const slowly = bystander.between(slowAt, hangAt, name);
      const never = bystander.between(hangAt, endedAt, name);
      see(`${name}, upstreams slow: ${compareSpans(idle, slowly)}`);
      see(`${name}, upstreams hang: ${compareSpans(idle, never)}`);
      for (const meanwhile of [slowly, never]) {
        if (!isCalm(idle, meanwhile)) continue;
        const loss = lossOf(idle, meanwhile);
        check(`${name}: ${loss.toFixed(1)} ms later beside stuck clients`, loss <= LOSS_MS.floor[extent]);
      }
      const { asked, good } = bystander.result.kinds[name] ?? { asked: 0, good: -1 };
      check(`${name}: ${asked - good} of ${asked} not answered`, good === asked);
    }
    const { longestMs, longMsPerSecond } = arrangement.turns(slowAt, endedAt);
    see(
      `longest turn of the event loop ${longestMs.toFixed(1)} ms of processor time; those of 15 ms and more together ${longMsPerSecond.toFixed(1)} ms a second (aim ${LONG_TURNS.aim})`,
    );
    check(
      `long turns: ${longMsPerSecond.toFixed(1)} ms a second`,
      longMsPerSecond <= LONG_TURNS.floor[extent],
    );
    const waves = [...slow, ...hung];
    const sum = (read: (wave: KindResult) => number) => waves.reduce((total, wave) => total + read(wave), 0);
    check(
      "there are more than there is room for, and who has room waits",
      sum((wave) => wave.refused) > 0 && (slow[0]?.ms.p50 ?? 0) > delayMs,
    );
    const mute = sum((wave) => wave.mute);
    check(`every refusal says when to come again: ${mute} do not`, mute === 0);
    const lost = sum((wave) => wave.gaveUp + wave.broken);
    check(`nobody waits in vain: ${lost}`, lost === 0);
    check("nothing failed inside", !service.log().includes("request_failed"));
  } finally {
    await arrangement.close();
  }
  return findings;
}
