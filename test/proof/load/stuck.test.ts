import { expect, test } from "bun:test";
import { arrange, NO_LIMITS } from "./arrange.ts";
import { isCalm, lossOf, measureWorkMs, watchBystander } from "./bystander.ts";
import { runLoad } from "./load_plan.ts";
import { freshKind, storeKind } from "./mix.ts";
import { hangUpstreams } from "./spoil_upstreams.ts";

const CLIENTS = 100;
/** All clients arrive within this time. */
const WAVE_SECONDS = 0.1;
const PHASE_MS = 2200;

/** So few reports in memory that forty addresses in turn are answered from the file. */
const CACHE_ENTRIES = 12;
const HOT = 4;

/** Below the time limits of upstreams, so that no breaker opens and surveys stay slow. */
const SLOW_MS = 600;
const SURVEY_MS = 1500;

/** What the p99 of the others may lose, in times of fixed work. */
const LOSS_WORKS = 5_000;
const BYSTANDERS_PER_SECOND = 200;

/** Processor time of long turns of the event loop in a second, in times of fixed work. */
const LONG_TURNS_WORKS = 3_000;

/** Compares the same moments of one run: without load, with slow upstreams, and with silent upstreams. */
test("clients who wait for slow and silent upstreams slow down nobody", async () => {
  let delayMs = 0;
  const arrangement = await arrange({
    known: 40,
    delayMs: () => delayMs,
    env: {
      LIMPID_CACHE_ENTRIES: String(CACHE_ENTRIES),
      LIMPID_SURVEY_MS: String(SURVEY_MS),
      ...NO_LIMITS,
    },
  });
  const { upstreams, service, known } = arrangement;
  try {
    const workMs = measureWorkMs();
    const startedAt = Date.now();
    const watching = watchBystander(
      service.url,
      [
        storeKind(known.slice(HOT), 4),
        { ...storeKind(known.slice(0, HOT), 4), name: "memory" },
        { name: "health", weight: 1, paths: ["/healthz", "/readyz"], statuses: [200] },
      ],
      (PHASE_MS * 3) / 1000,
      BYSTANDERS_PER_SECOND,
    );
    const load = (freshFrom: number) =>
      runLoad({
        url: service.url,
        mix: [freshKind(1)],
        connections: CLIENTS,
        seconds: WAVE_SECONDS,
        perSecond: CLIENTS / WAVE_SECONDS,
        patienceMs: 30_000,
        freshFrom,
      });
    await Bun.sleep(PHASE_MS);
    const slowAt = Date.now();
    delayMs = SLOW_MS;
    const slowing = load(0x100000);
    await Bun.sleep(PHASE_MS);
    const hangAt = Date.now();
    hangUpstreams(upstreams);
    const hanging = load(0x200000);
    await Bun.sleep(PHASE_MS);
    const endedAt = Date.now();
    const bystander = await watching;
    const waves = (await Promise.all([slowing, hanging])).map(({ total }) => total);
    for (const name of ["store", "memory", "health"]) {
      const idle = bystander.between(startedAt + 800, slowAt, name);
      const slowly = bystander.between(slowAt, hangAt, name);
      const never = bystander.between(hangAt, endedAt, name);
      for (const meanwhile of [slowly, never]) {
        if (isCalm(idle, meanwhile))
          expect(lossOf(idle, meanwhile), name).toBeLessThanOrEqual(LOSS_WORKS * workMs);
      }
      const { asked, good } = bystander.result.kinds[name] ?? { asked: 0, good: -1 };
      expect(good, name).toBe(asked);
    }
    expect(arrangement.longTurns(slowAt, endedAt)).toBeLessThanOrEqual(LONG_TURNS_WORKS * workMs);
    expect(waves[0]?.ms.p50).toBeGreaterThan(SLOW_MS);
    expect(waves.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(0);
    for (const wave of waves) expect(wave).toMatchObject({ mute: 0, gaveUp: 0, broken: 0 });
    expect(service.log()).not.toContain("request_failed");
  } finally {
    await arrangement.close();
  }
}, 120_000);
