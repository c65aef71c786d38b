import { solveCheck } from "../../http/kit/solve_check.ts";
import { type Arrangement, arrange, likeUpstreams } from "./arrange.ts";
import { type CaseResult, openFindings } from "./case_result.ts";
import type { LoadKind } from "./load_plan.ts";
import { BAD_INPUT, freshKind, hitMix, storeKind } from "./mix.ts";
import { type ProcessFigures, readState } from "./read_state.ts";
import { spoilUpstreams } from "./spoil_upstreams.ts";
import { startLoad } from "./start_load.ts";

/** Reports in memory; fewer than requested, so that the caches are full before half of the run. */
const CACHE_ENTRIES = 500;
const KNOWN = 1200;
const HOT = 200;

/** Share of the answers of upstreams that are faults. */
const FAULTS = 0.01;

/** Requests a second; with two surveys a second about a tenth of a core. */
const PER_SECOND = 36;

/** Connections are kept open by turns, as visitors do. */
const CONNECTIONS = 48;

/** Most that memory may grow in an hour by the line through its second half; the aim is nothing. */
const MOST_GROWTH_MB = 24;

/** A short run shows no line; what it may take at most beyond its first quarter. */
const MOST_SHORT_GROWTH_MB = 96;

/** From here on a run is long enough for a line. */
const LINE_MINUTES = 10;

/** Longer than a quiet connection is left open, on either side. */
const CALM_MS = 40_000;

/** Files that may be open more than before: connections to upstreams that are kept, and what a clock opens. */
const MOST_FILES_LEFT = 8;

const MOST_BROKEN = 1e-4;

interface Sample extends ProcessFigures {
  readonly atMs: number;
  readonly heapMb: number;
  readonly delayMs: number;
}

/**
 * Hours of usual load in one process, with every hundredth upstream answer a fault. Measures the trend of memory in
 * the second half, files, sockets and threads after the end, and the largest delay of the event loop.
 */
export async function soak(minutes: number, log: (line: string) => void = () => {}): Promise<CaseResult> {
  const findings = openFindings();
  const { see, check } = findings;
  const arrangement = await arrange({
    known: KNOWN,
    delayMs: likeUpstreams,
    env: { LIMPID_CACHE_ENTRIES: String(CACHE_ENTRIES), LIMPID_LOG: "error" },
  });
  const { upstreams, service, known } = arrangement;
  const isLong = minutes >= LINE_MINUTES;
  try {
    await rest(isLong ? CALM_MS : 1000);
    const idle = await sample(arrangement, 0);
    spoilUpstreams(upstreams, FAULTS);
    const startedAt = performance.now();
    const seconds = minutes * 60;
    const load = startLoad({
      url: service.url,
      mix: listMix(known),
      connections: CONNECTIONS,
      seconds,
      perSecond: PER_SECOND,
      patienceMs: 30_000,
    });
    const samples: Sample[] = [];
    let isOver = false;
    let votes = 0;
    void load.result.finally(() => {
      isOver = true;
    });
    const periodMs = isLong ? 10_000 : 1000;
    while (!isOver) {
      await rest(periodMs);
      const taken = await sample(arrangement, performance.now() - startedAt);
      samples.push(taken);
      log(describe(taken));
      // The recorded calls are not used here and would fill the memory.
      upstreams.forget();
      if (samples.length % 6 === 0 && (await vote(service.url, known[0] ?? ""))) votes += 1;
    }
    const result = await load.result;
    const { total } = result;
    await rest(isLong ? CALM_MS : 5000);
    const calm = await sample(arrangement, performance.now() - startedAt);
    const later = samples.slice(samples.length >> 1);
    const perHour = (slope(later, ({ rssKb }) => rssKb) / 1024) * 3_600_000;
    const heapPerHour = slope(later, ({ heapMb }) => heapMb) * 3_600_000;
    const most = Math.max(...samples.map(({ rssKb }) => rssKb)) / 1024;
    const quarter = Math.max(...samples.slice(0, (samples.length >> 2) + 1).map(({ rssKb }) => rssKb)) / 1024;
    const cpu = samples.at(-1)?.cpuMs ?? 0;
    see(
      `${minutes} minutes, ${total.asked} requests (${result.goodPerSecond.toFixed(1)}/s right, ${total.refused} refused, ${total.gaveUp} without an answer, wrong ${JSON.stringify(total.wrong)}), ${votes} votes; ${((cpu - idle.cpuMs) / (seconds * 10)).toFixed(1)} % of a core`,
    );
    for (const [name, kind] of Object.entries(result.kinds)) {
      see(
        `  ${name}: ${kind.asked} asked, ${kind.good} right, ${kind.refused} refused, p50 ${kind.ms.p50.toFixed(1)} ms, p99 ${kind.ms.p99.toFixed(1)} ms${kind.broken + kind.gaveUp > 0 ? `, ${kind.broken} broken, ${kind.gaveUp} given up` : ""}${Object.keys(kind.wrong).length > 0 ? `, wrong ${JSON.stringify(kind.wrong)}` : ""}`,
      );
    }
    see(
      `memory ${(idle.rssKb / 1024).toFixed(0)} MB at first, ${quarter.toFixed(0)} most in the first quarter, ${most.toFixed(0)} most, ${(calm.rssKb / 1024).toFixed(0)} when calm; line of the second half ${perHour.toFixed(1)} MB an hour, heap ${heapPerHour.toFixed(1)}`,
    );
    see(
      `files ${idle.files} → ${calm.files}, most ${Math.max(...samples.map(({ files }) => files))}; sockets ${idle.sockets} → ${calm.sockets}; threads ${idle.threads} → ${calm.threads}; the event loop at most ${Math.max(...samples.map(({ delayMs }) => delayMs)).toFixed(0)} ms late`,
    );
    if (isLong)
      check(
        `memory grows at most ${MOST_GROWTH_MB} MB an hour: ${perHour.toFixed(1)}`,
        perHour <= MOST_GROWTH_MB,
      );
    check(
      `memory: ${most.toFixed(0)} MB after ${quarter.toFixed(0)}`,
      most <= quarter + MOST_SHORT_GROWTH_MB,
    );
    check(
      `files return to what they were: ${idle.files} → ${calm.files}`,
      calm.files <= idle.files + (isLong ? MOST_FILES_LEFT : 64),
    );
    check(`threads: ${idle.threads} → ${calm.threads}`, calm.threads <= idle.threads + 4);
    check(
      `every answer is right or a refusal: ${JSON.stringify(total.wrong)}`,
      Object.keys(total.wrong).length === 0,
    );
    check(`every request is answered: ${total.gaveUp} not`, total.gaveUp === 0);
    // A connection that was idle for half a minute can be closed while it is used again (RFC 9112, 9.5).
    check(
      `connections last as long as their requests: ${total.broken} did not`,
      total.broken <= total.asked * MOST_BROKEN,
    );
    check(`nothing is refused without a moment to come again: ${total.mute}`, total.mute === 0);
    check("it ran", total.good > seconds * PER_SECOND * 0.5);
    const said = service.log();
    if (said !== "") see(`log: ${said.slice(0, 2000)}`);
    check("nothing failed inside", !said.includes("request_failed"));
    check("it ends in good order", (await service.stop()) === 0);
  } finally {
    await arrangement.close();
  }
  return findings;
}

/** A day of a moderate service: mostly hits, some reads of the database, a few surveys, and wrong requests. */
function listMix(known: readonly string[]): readonly LoadKind[] {
  const hot = known.slice(0, HOT);
  return [
    ...hitMix(hot).map((kind) => ({ ...kind, weight: kind.weight * 0.5 })),
    storeKind(known.slice(HOT), 16),
    ...BAD_INPUT,
    freshKind(4),
    {
      name: "progress",
      weight: 1.5,
      paths: ["/api/progress?ip={fresh}", `/api/progress?ip=${hot[0]}`],
      statuses: [200],
    },
    freshKind(0.4, { name: "fresh, leaves", leaveMs: 60 }),
    {
      name: "progress, leaves",
      weight: 0.4,
      paths: ["/api/progress?ip={fresh}"],
      statuses: [200],
      leaveMs: 80,
    },
    {
      name: "page, leaves",
      weight: 1.5,
      paths: [`/ip/${hot[1]}`, `/ip/${known[900]}`],
      statuses: [200],
      leaveMs: 1,
    },
    {
      name: "visitors",
      weight: 8,
      // More than their minute allows, and addresses that they may not survey unchecked.
      clients: 4,
      paths: [
        `/api/lookup?ip=${hot[2]}`,
        `/ip/${hot[3]}`,
        `/api/lookup?ip=${known[950]}`,
        "/api/lookup?ip={fresh}",
      ],
      statuses: [200, 403],
    },
    { name: "many visitors", weight: 3, clients: 5000, paths: [`/api/lookup?ip=${hot[4]}`], statuses: [200] },
    { name: "challenge", weight: 1, paths: [`/api/challenge?ip=${hot[0]}&action=lookup`], statuses: [200] },
    {
      name: "forged check",
      weight: 0.5,
      method: "POST",
      paths: ["/api/verify"],
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ ip: hot[0], action: "lookup", payload: btoa("{}") }),
      statuses: [403],
    },
    {
      name: "feedback without a pass",
      weight: 0.5,
      method: "POST",
      paths: ["/api/feedback"],
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ scenario: "ai", rating: 4 }),
      statuses: [400, 403],
    },
    {
      name: "elsewhere",
      weight: 4,
      paths: [
        "/",
        "/en",
        `/api/compare?ips=${hot[0]},${hot[5]}`,
        `/api/history?ip=${hot[6]}`,
        `/cli/${hot[7]}`,
        `/gate/${hot[8]}`,
        "/healthz",
        "/readyz",
        "/metrics",
        "/openapi.json",
        "/llms.txt",
        "/robots.txt",
      ],
      headers: { "accept-encoding": "gzip" },
      statuses: [200, 404, 409],
    },
  ];
}

/** Solves a check as a visitor does, refreshes with its pass, and rates. Whether the rating was kept. */
async function vote(url: string, address: string): Promise<boolean> {
  const own = { "content-type": "application/json", origin: url, "x-forwarded-for": "8.10.0.9" };
  const challenge = await fetch(`${url}/api/challenge?ip=${address}&action=feedback`, { headers: own });
  const payload = await solveCheck((await challenge.json()) as Parameters<typeof solveCheck>[0]);
  const verified = await fetch(`${url}/api/verify`, {
    method: "POST",
    headers: own,
    body: JSON.stringify({ ip: address, action: "feedback", payload }),
  });
  await verified.arrayBuffer();
  const cookie = verified.headers.get("set-cookie")?.split(";")[0];
  if (cookie === undefined) return false;
  const headers = { ...own, cookie };
  const refreshed = await fetch(`${url}/api/lookup?ip=${address}&refresh=1`, { headers });
  await refreshed.arrayBuffer();
  const rated = await fetch(`${url}/api/feedback`, {
    method: "POST",
    headers,
    body: JSON.stringify({ scenario: "ai", rating: 4 }),
  });
  await rated.arrayBuffer();
  return rated.status === 200;
}

async function sample({ service }: Arrangement, atMs: number): Promise<Sample> {
  const response = await fetch(`${service.url}/metrics`);
  const metrics = await response.text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1] ?? Number.NaN);
  return {
    ...readState(service.process.pid),
    atMs,
    heapMb: read("process_heap_used_bytes") / 1024 / 1024,
    delayMs: read("limpid_event_loop_longest_delay_seconds") * 1000,
  };
}

function describe({ atMs, rssKb, heapMb, files, sockets, threads, cpuMs, delayMs }: Sample): string {
  return `${(atMs / 1000).toFixed(0)} s rss ${(rssKb / 1024).toFixed(1)} MB heap ${heapMb.toFixed(1)} MB files ${files} sockets ${sockets} threads ${threads} cpu ${cpuMs} ms late ${delayMs.toFixed(0)} ms`;
}

/** Least squares: how much a figure grows in a millisecond. */
function slope(samples: readonly Sample[], read: (sample: Sample) => number): number {
  const count = samples.length;
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / count;
  const mean = samples.reduce((sum, one) => sum + read(one), 0) / count;
  const over = samples.reduce((sum, one) => sum + (one.atMs - meanAt) * (read(one) - mean), 0);
  const under = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
  return over / under;
}

async function rest(ms: number): Promise<void> {
  await Bun.sleep(ms);
}
