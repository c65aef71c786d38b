import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIGRATIONS, type RunningService, type Sqld, setUp, startSqld } from "#kit";
import { openStore } from "#store";
import { type Relay, startRelay } from "./fleet/relay.ts";
import { canMount, makeSmallDisk, type SmallDisk } from "./fleet/small_disk.ts";
import { ask, describeSeen, type Seen, startTraffic, type Traffic } from "./fleet/traffic.ts";

/**
 * Two full processes and two mirrors on one libSQL server, each with its own connection, get
 * requests without a pause while one part after another fails. `PROOF=full` plays every fault, for longer;
 * `SHOW=1` prints the table.
 */
const isLong = Bun.env.PROOF === "full";
const FAULT_MS = isLong ? 10_000 : 2500;
const STOP_MS = isLong ? 15_000 : 5000;
const PER_SECOND = 20;
const KNOWN = 40;
const DISK_MB = isLong ? 128 : undefined;
const TOKEN = "a-token-of-the-metrics";
/** A busy machine needs more time than the processes, and a mirror makes a new copy at most once a minute. */
const RECOVERY_MS = isLong ? 100_000 : 30_000;

const NAMES = ["A", "B", "mirror 1", "mirror 2"] as const;
type Name = (typeof NAMES)[number];

interface Part {
  readonly disk: SmallDisk;
  readonly folder: string;
  readonly wire: Relay;
  service?: RunningService;
}

const setup = setUp("all", { delayMs: () => 20 });
let sqld: Sqld;
let sqldDisk: SmallDisk;
let traffic: Traffic;
const parts = new Map<Name, Part>();
const rows: string[] = [];
let nextUnknown = 0;
let nextClient = 0;

function partOf(name: Name): Part {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`Cannot find part "${name}"`);
  return part;
}

async function start(name: Name): Promise<void> {
  const part = partOf(name);
  const isMirror = name.startsWith("mirror");
  part.service = await setup.start(
    {
      LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
      LIMPID_EXEMPT_CLIENTS: "192.0.2.0/24",
      LIMPID_METRICS_TOKEN: TOKEN,
      LIMPID_LOG: "info",
      ...(isMirror
        ? { LIMPID_MIRROR_OF: part.wire.url, LIMPID_SYNC_SECONDS: "1" }
        : {
            LIMPID_DATABASE_URL: part.wire.url,
            LIMPID_SECRET: "one-secret-of-the-whole-fleet",
            LIMPID_OPEN_PER_MINUTE: "100000",
            LIMPID_OPEN_DAILY_TOTAL: "100000",
            LIMPID_NEW_PER_MINUTE: "1000",
            LIMPID_LOOKUPS_PER_MINUTE: "1000",
            // Fewer than the requested addresses, so that the database is always in use.
            LIMPID_CACHE_ENTRIES: "20",
          }),
    },
    { dataDirectory: part.folder },
  );
}

async function restart(name: Name): Promise<void> {
  await partOf(name).service?.stop("SIGKILL");
  await start(name);
}

const knownAddress = (n: number) => `8.9.0.${(n % KNOWN) + 1}`;

function unknownAddress(): string {
  nextUnknown += 1;
  return `8.10.${nextUnknown >> 8}.${nextUnknown & 255}`;
}

/** Waits until there is no problem left. */
async function untilNone(findProblem: () => Promise<string | undefined>, what: string): Promise<void> {
  const end = performance.now() + RECOVERY_MS;
  for (;;) {
    const problem = await findProblem().catch(String);
    if (problem === undefined) return;
    if (performance.now() > end) {
      const logs = NAMES.map((name) => `${name}: ${partOf(name).service?.log().slice(-1500)}`);
      throw new Error(`not in time: ${what}: ${problem}\n${logs.join("\n")}`);
    }
    await Bun.sleep(50);
  }
}

async function readMetrics(name: Name): Promise<(metric: string) => string | undefined> {
  const response = await fetch(`${partOf(name).service?.url}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    signal: AbortSignal.timeout(2000),
  });
  const text = await response.text();
  return (metric) => new RegExp(`^${metric} (\\S+)$`, "m").exec(text)?.[1];
}

/** The normal state: the database readable and writable, limits counted in common, mirrors current. */
async function findIllness(name: Name): Promise<string | undefined> {
  const ready = await fetch(`${partOf(name).service?.url}/readyz`, { signal: AbortSignal.timeout(3000) });
  const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean }> };
  const bad = Object.keys(checks).filter((check) => checks[check]?.ok !== true);
  if (bad.length > 0) return `/readyz says ${bad.join(", ")}`;
  if (name.startsWith("mirror")) return undefined;
  const read = await readMetrics(name);
  const wanted = { limpid_store_up: "1", limpid_allowance_counted: "1", limpid_unsaved_surveys: "0" };
  for (const [metric, value] of Object.entries(wanted)) {
    if (read(metric) !== value) return `${metric} is ${read(metric)}`;
  }
  return undefined;
}

function untilWell(name: Name, when: string): Promise<void> {
  return untilNone(() => findIllness(name), `${name} ${when}`);
}

/** Five a day for one client over both processes, with parallel requests. */
async function expectExactLimits(): Promise<void> {
  nextClient += 1;
  const client = `198.51.100.${nextClient}`;
  const seen = await Promise.all(
    Array.from({ length: 10 }, (_, n) => {
      const name = n % 2 === 0 ? "A" : "B";
      return ask(partOf(name).service, name, unknownAddress(), client);
    }),
  );
  expect(describeSeen(seen).counts).toEqual({ "200": 5, "403 verification_required": 5 });
}

interface Fault {
  readonly of: string;
  readonly name: string;
  /** Also played in the short run. */
  readonly isShort?: true;
  /** This machine cannot cause it. */
  readonly isSkipped?: boolean;
  /** Which callers may get something other than a report during the fault, and what. */
  readonly hit?: Name;
  readonly seen?: readonly string[];
  readonly begin: () => Promise<unknown> | unknown;
  readonly lastsMs: number;
  readonly end: () => Promise<unknown> | unknown;
}

function cut(names: readonly Name[], how: "refuse" | "swallow"): Pick<Fault, "begin" | "end" | "lastsMs"> {
  return {
    begin: () => Promise.all(names.map((name) => partOf(name).wire[how]())),
    lastsMs: FAULT_MS,
    end: () => Promise.all(names.map((name) => partOf(name).wire.pass())),
  };
}

function breakProcess(name: Name): readonly Fault[] {
  const kill = (signal: "SIGSTOP" | "SIGCONT") => partOf(name).service?.process.kill(signal);
  return [
    {
      of: name,
      name: "kill -9, restarted",
      isShort: true,
      hit: name,
      begin: () => partOf(name).service?.stop("SIGKILL"),
      lastsMs: FAULT_MS / 2,
      end: () => start(name),
    },
    {
      of: name,
      name: `SIGSTOP ${STOP_MS / 1000} s`,
      hit: name,
      begin: () => kill("SIGSTOP"),
      lastsMs: STOP_MS,
      end: () => kill("SIGCONT"),
    },
    { of: name, name: "its way to the database refuses", ...cut([name], "refuse") },
    { of: name, name: "its way to the database swallows everything", ...cut([name], "swallow") },
  ];
}

/** Overwrites pieces of every large file in a folder, at the start of a page or in its middle. */
function spoil(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, path);
    if (!statSync(file).isFile() || statSync(file).size < 16_384 || file.endsWith("-shm")) continue;
    const handle = openSync(file, "r+");
    for (let at = 4096; at < statSync(file).size; at += 11_003) {
      writeSync(handle, Buffer.alloc(3000, 0x5a), 0, 3000, at);
    }
    closeSync(handle);
  }
}

function spoilAndRestart(name: Name, copy: string): Pick<Fault, "begin" | "end" | "lastsMs" | "hit"> {
  return {
    hit: name,
    async begin() {
      await partOf(name).service?.stop("SIGKILL");
      spoil(join(partOf(name).folder, copy));
    },
    lastsMs: 100,
    end: () => start(name),
  };
}

function loseFolder(name: Name): Fault {
  return {
    of: name,
    name: "data folder gone, restarted without it",
    hit: name,
    // The mirror has no copy until it has made one.
    ...(name.startsWith("mirror") ? { seen: ["503 overloaded"] } : {}),
    begin: () => rmSync(partOf(name).folder, { recursive: true }),
    lastsMs: FAULT_MS,
    end: () => restart(name),
  };
}

function fillDisk(of: "sqld" | Name): Fault {
  const diskOf = () => (of === "sqld" ? sqldDisk : partOf(of).disk);
  return {
    of,
    name: "disk full",
    isSkipped: !canMount(),
    begin: () => diskOf().fill(),
    lastsMs: FAULT_MS,
    end: () => diskOf().free(),
  };
}

let saved: string;

const FAULTS: readonly Fault[] = [
  {
    of: "sqld",
    name: "kill -9, restarted",
    isShort: true,
    begin: () => sqld.kill(),
    lastsMs: FAULT_MS,
    end: () => sqld.restart(),
  },
  {
    of: "sqld",
    name: `SIGSTOP ${STOP_MS / 1000} s`,
    isShort: true,
    begin: () => sqld.pause(),
    lastsMs: STOP_MS,
    end: () => sqld.resume(),
  },
  { of: "sqld", name: "refuses everybody", isShort: true, ...cut(NAMES, "refuse") },
  { of: "sqld", name: "swallows everything", ...cut(NAMES, "swallow") },
  { of: "sqld", name: "restarted at once", begin: () => sqld.restart(), lastsMs: 500, end: () => {} },
  {
    of: "sqld",
    name: "disk spoilt, brought back from a copy",
    async begin() {
      await sqld.kill();
      saved = mkdtempSync(join(tmpdir(), "limpid-saved-"));
      cpSync(sqld.directory, saved, { recursive: true });
      spoil(sqld.directory);
      // It may refuse to start with the damaged files.
      await sqld.restart().catch(() => {});
    },
    lastsMs: FAULT_MS,
    async end() {
      await sqld.kill();
      rmSync(sqld.directory, { recursive: true });
      cpSync(saved, sqld.directory, { recursive: true });
      rmSync(saved, { recursive: true });
      await sqld.restart();
    },
  },
  fillDisk("sqld"),
  ...breakProcess("A"),
  loseFolder("A"),
  fillDisk("B"),
  ...breakProcess("mirror 1"),
  {
    of: "mirror 1",
    name: "copy spoilt while it is served",
    isShort: true,
    hit: "mirror 1",
    begin: () => spoil(join(partOf("mirror 1").folder, "mirror")),
    lastsMs: FAULT_MS,
    end: () => {},
  },
  {
    of: "mirror 1",
    name: "kill -9 while its copy is spoilt, restarted",
    ...spoilAndRestart("mirror 1", "mirror"),
  },
  fillDisk("mirror 1"),
  loseFolder("mirror 1"),
];

beforeAll(async () => {
  // Different addresses have different answers.
  setup.upstreams.gateway.on("api.stopforumspam.org", /ip=[\d.]*[13579](?:&|$)/, (call) => ({
    delayMs: 20,
    json: {
      success: 1,
      ip: {
        value: new URLSearchParams(call.path.split("?")[1]).get("ip"),
        lastseen: new Date().toISOString().slice(0, 19).replace("T", " "),
        frequency: 255,
        appears: 1,
        confidence: 99,
      },
    },
  }));
  sqldDisk = makeSmallDisk(DISK_MB);
  sqld = await startSqld({ directory: sqldDisk.folder });
  for (const name of NAMES) {
    const disk = makeSmallDisk(DISK_MB);
    parts.set(name, { disk, folder: disk.folder, wire: await startRelay(sqld.url) });
  }
  await Promise.all(NAMES.map(start));
  for (let n = 0; n < KNOWN; n += 4) {
    const asking = [0, 1, 2, 3].map((k) =>
      ask(partOf(k % 2 === 0 ? "A" : "B").service, "A", knownAddress(n + k)),
    );
    for (const { outcome } of await Promise.all(asking)) expect(outcome).toBe("200");
  }
  for (const name of NAMES) {
    await untilWell(name, "at the start");
    await untilNone(async () => {
      const { outcome } = await ask(partOf(name).service, name, knownAddress(KNOWN - 1));
      return outcome === "200" ? undefined : outcome;
    }, `${name} holds everything`);
  }
  const targets = Object.fromEntries(NAMES.map((name) => [name, () => partOf(name).service]));
  // Of twenty a second: four for new addresses, eight to full processes for known ones, eight to mirrors.
  traffic = startTraffic(targets, PER_SECOND, (turn) => {
    const at = NAMES[(turn % 5 < 3 ? 0 : 2) + (turn & 1)] ?? "A";
    const isUnknown = turn % 10 === 0 || turn % 10 === 5;
    return { at, ip: isUnknown ? unknownAddress() : knownAddress(turn * 7) };
  });
}, 60_000);

afterAll(async () => {
  await traffic?.stop();
  for (const { service, wire, disk } of parts.values()) {
    await service?.close();
    await wire.close();
    disk.close();
  }
  await sqld?.close();
  sqldDisk?.close();
  if (isLong) {
    const times = "p50 / p99 / worst, ms";
    const head = `| fault of | fault | A: seen | ${times} | B: seen | ${times} | mirrors: seen | ${times} | well again |`;
    console.log(`${[head, `|${"---|".repeat(9)}`, ...rows].join("\n")}\n`);
  }
});

function describeColumn(seen: readonly Seen[]): string {
  const { counts, p50, p99, worst } = describeSeen(seen);
  const list = Object.entries(counts).map(([outcome, count]) => `${count} × ${outcome}`);
  return `${list.join(", ")} | ${p50} / ${p99} / ${worst}`;
}

const isMirror = ({ at }: Seen) => at.startsWith("mirror");

function note(of: string, name: string, seen: readonly Seen[], recovered: string): void {
  const columns = [({ at }: Seen) => at === "A", ({ at }: Seen) => at === "B", isMirror].map((isOf) =>
    describeColumn(seen.filter(isOf)),
  );
  rows.push(`| ${of} | ${name} | ${columns.join(" | ")} | ${recovered} |`);
}

describe("two full processes and two mirrors under load", () => {
  test("answer everything while all is well", async () => {
    const seen = await traffic.during(() => Bun.sleep(isLong ? 5000 : 2000));
    note("", "none", seen, "");
    expect(Object.keys(describeSeen(seen).counts)).toEqual(["200"]);
    await expectExactLimits();
  }, 30_000);

  for (const fault of FAULTS) {
    if (!isLong && fault.isShort !== true) continue;
    test.skipIf(fault.isSkipped === true)(
      `${fault.of}: ${fault.name}`,
      async () => {
        let recoveryMs = Number.NaN;
        const seen = await traffic.during(async () => {
          await fault.begin();
          await Bun.sleep(fault.lastsMs);
          await fault.end();
          const endedAt = performance.now();
          for (const name of NAMES) await untilWell(name, `after ${fault.name}`);
          recoveryMs = performance.now() - endedAt;
        });
        note(fault.of, fault.name, seen, `${(recoveryMs / 1000).toFixed(1)} s`);
        const others = seen.filter(({ at }) => at !== fault.hit);
        expect(Object.keys(describeSeen(others).counts)).toEqual(["200"]);
        // Mirrors never wait; a full process waits once for a silent database.
        expect(describeSeen(others.filter(isMirror)).p99).toBeLessThan(3000);
        expect(describeSeen(others).p99).toBeLessThan(10_000);
        const struck = describeSeen(seen.filter(({ at }) => at === fault.hit)).counts;
        for (const outcome of Object.keys(struck)) {
          expect(["200", "no connection", "503 overloaded", ...(fault.seen ?? [])]).toContain(outcome);
        }
        await expectExactLimits();
      },
      180_000,
    );
  }

  test("have answered nothing wrong, and lost nothing that was surveyed", async () => {
    await traffic.stop();
    for (const name of NAMES) await untilWell(name, "at the end");
    const reports = traffic.all.flatMap(({ ip, report }) => (report === undefined ? [] : [{ ip, report }]));
    const purities = new Map<string, number>();
    const wrong: string[] = [];
    for (const { ip, report } of reports) {
      if (report.ip !== ip) wrong.push(`${ip} was answered with ${report.ip}`);
      const survey = `${report.ip} at ${report.surveyedAt}`;
      const before = purities.get(survey);
      if (before !== undefined && before !== report.purity)
        wrong.push(`${survey} had ${before} and then ${report.purity}`);
      purities.set(survey, report.purity);
    }
    expect(wrong).toEqual([]);
    const store = await openStore({ url: sqld.url, migrations: MIGRATIONS });
    const lost: string[] = [];
    let fresh = 0;
    for (const { ip, report } of reports) {
      if (report.source !== "fresh") continue;
      fresh += 1;
      const stored = await store.find(ip);
      const kept = (await store.history(ip)).find(({ surveyedAt }) => surveyedAt === report.surveyedAt);
      if (stored === undefined || (kept === undefined && stored.surveyedAt < report.surveyedAt))
        lost.push(`${ip} at ${report.surveyedAt}`);
      if (kept !== undefined && kept.purity !== report.purity)
        wrong.push(`${ip} was answered ${report.purity} and kept as ${kept.purity}`);
    }
    await store.close();
    expect(lost).toEqual([]);
    expect(wrong).toEqual([]);
    expect(fresh).toBeGreaterThan(20);
    expect(new Set(purities.values()).size).toBeGreaterThan(1);
    rows.push(
      `| all | ${traffic.all.length} answers, ${fresh} surveys, none lost, none wrong | | | | | | | |`,
    );
  }, 180_000);
});
