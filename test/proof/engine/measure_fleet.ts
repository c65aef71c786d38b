import { loadavg } from "node:os";
import { join } from "node:path";
import { startService, startSqld } from "#kit";
import { countEvents, readCheckpoints } from "./read_logs.ts";
import { readCpuSeconds, readMemoryBytes, sizeOf } from "./read_process.ts";
import { sendStatement } from "./send_statement.ts";

/** A write that has no answer after this time, while the server lives, is a stall. */
export const STALL_MS = 10_000;
/** A stall that lasts this long is for good. */
const FOR_GOOD_MS = 40_000;
const PROBE_EVERY_MS = 1000;
const LOOKUP_PATIENCE_MS = 30_000;

/** What is measured: full processes, new addresses a second for each of them, and how `sqld` is started. */
export interface FleetPlan {
  readonly processes: number;
  readonly lookupsPerSecond: number;
  readonly minutes: number;
  readonly flags: readonly string[];
  readonly log: (line: string) => void;
}

/** What was counted. Times are in milliseconds, sizes in bytes. */
export interface FleetMeasurement {
  readonly seconds: number;
  /** Lookups by their outcome, as `200 fresh`. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly lookupMs: { readonly p50: number; readonly p99: number; readonly worst: number };
  /** Rows of the table of reports at the end. */
  readonly stored: number;
  readonly probesAcknowledged: number;
  readonly probesFailed: number;
  readonly probeMs: { readonly p50: number; readonly p99: number; readonly worst: number };
  /** The longest time between two acknowledged probe writes. */
  readonly longestGapMs: number;
  readonly stalls: number;
  /** Seconds from the start to the first stall. */
  readonly firstStallSeconds: number | undefined;
  readonly isStalledForGood: boolean;
  /** Cores that the server used: on average, and in the last ten seconds. */
  readonly meanCores: number;
  readonly lastCores: number;
  readonly largestWalBytes: number;
  readonly databaseBytes: number;
  readonly serverMemoryBytes: number;
  readonly fleetMemoryBytes: number;
  /** Checkpoints of the period that `sqld` logged, and the duration of the longest. */
  readonly checkpoints: number;
  readonly longestCheckpointMs: number;
  /** Log events of the processes. */
  readonly events: Readonly<Record<string, number>>;
}

/** Starts one `sqld` and a fleet on it, sends lookups of new addresses, and counts what the server acknowledges. */
export async function measureFleet(plan: FleetPlan): Promise<FleetMeasurement> {
  const sqld = await startSqld({ flags: plan.flags });
  const fleet: Awaited<ReturnType<typeof startService>>[] = [];
  try {
    for (let n = 0; n < plan.processes; n += 1) {
      fleet.push(
        await startService({
          env: {
            LIMPID_LIVE: "0",
            // Every lookup is of a new address, so a larger cache only takes memory.
            LIMPID_CACHE_MB: "16",
            LIMPID_DATABASE_URL: sqld.url,
            LIMPID_SECRET: "one-secret-of-the-whole-fleet",
            LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
            LIMPID_LOOKUPS_PER_MINUTE: "1000000",
            LIMPID_NEW_PER_MINUTE: "1000000",
            LIMPID_OPEN_PER_DAY: "1000000",
            LIMPID_OPEN_PER_MINUTE: "1000000",
            LIMPID_OPEN_DAILY_TOTAL: "1000000000",
          },
        }),
      );
    }
    await sendStatement(sqld.url, "CREATE TABLE engine_probe (n INTEGER PRIMARY KEY)", STALL_MS);
    return await drive(plan, sqld, fleet);
  } finally {
    await Promise.all(fleet.map((service) => service.close()));
    await sqld.close();
  }
}

async function drive(
  plan: FleetPlan,
  sqld: Awaited<ReturnType<typeof startSqld>>,
  fleet: readonly Awaited<ReturnType<typeof startService>>[],
): Promise<FleetMeasurement> {
  const begunAt = performance.now();
  const endAt = begunAt + plan.minutes * 60_000;
  const outcomes: Record<string, number> = {};
  const lookupTimes: number[] = [];
  const probeTimes: number[] = [];
  let stored = 0;
  let probesFailed = 0;
  let longestGapMs = 0;
  let stalls = 0;
  let firstStallSeconds: number | undefined;
  let isStalledForGood = false;
  let largestWalBytes = 0;
  let acknowledgedAt = begunAt;
  let lastCores = 0;
  const cpuAtStart = readCpuSeconds(sqld.pid());
  const isRunning = () => performance.now() < endAt && !isStalledForGood;

  async function lookUp(n: number): Promise<void> {
    const service = fleet[n % fleet.length];
    const ip = `8.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    const startedAt = performance.now();
    let outcome: string;
    try {
      const response = await fetch(`${service?.url}/api/lookup?ip=${ip}&lang=en`, {
        headers: { "x-forwarded-for": `198.51.100.${n & 255}` },
        signal: AbortSignal.timeout(LOOKUP_PATIENCE_MS),
      });
      const { source, code } = (await response.json()) as { source?: string; code?: string };
      outcome = `${response.status} ${code ?? source}`;
    } catch (error) {
      outcome = error instanceof Error ? error.name : "failed";
    }
    lookupTimes.push(performance.now() - startedAt);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }

  async function sendLookups(): Promise<void> {
    const waiting = new Set<Promise<void>>();
    const perSecond = plan.processes * plan.lookupsPerSecond;
    for (let n = 0; isRunning(); await Bun.sleep(10)) {
      // A late turn sends the missed requests.
      for (; n < ((performance.now() - begunAt) * perSecond) / 1000; n += 1) {
        const one = lookUp(n).finally(() => waiting.delete(one));
        waiting.add(one);
      }
    }
    await Promise.all(waiting);
  }

  async function probe(): Promise<void> {
    let isStalled = false;
    for (let n = 0; isRunning(); n += 1) {
      const startedAt = performance.now();
      if ((await sendStatement(sqld.url, `INSERT INTO engine_probe VALUES (${n})`, STALL_MS)) !== undefined) {
        const answeredAt = performance.now();
        probeTimes.push(answeredAt - startedAt);
        acknowledgedAt = answeredAt;
        isStalled = false;
      } else {
        probesFailed += 1;
        const seconds = (performance.now() - begunAt) / 1000;
        if (performance.now() - acknowledgedAt >= STALL_MS && !isStalled) {
          isStalled = true;
          stalls += 1;
          firstStallSeconds ??= (acknowledgedAt - begunAt) / 1000;
          plan.log(
            `stall: no write acknowledged since second ${((acknowledgedAt - begunAt) / 1000).toFixed(0)}`,
          );
        }
        if (performance.now() - acknowledgedAt >= FOR_GOOD_MS) {
          isStalledForGood = true;
          plan.log(
            `no write for ${FOR_GOOD_MS / 1000} s at second ${seconds.toFixed(0)}: it stands still for good`,
          );
        }
      }
      longestGapMs = Math.max(longestGapMs, performance.now() - acknowledgedAt, probeTimes.at(-1) ?? 0);
      await Bun.sleep(Math.max(0, startedAt + PROBE_EVERY_MS - performance.now()));
    }
  }

  async function watch(): Promise<void> {
    const wal = join(sqld.directory, "dbs/default/data-wal");
    let cpu = cpuAtStart;
    let probesSeen = 0;
    for (let tick = 1; isRunning(); tick += 1) {
      await Bun.sleep(1000);
      const walBytes = sizeOf(wal);
      largestWalBytes = Math.max(largestWalBytes, walBytes);
      if (tick % 10 !== 0) continue;
      const cpuNow = readCpuSeconds(sqld.pid());
      lastCores = (cpuNow - cpu) / 10;
      cpu = cpuNow;
      stored = await countReports(sqld.url, stored);
      const recent = probeTimes.slice(probesSeen);
      probesSeen = probeTimes.length;
      plan.log(
        [
          `${tick} s: ${stored} reports`,
          `probes ${recent.length}, worst ${Math.max(0, ...recent).toFixed(0)} ms`,
          `WAL ${(walBytes / 1e6).toFixed(0)} MB`,
          `sqld ${lastCores.toFixed(2)} cores`,
          `load ${loadavg()[0]?.toFixed(1)}`,
        ].join(", "),
      );
    }
  }

  await Promise.all([sendLookups(), probe(), watch()]);
  const seconds = (performance.now() - begunAt) / 1000;
  const meanCores = (readCpuSeconds(sqld.pid()) - cpuAtStart) / seconds;
  // Processes keep a survey until it is stored.
  if (!isStalledForGood) await Bun.sleep(5000);
  stored = await countReports(sqld.url, stored);
  return {
    seconds,
    outcomes,
    lookupMs: summarize(lookupTimes),
    stored,
    probesAcknowledged: probeTimes.length,
    probesFailed,
    probeMs: summarize(probeTimes),
    longestGapMs,
    stalls,
    firstStallSeconds,
    isStalledForGood,
    meanCores,
    lastCores,
    largestWalBytes,
    databaseBytes: sizeOf(join(sqld.directory, "dbs/default/data")),
    serverMemoryBytes: readMemoryBytes(sqld.pid()),
    fleetMemoryBytes: fleet.reduce((sum, service) => sum + readMemoryBytes(service.process.pid), 0),
    ...readCheckpoints(sqld.log()),
    events: countEvents(fleet.map((service) => service.log())),
  };
}

async function countReports(url: string, before: number): Promise<number> {
  const answer = await sendStatement(url, "SELECT count(*) FROM reports", STALL_MS);
  return answer === undefined ? before : Number(answer);
}

function summarize(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { p50: at(0.5), p99: at(0.99), worst: at(1) };
}
