import { createDraw, startService } from "#kit";
import { createTableClassifier } from "#lookup";
import { createLineFormat } from "../../src/http/classify_lines.ts";
import { drawAddress, drawClients, readAnnounced } from "./access_log.ts";
import {
  createBudget,
  describeMachine,
  makeFolder,
  type RunningServer,
  race,
  startServer,
} from "./harness.ts";
import { PEERS, preparePeers } from "./peers/prepare_peers.ts";
import { openShippedTables } from "./tables_evidence.ts";

/** Addresses a second and core over an access log, with the rows. */
const BUDGET = 150_000;

/** The processor time of a GET, divided by that of the peer. */
const GET_BUDGET = 1.1;

const LINES = 1_000_000;
const DIFFERENT = 200_000;
const ROUNDS = 3;
const LOAD_ROUNDS = 5;
const CONNECTIONS = 16;
const GET_ADDRESSES = 4096;

const budget = createBudget();

function openClassifier() {
  return createTableClassifier(openShippedTables(), { limits: { facts: 40_000, addresses: 262_144 } });
}

/** The best of some rounds, each with a classifier that knows nothing. The rows are made too. */
function measure(name: string, addresses: readonly string[]): number {
  let best = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const format = createLineFormat(openClassifier());
    let characters = 0;
    const before = process.threadCpuUsage();
    for (const address of addresses) characters += String(format(address)).length;
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

/** Compares the processor time of a GET with that of the peer, in turns. */
async function compareGet(addresses: readonly string[]): Promise<void> {
  const node = Bun.which("node");
  if (node === null) throw new Error("Cannot compare: no Node");
  const folder = makeFolder("classify");
  const service = await startService({
    env: { LIMPID_LIVE: "0", LIMPID_FEEDS: "0", LIMPID_EXEMPT_CLIENTS: "127.0.0.1", LIMPID_LOG: "warn" },
  });
  let peer: RunningServer | undefined;
  try {
    const { ipv4, ipv6 } = readAnnounced();
    const networks = [...ipv4, ...[...ipv6.values()].flat().sort((a, b) => (a.first < b.first ? -1 : 1))];
    await preparePeers(folder, networks);
    peer = await startServer([node, "serve_fastify.mjs", "./open_maxmind.mjs", folder], { cwd: PEERS });
    const { url } = service;
    const runners = [
      { name: "limpid /api/classify", url, pid: service.process.pid, path: "/api/classify?ip=" },
      { name: "Fastify + maxmind, Node", url: peer.url, pid: peer.pid, path: "/api/lookup?ip=" },
    ].map(({ path, ...runner }) => {
      const paths = addresses.map((address) => path + address);
      return { ...runner, paths: () => paths };
    });
    const raced = await race(runners, { rounds: LOAD_ROUNDS, seconds: 2, connections: CONNECTIONS }, budget);
    for (const [at, { leastUs, best, p99 }] of raced.entries())
      console.log(
        `${runners[at]?.name.padEnd(24)} ${leastUs.toFixed(1)} µs of processor each; ${best}/s; p99 ${p99.toFixed(1)} ms`,
      );
    const ratio = (raced[0]?.leastUs ?? Number.NaN) / (raced[1]?.leastUs ?? Number.NaN);
    console.log(`by the peer: ${ratio.toFixed(2)}, budget ${GET_BUDGET}`);
    budget.check("GET, by the peer", ratio, GET_BUDGET);
  } finally {
    await peer?.stop();
    await service.close();
  }
}

console.log(describeMachine());
const announced = readAnnounced();
const draw = createDraw();
const log = drawClients(LINES, announced, draw);
const rate = measure("access log, one client in five IPv6", log);
budget.check("access log, addresses a second and core", rate, BUDGET, "least");
const different = Array.from({ length: DIFFERENT }, () => drawAddress(announced, draw));
measure("all different, no budget", different);
await compareGet(different.slice(0, GET_ADDRESSES));
budget.end();
