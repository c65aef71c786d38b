/**
 * Measures the judge of `limpid batch --tables-only` and `/api/classify`: addresses a second of one core over an access
 * log, with the lists that ship with the program, and the processor time of a small GET by that of Fastify with
 * `maxmind` on Node: `bun test/bench/classify.bench.ts`. Ends with 1 when a budget is broken.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openDatasets } from "#datasets";
import { FEEDS, openFeeds, openSnapshot, TABLE_FEEDS } from "#feeds";
import { createDraw, readToEnd, startService } from "#kit";
import { createTableClassifier } from "#lookup";
import { createTableSurvey, NO_SETTINGS, SOURCES } from "#sources";
import { createLineFormat } from "../../src/http/classify_lines.ts";
import { drawAddress, drawClients, readAnnounced } from "./access_log.ts";
import { runLoad } from "./load.ts";
import { writeAsnMmdb } from "./peers/write_asn_mmdb.ts";
import { readCpuMs } from "./read_cpu_ms.ts";

/** Addresses a second and core over an access log, with the rows. */
const BUDGET = 150_000;

/** The processor time of a GET, divided by that of the peer. */
const GET_BUDGET = 1;

const LINES = 1_000_000;
const DIFFERENT = 200_000;
const ROUNDS = 3;
const LOAD_ROUNDS = 5;
const CONNECTIONS = 16;
const GET_ADDRESSES = 4096;

const SEED = join(import.meta.dir, "../../seed");
const PEERS = join(import.meta.dir, "peers");
const failures: string[] = [];

function openClassifier() {
  const feeds = openFeeds({
    directory: join(SEED, "none"),
    feeds: FEEDS,
    tables: TABLE_FEEDS,
    snapshot: openSnapshot(SEED),
    now: Date.now,
  });
  const tables = createTableSurvey(SOURCES, {
    datasets: openDatasets({ directory: SEED, feeds }),
    settings: {
      ...NO_SETTINGS,
      off: new Set(FEEDS.filter(({ id }) => feeds.state(id).freshness === "absent").map(({ id }) => id)),
    },
    now: Date.now,
  });
  return createTableClassifier(tables, { limits: { facts: 40_000, addresses: 262_144 } });
}

/** The best of some rounds, each with a classifier that knows nothing. The rows are made too. */
function measure(name: string, addresses: readonly string[]): number {
  let best = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const format = createLineFormat(openClassifier());
    let characters = 0;
    const before = process.threadCpuUsage();
    for (const address of addresses) characters += format(address).length;
    const { user, system } = process.threadCpuUsage(before);
    if (characters < addresses.length * 60) throw new Error(`Cannot measure: ${characters} characters`);
    best = Math.max(best, addresses.length / ((user + system) / 1e6));
  }
  const different = new Set(addresses).size;
  console.log(
    `${name}: ${addresses.length} lines, ${different} different: ${Math.round(best)} a second and core`,
  );
  return best;
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const { out, err, code } = await readToEnd(
    Bun.spawn([...command], { cwd, stdout: "pipe", stderr: "pipe" }),
  );
  if (code !== 0) throw new Error(`Cannot run ${command.join(" ")}: ${out}${err}`);
}

/** Compares the processor time of a GET with that of the peer, in turns. */
async function compareGet(addresses: readonly string[]): Promise<void> {
  const node = Bun.which("node");
  if (node === null) throw new Error("Cannot compare: no Node");
  const folder = mkdtempSync(join(tmpdir(), "limpid-classify-"));
  const service = await startService({
    env: { LIMPID_LIVE: "0", LIMPID_FEEDS: "0", LIMPID_EXEMPT_CLIENTS: "127.0.0.1", LIMPID_LOG: "warn" },
  });
  let peer: Bun.Subprocess<"ignore", "pipe", "inherit"> | undefined;
  try {
    await run([process.execPath, "install", "--frozen-lockfile"], PEERS);
    const { ipv4, ipv6 } = readAnnounced();
    writeAsnMmdb(join(folder, "asn.mmdb"), [
      ...ipv4,
      ...[...ipv6.values()].flat().sort((a, b) => (a.first < b.first ? -1 : 1)),
    ]);
    const packages = join(import.meta.dir, "../../node_modules/@ip-location-db");
    copyFileSync(join(packages, "dbip-country-mmdb/dbip-country.mmdb"), join(folder, "country.mmdb"));
    peer = Bun.spawn([node, "serve_fastify.mjs", "./open_maxmind.mjs", folder], {
      cwd: PEERS,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const chunk = await peer.stdout.getReader().read();
    const peerUrl = new TextDecoder().decode(chunk.value).trim().replace(/\/$/, "");
    const runners = [
      {
        name: "limpid /api/classify",
        url: service.url,
        pid: service.process.pid,
        path: "/api/classify?ip=",
        us: Number.POSITIVE_INFINITY,
        p99: Number.POSITIVE_INFINITY,
        rate: 0,
      },
      {
        name: "Fastify + maxmind, Node",
        url: peerUrl,
        pid: peer.pid,
        path: "/api/lookup?ip=",
        us: Number.POSITIVE_INFINITY,
        p99: Number.POSITIVE_INFINITY,
        rate: 0,
      },
    ];
    for (let round = 0; round <= LOAD_ROUNDS; round += 1) {
      for (const runner of runners) {
        const paths = addresses.map((address) => runner.path + address);
        const before = readCpuMs(runner.pid);
        const result = await runLoad({ url: runner.url, paths, connections: CONNECTIONS, seconds: 2 });
        if (Object.keys(result.statuses).join() !== "200")
          throw new Error(`Cannot compare: ${JSON.stringify(result.statuses)}`);
        if (round === 0) continue;
        runner.us = Math.min(runner.us, ((readCpuMs(runner.pid) - before) * 1000) / (result.perSecond * 2));
        runner.p99 = Math.min(runner.p99, result.p99);
        runner.rate = Math.max(runner.rate, result.perSecond);
      }
    }
    for (const { name, us, p99, rate } of runners)
      console.log(
        `${name.padEnd(24)} ${us.toFixed(1)} µs of processor each; ${rate}/s; p99 ${p99.toFixed(1)} ms`,
      );
    const ratio = (runners[0]?.us ?? Number.NaN) / (runners[1]?.us ?? Number.NaN);
    console.log(`by the peer: ${ratio.toFixed(2)}, budget ${GET_BUDGET}`);
    if (!(ratio <= GET_BUDGET)) failures.push(`GET: ${ratio.toFixed(2)} of the peer`);
  } finally {
    peer?.kill("SIGKILL");
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

console.log(`${cpus()[0]?.model}, Bun ${Bun.version}, load ${loadavg()[0]?.toFixed(1)}`);
const announced = readAnnounced();
const draw = createDraw();
const log = drawClients(LINES, announced, draw);
const rate = measure("access log, one client in five IPv6", log);
if (rate < BUDGET) failures.push(`access log: ${Math.round(rate)} of ${BUDGET}`);
const different = Array.from({ length: DIFFERENT }, () => drawAddress(announced, draw));
measure("all different, no budget", different);
await compareGet(different.slice(0, GET_ADDRESSES));
for (const failure of failures) console.log(`over budget: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
