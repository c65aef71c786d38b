import { expect, test } from "bun:test";
import { arrange } from "./arrange.ts";
import { isCalm, watchBystander } from "./bystander.ts";
import { runLoad } from "./load_plan.ts";
import { hitMix } from "./mix.ts";
import { readState } from "./read_state.ts";

const PER_SECOND = 1000;
const CONNECTIONS = 64;
const IDLE_SECONDS = 1.5;
const SECONDS = 2;

/** Requests that a client may send in a minute by default. */
const ALLOWED = 30;

/** For a service with idle time between surveys; a busy one reaches a fifth. */
const EACH_MICROS = 1500;
const REFUSED_P99_MS = 400;

test("one client who sends a thousand requests a second is refused, and nobody else is", async () => {
  const arrangement = await arrange({ known: 24 });
  const { service, known } = arrangement;
  try {
    // As another client, so that only the limits differ.
    const bystanding = watchBystander(service.url, hitMix(known).slice(0, 1), IDLE_SECONDS + SECONDS);
    await Bun.sleep(IDLE_SECONDS * 1000);
    const startedAt = Date.now();
    const before = readState(service.process.pid).cpuMs;
    const result = await runLoad({
      url: service.url,
      mix: hitMix(known)
        .filter(({ name }) => name !== "badge")
        .map((kind) => ({ ...kind, clients: 1 })),
      connections: CONNECTIONS,
      seconds: SECONDS,
      perSecond: PER_SECOND,
      patienceMs: 10_000,
    });
    const cpuMs = readState(service.process.pid).cpuMs - before;
    const bystander = await bystanding;
    const idle = bystander.between(0, startedAt);
    const beside = bystander.between(startedAt, startedAt + SECONDS * 1000);
    const { good, refused, refusedMs, mute, wrong } = result.total;
    expect(good, "answers").toBeWithin(ALLOWED, ALLOWED * (1 + Math.ceil(result.seconds / 60)) + 1);
    expect(refused).toBeGreaterThan(good);
    expect(mute, "refusals without Retry-After").toBe(0);
    expect(wrong).toEqual({});
    if (isCalm(idle, beside)) expect(refusedMs.p99).toBeLessThanOrEqual(REFUSED_P99_MS);
    expect((cpuMs * 1000) / (good + refused), "µs of processor time").toBeLessThanOrEqual(EACH_MICROS);
    expect(bystander.result.total.refused).toBe(0);
  } finally {
    await arrangement.close();
  }
}, 120_000);
