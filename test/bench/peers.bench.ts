/**
 * Compares a whole report with simpler servers: Fastify or Hono with `maxmind`, which give country and network, or
 * with `ip-location-api`, which gives the country. One run, same addresses, same load, processor time of an answer:
 * `bun test/bench/peers.bench.ts`. Installs the peers into test/bench/peers. Ends with 1 when a budget is broken.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { isBogon, parseAddress } from "#address";
import { createDraw, readToEnd, startService, startUpstreams } from "#kit";
import { type LoadResult, runLoad } from "./load.ts";
import { type NetworkRow, readNetworkRows, writeAsnMmdb } from "./peers/write_asn_mmdb.ts";
import { readCpuMs } from "./read_cpu_ms.ts";

const SECONDS = 1;
const ROUNDS = 4;
const CONNECTIONS = 16;
/** Requested again and again, half of them IPv6: more than the cache of finished replies holds. */
const KNOWN = 4096;
/** Of those, as many as the cache of finished replies holds. */
const KEPT = 1024;
/** More than can be answered in a round, so that none is requested twice. */
const NEW_A_ROUND = 12_000;
const START_MS = 20_000;

/**
 * The processor time of one answer, divided by that of the fastest peer in the same runtime that gives country and
 * network. Floors that a regression breaks even on a noisy machine; the aim for a report in memory is 1.
 */
const BUDGET = { kept: 2.2, atHand: 12, fresh: 400 };

const here = join(import.meta.dir, "peers");
const packages = join(import.meta.dir, "../../node_modules/@ip-location-db");
const failures: string[] = [];
function check(name: string, holds: boolean): void {
  if (!holds) failures.push(name);
}

/** Memory of a process that is its own and in use, MB (proc(5)). */
function readMemoryMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...command], { cwd, stdout: "pipe", stderr: "pipe" });
  const { out, err, code } = await readToEnd(child);
  if (code !== 0) throw new Error(`Cannot run ${command.join(" ")}: ${out}${err}`);
}

/** IPv4 anywhere in unicast space; IPv6 in announced space, because a random address would never be found. */
function drawAddresses(
  count: number,
  draw: (below: number) => number,
  announced: readonly NetworkRow[],
): readonly string[] {
  const addresses: string[] = [];
  while (addresses.length < count) {
    const text = addresses.length % 2 === 0 ? drawVersion4(draw) : drawVersion6(draw, announced);
    const address = parseAddress(text);
    if (address !== undefined && !isBogon(address)) addresses.push(address.text);
  }
  return addresses;
}

function drawVersion4(draw: (below: number) => number): string {
  return [1 + draw(223), draw(256), draw(256), draw(256)].join(".");
}

function drawVersion6(draw: (below: number) => number, announced: readonly NetworkRow[]): string {
  const { first, last } = announced[draw(announced.length)] ?? { first: 0n, last: 0n };
  const random = Array.from({ length: 8 }, () => draw(65_536)).reduce(
    (sum, word) => (sum << 16n) | BigInt(word),
    0n,
  );
  const value = (first + (random % (last - first + 1n))).toString(16).padStart(32, "0");
  return value.replace(/(.{4})(?!$)/g, "$1:");
}

/** A server under load. Paths of a round are new where no path may repeat. */
interface Runner {
  readonly name: string;
  readonly runtime: "Bun" | "Node";
  readonly knowsNetworks: boolean;
  readonly url: string;
  readonly pid: number;
  readonly startMs: number;
  paths(): readonly string[];
  stop(): Promise<void>;
}

async function startPeer(
  name: string,
  runtime: "Bun" | "Node",
  command: readonly string[],
  paths: readonly string[],
): Promise<Runner> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], { cwd: here, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const chunk = await child.stdout.getReader().read();
  clearTimeout(timer);
  const url = new TextDecoder().decode(chunk.value).trim().replace(/\/$/, "");
  if (!URL.canParse(url)) {
    child.kill("SIGKILL");
    throw new Error(`Cannot start ${name}: it said "${url}"`);
  }
  const startMs = performance.now() - startedAt;
  return {
    name,
    runtime,
    knowsNetworks: name.includes("maxmind"),
    url,
    pid: child.pid,
    startMs,
    paths: () => paths,
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function ask(url: string, path: string): Promise<unknown> {
  const response = await fetch(url + path);
  if (response.status !== 200)
    throw new Error(`Cannot ask ${url}${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function askAll(url: string, paths: readonly string[]): Promise<void> {
  const queue = [...paths];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let path = queue.pop(); path !== undefined; path = queue.pop()) await ask(url, path);
    }),
  );
}

async function startLimpid(
  name: string,
  env: Readonly<Record<string, string>>,
  paths: () => readonly string[],
): Promise<Runner> {
  const startedAt = performance.now();
  const service = await startService({ env });
  const { process, url } = service;
  const startMs = performance.now() - startedAt;
  return {
    name,
    runtime: "Bun",
    knowsNetworks: true,
    url,
    pid: process.pid,
    startMs,
    paths,
    stop: () => service.close(),
  };
}

interface Sum {
  readonly runner: Runner;
  /** Least processor time of an answer in a round, µs. */
  leastUs: number;
  best: number;
  p99: number;
}

async function race(runners: readonly Runner[]): Promise<readonly Sum[]> {
  const sums = runners.map(
    (runner): Sum => ({ runner, leastUs: Number.POSITIVE_INFINITY, best: 0, p99: Number.POSITIVE_INFINITY }),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const sum of sums) {
      const { name, url, pid } = sum.runner;
      const paths = sum.runner.paths();
      const before = readCpuMs(pid);
      const result: LoadResult = await runLoad({ url, paths, connections: CONNECTIONS, seconds: SECONDS });
      const answers = result.perSecond * SECONDS;
      check(`${name}: every answer is a 200`, Object.keys(result.statuses).join() === "200");
      if (round === 0) continue;
      sum.leastUs = Math.min(sum.leastUs, ((readCpuMs(pid) - before) * 1000) / answers);
      sum.best = Math.max(sum.best, result.perSecond);
      sum.p99 = Math.min(sum.p99, result.p99);
    }
  }
  return sums;
}

const node = Bun.which("node");
console.log(
  `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, Bun ${Bun.version}, ${node === null ? "no Node" : `Node ${(await Bun.$`${node} --version`.text()).trim()}`}, load ${loadavg()[0]?.toFixed(1)}`,
);
const folder = mkdtempSync(join(tmpdir(), "limpid-peers-"));
const started: Runner[] = [];
const upstreams = await startUpstreams();
try {
  await run([process.execPath, "install", "--frozen-lockfile"], here);
  const announced = readNetworkRows(join(packages, "asn/asn-ipv6-num.csv"), 6);
  const networks = [...readNetworkRows(join(packages, "asn/asn-ipv4-num.csv"), 4), ...announced];
  writeAsnMmdb(join(folder, "asn.mmdb"), networks);
  copyFileSync(join(packages, "dbip-country-mmdb/dbip-country.mmdb"), join(folder, "country.mmdb"));
  await run(
    [
      node ?? process.execPath,
      "build_ip_location_api.mjs",
      folder,
      join(packages, "asn-country/asn-country-ipv4.csv"),
      join(packages, "asn-country/asn-country-ipv6.csv"),
    ],
    here,
  );

  const draw = createDraw(20_261_121);
  const toPath = (address: string) => `/api/lookup?ip=${address}`;
  const known = drawAddresses(KNOWN, draw, announced);
  const knownPaths = known.map(toPath);
  const programs = { Bun: process.execPath, ...(node === null ? {} : { Node: node }) };
  for (const [runtime, program] of Object.entries(programs) as ["Bun" | "Node", string][]) {
    for (const server of ["Hono", "Fastify"]) {
      if (server === "Hono" && runtime === "Node") continue;
      for (const library of ["maxmind", "ip-location-api"]) {
        const files = [`serve_${server.toLowerCase()}.mjs`, `./open_${library.replaceAll("-", "_")}.mjs`];
        started.push(
          await startPeer(
            `${server} + ${library}, ${runtime}`,
            runtime,
            [program, ...files, folder],
            knownPaths,
          ),
        );
      }
    }
  }
  const peers = [...started];

  const keptPaths = knownPaths.slice(0, KEPT);
  const kept = await startLimpid("limpid, reply kept", upstreams.env, () => keptPaths);
  started.push(kept);
  await askAll(kept.url, keptPaths);
  const tables = {
    LIMPID_LIVE: "0",
    LIMPID_FEEDS: "0",
    LIMPID_EXEMPT_CLIENTS: "127.0.0.1",
    LIMPID_LOG: "warn",
  };
  const atHand = await startLimpid("limpid, report in memory", tables, () => knownPaths);
  started.push(atHand);
  await askAll(atHand.url, knownPaths);
  const tablesOnly = await startLimpid("limpid, new address, tables only", tables, () =>
    drawAddresses(NEW_A_ROUND, draw, announced).map(toPath),
  );
  started.push(tablesOnly);

  // A peer must give the same fields from the same tables.
  for (const path of knownPaths.slice(0, 200)) {
    const report = (await ask(tablesOnly.url, path)) as { asn: { asn: number } | null };
    for (const peer of peers.filter(({ knowsNetworks }) => knowsNetworks)) {
      const said = (await ask(peer.url, path)) as { asn: number | null };
      check(`${peer.name} says the network of ${path} as we do`, said.asn === (report.asn?.asn ?? null));
    }
  }
  const size = JSON.stringify(await ask(kept.url, knownPaths[0] ?? "")).length;
  const peerSize = JSON.stringify(await ask(peers[0]?.url ?? "", knownPaths[0] ?? "")).length;
  console.log(
    `${KNOWN} addresses, ${KEPT} of them where replies are kept, half IPv6; a report of ours ${size} characters, a peer's answer ${peerSize}\n`,
  );

  const sums = await race(started);
  for (const { runner, leastUs, best, p99 } of sums) {
    console.log(
      `${runner.name.padEnd(34)} ${leastUs.toFixed(1).padStart(7)} µs of processor each; rate ${String(best).padStart(6)}/s; p99 ${p99.toFixed(1).padStart(5)} ms; start ${runner.startMs.toFixed(0).padStart(4)} ms; memory ${readMemoryMb(runner.pid)} MB`,
    );
  }
  const costOf = (runner: Runner) => sums.find((sum) => sum.runner === runner)?.leastUs ?? Number.NaN;
  const ours = [
    { runner: kept, floor: BUDGET.kept, aim: "1" },
    { runner: atHand, floor: BUDGET.atHand, aim: "1" },
    { runner: tablesOnly, floor: BUDGET.fresh, aim: "none" },
  ];
  console.log("\nprocessor time of ours by theirs: reply kept, report in memory, new address");
  for (const peer of peers) {
    const ratios = ours.map(({ runner }) => (costOf(runner) / costOf(peer)).toFixed(2).padStart(8));
    console.log(`${peer.name.padEnd(34)}${ratios.join("")}`);
  }
  console.log("\nby the leanest in Bun that says country and network");
  const judges = peers.filter(({ runtime, knowsNetworks }) => runtime === "Bun" && knowsNetworks);
  for (const { runner, floor, aim } of ours) {
    const ratio = Math.max(...judges.map((peer) => costOf(runner) / costOf(peer)));
    console.log(`${runner.name.padEnd(34)} ${ratio.toFixed(2).padStart(7)} (aim ${aim}, floor ${floor})`);
    check(`${runner.name}, by the leanest peer`, ratio <= floor);
  }
} finally {
  for (const runner of started) await runner.stop();
  await upstreams.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of new Set(failures)) console.log(`over budget: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
