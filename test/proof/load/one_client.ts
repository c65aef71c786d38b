import type { Extent } from "../run_cases.ts";
import { arrange } from "./arrange.ts";
import { compareSpans, isCalm, watchBystander } from "./bystander.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import { describeLoad } from "./describe_load.ts";
import { hitMix } from "./mix.ts";
import { readState } from "./read_state.ts";
import { runLoad } from "./start_load.ts";

const PER_SECOND = 1000;
const CONNECTIONS = 64;
const IDLE_SECONDS = 1.5;

/** What a client may ask in a minute, as the configuration has it by itself. */
const ALLOWED = 30;

/** For a service with idle time between surveys; a busy one reaches a fifth. */
const EACH_MICROS = { floor: 1500 };

const REFUSED_P99_MS = { aim: 50, floor: 400 };

/** One client with a thousand requests a second: its limit is answered, the rest refused, others are not affected. */
export async function oneClient(extent: Extent): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const seconds = { brief: 2, quick: 3, full: 20 }[extent];
  const arrangement = await arrange({ known: 24 });
  const { service, known } = arrangement;
  try {
    // As another client, so that only the limits differ.
    const bystanding = watchBystander(service.url, hitMix(known).slice(0, 1), IDLE_SECONDS + seconds);
    await Bun.sleep(IDLE_SECONDS * 1000);
    const startedAt = Date.now();
    const before = readState(service.process.pid).cpuMs;
    const result = await runLoad({
      url: service.url,
      mix: hitMix(known)
        .filter(({ name }) => name !== "badge")
        .map((kind) => ({ ...kind, clients: 1 })),
      connections: CONNECTIONS,
      seconds,
      perSecond: PER_SECOND,
      patienceMs: 10_000,
    });
    const cpuMs = readState(service.process.pid).cpuMs - before;
    const bystander = await bystanding;
    const idle = bystander.between(0, startedAt);
    const beside = bystander.between(startedAt, startedAt + seconds * 1000);
    const { good, refused, refusedMs, mute, wrong } = result.total;
    const eachMicros = (cpuMs * 1000) / (good + refused);
    see(describeLoad(result));
    see(
      `${refused} refused: p99 ${refusedMs.p99.toFixed(1)} ms (aim ${REFUSED_P99_MS.aim}), ${eachMicros.toFixed(0)} µs of processor each`,
    );
    see(`somebody else's hit: ${compareSpans(idle, beside)}`);
    check(`${good} answers are at least the ${ALLOWED} of one minute`, good >= ALLOWED);
    check(
      `${good} answers are at most those of the minutes it lasted`,
      good <= ALLOWED * (1 + Math.ceil(result.seconds / 60)),
    );
    check(`somebody is refused`, refused > good);
    check(`every refusal says when to come again: ${mute} do not`, mute === 0);
    check(`no answer is wrong: ${JSON.stringify(wrong)}`, Object.keys(wrong).length === 0);
    if (isCalm(idle, beside))
      check(`refusals take ${refusedMs.p99.toFixed(0)} ms`, refusedMs.p99 <= REFUSED_P99_MS.floor);
    check(`an answer takes ${eachMicros.toFixed(0)} µs of processor time`, eachMicros <= EACH_MICROS.floor);
    check("nobody else is refused", bystander.result.total.refused === 0);
  } finally {
    await arrangement.close();
  }
  return findings;
}
