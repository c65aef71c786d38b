/**
 * `bun test/proof/load/soak.ts [MINUTES]` puts usual load on one process, with every hundredth upstream answer a fault,
 * 60 minutes by default; the line of memory needs at least ten. Ends with 1 when memory, files or threads grow, or an
 * answer is neither right nor a refusal.
 */
import { arrange, likeUpstreams } from "./arrange.ts";
import { type LoadKind, runLoad } from "./load_plan.ts";
import { BAD_INPUT, freshKind, hitMix, storeKind } from "./mix.ts";
import { type ProcessFigures, readState } from "./read_state.ts";
import MIX from "./soak_mix.json";
import { spoilUpstreams } from "./spoil_upstreams.ts";

/** Reports in memory; fewer than requested, so that the caches are full before half of the run. */
const CACHE_ENTRIES = 500;
const KNOWN = 1200;
const HOT = 200;

/** Share of the answers of upstreams that are faults. */
const FAULTS = 0.01;

/** Requests a second; with two surveys a second about a tenth of a core. */
const PER_SECOND = 36;
const CONNECTIONS = 48;

/** Most that memory may grow in an hour by the line through the second half of a run. */
const MOST_GROWTH_MB = 24;
const SAMPLE_MS = 10_000;

/** Longer than a quiet connection is left open, on either side. */
const CALM_MS = 40_000;

/** Files that may be open more than before: connections to upstreams that are kept, and what a clock opens. */
const MOST_FILES_LEFT = 8;
const MOST_THREADS_LEFT = 4;
const MOST_BROKEN = 1e-4;

interface Sample extends ProcessFigures {
  readonly atMs: number;
}

const minutes = Number(process.argv[2] ?? 60);
const failures: string[] = [];
const check = (requirement: string, isMet: boolean) => {
  if (!isMet) failures.push(requirement);
};
const arrangement = await arrange({
  known: KNOWN,
  delayMs: likeUpstreams,
  env: { LIMPID_CACHE_ENTRIES: String(CACHE_ENTRIES), LIMPID_LOG: "error" },
});
const { upstreams, service, known } = arrangement;
try {
  await Bun.sleep(CALM_MS);
  const idle = readState(service.process.pid);
  spoilUpstreams(upstreams, FAULTS);
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const sampling = setInterval(() => {
    const sample = { ...readState(service.process.pid), atMs: performance.now() - startedAt };
    samples.push(sample);
    console.log(JSON.stringify(sample));
    // The recorded calls are not used here and would fill the memory.
    upstreams.forget();
  }, SAMPLE_MS);
  const { total } = await runLoad({
    url: service.url,
    mix: listMix(known),
    connections: CONNECTIONS,
    seconds: minutes * 60,
    perSecond: PER_SECOND,
    patienceMs: 30_000,
  });
  clearInterval(sampling);
  await Bun.sleep(CALM_MS);
  const calm = readState(service.process.pid);
  const perHour = (slope(samples.slice(samples.length >> 1)) / 1024) * 3_600_000;
  console.log(`${total.asked} requests; memory grows by ${perHour.toFixed(1)} MB an hour`);
  check(`memory grows at most ${MOST_GROWTH_MB} MB an hour`, perHour <= MOST_GROWTH_MB);
  check(`files: ${idle.files} → ${calm.files}`, calm.files <= idle.files + MOST_FILES_LEFT);
  check(`threads: ${idle.threads} → ${calm.threads}`, calm.threads <= idle.threads + MOST_THREADS_LEFT);
  check(`wrong answers: ${JSON.stringify(total.wrong)}`, Object.keys(total.wrong).length === 0);
  check(`requests without an answer: ${total.gaveUp}`, total.gaveUp === 0);
  // A connection that was idle for half a minute can be closed while it is used again (RFC 9112, 9.5).
  check(`broken connections: ${total.broken}`, total.broken <= total.asked * MOST_BROKEN);
  check(`refusals without Retry-After: ${total.mute}`, total.mute === 0);
  check("half of the requests have a right answer", total.good > minutes * 60 * PER_SECOND * 0.5);
  check("no request failed inside", !service.log().includes("request_failed"));
  check("the process ends with 0", (await service.stop()) === 0);
} finally {
  await arrangement.close();
}
for (const failure of failures) console.log(`FAIL ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);

/** A day of a moderate service: mostly hits, some reads of the database, a few surveys, and wrong requests. */
function listMix(known: readonly string[]): readonly LoadKind[] {
  // `{hot3}` stands for a report in memory, `{known900}` for one in the database.
  const text = JSON.stringify(MIX).replaceAll(
    /\{(?:hot|known)(\d+)\}/g,
    (_, at: string) => known[Number(at)] ?? "",
  );
  return [
    ...hitMix(known.slice(0, HOT)).map((kind) => ({ ...kind, weight: kind.weight * 0.5 })),
    storeKind(known.slice(HOT), 16),
    ...BAD_INPUT,
    freshKind(4),
    ...(JSON.parse(text) as LoadKind[]), // The file is our own.
  ];
}

/** Least squares: how much a figure grows in a millisecond. */
function slope(samples: readonly Sample[]): number {
  const count = samples.length;
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / count;
  const mean = samples.reduce((sum, one) => sum + one.rssKb, 0) / count;
  const over = samples.reduce((sum, one) => sum + (one.atMs - meanAt) * (one.rssKb - mean), 0);
  const under = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
  return over / under;
}
