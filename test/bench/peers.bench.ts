import { join } from "node:path";
import { addressFromWords, isBogon } from "#address";
import { createDraw, startService, startUpstreams } from "#kit";
import { drawWords } from "./access_log.ts";
import {
  ask,
  askAll,
  createBudget,
  describeMachine,
  makeFolder,
  type Runner,
  type RunningServer,
  race,
  readMemoryMb,
  runProgram,
  startServer,
} from "./harness.ts";
import { PEERS, preparePeers, TABLE_PACKAGES } from "./peers/prepare_peers.ts";
import { type NetworkRow, readNetworkRows } from "./peers/write_asn_mmdb.ts";

const SECONDS = 1;
const ROUNDS = 4;
const CONNECTIONS = 16;
/** Requested again and again, half of them IPv6: more than the cache of finished replies holds. */
const KNOWN = 4096;
/** Of those, as many as the cache of finished replies holds. */
const KEPT = 1024;
/** More than can be answered in a round, so that none is requested twice. */
const NEW_A_ROUND = 12_000;

/**
 * The processor time of one answer, divided by that of the fastest peer in the same runtime that gives country and
 * network. Floors that a regression breaks even on a noisy machine; the aim for a report in memory is 1.
 */
const BUDGET = { kept: 2.2, atHand: 12, fresh: 400 };

const budget = createBudget();

/** IPv4 anywhere in unicast space; IPv6 in announced space, because a random address would never be found. */
function drawAddresses(
  count: number,
  draw: (below: number) => number,
  announced: readonly NetworkRow[],
): readonly string[] {
  const addresses: string[] = [];
  while (addresses.length < count) {
    const isIpv6 = addresses.length % 2 === 1;
    const address = isIpv6
      ? addressFromWords(6, drawWords(announced, draw))
      : addressFromWords(4, [(1 + draw(223)) * 2 ** 24 + draw(2 ** 24)]);
    if (!isBogon(address)) addresses.push(address.text);
  }
  return addresses;
}

/** A server, and what is known of it. */
interface Rival extends Runner, RunningServer {
  readonly runtime: "Bun" | "Node";
  readonly knowsNetworks: boolean;
}

async function startLimpid(
  name: string,
  env: Readonly<Record<string, string>>,
  paths: () => readonly string[],
): Promise<Rival> {
  const startedAt = performance.now();
  const service = await startService({ env });
  const { process, url } = service;
  const startMs = performance.now() - startedAt;
  const stop = () => service.close();
  return { name, runtime: "Bun", knowsNetworks: true, url, pid: process.pid, startMs, paths, stop };
}

const node = Bun.which("node");
const version = node === null ? "no Node" : `Node ${(await Bun.$`${node} --version`.text()).trim()}`;
console.log(`${describeMachine()}, ${version}`);
const folder = makeFolder("peers");
const started: Rival[] = [];
const upstreams = await startUpstreams();
try {
  const announced = readNetworkRows(join(TABLE_PACKAGES, "asn/asn-ipv6-num.csv"), 6);
  const ipv4 = readNetworkRows(join(TABLE_PACKAGES, "asn/asn-ipv4-num.csv"), 4);
  await preparePeers(folder, [...ipv4, ...announced]);
  await runProgram(
    [
      node ?? process.execPath,
      "build_ip_location_api.mjs",
      folder,
      join(TABLE_PACKAGES, "asn-country/asn-country-ipv4.csv"),
      join(TABLE_PACKAGES, "asn-country/asn-country-ipv6.csv"),
    ],
    PEERS,
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
        const peer = await startServer([program, ...files, folder], { cwd: PEERS });
        const knowsNetworks = library === "maxmind";
        const name = `${server} + ${library}, ${runtime}`;
        started.push({ ...peer, name, runtime, knowsNetworks, paths: () => knownPaths });
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
    const report = (await ask(tablesOnly.url + path)) as { asn: { asn: number } | null };
    for (const peer of peers.filter(({ knowsNetworks }) => knowsNetworks)) {
      const said = (await ask(peer.url + path)) as { asn: number | null };
      const isSame = said.asn === (report.asn?.asn ?? null);
      budget.require(`${peer.name} says the network of ${path} as we do`, isSame);
    }
  }
  const size = JSON.stringify(await ask(`${kept.url}${knownPaths[0]}`)).length;
  const peerSize = JSON.stringify(await ask(`${peers[0]?.url}${knownPaths[0]}`)).length;
  console.log(
    `${KNOWN} addresses, ${KEPT} of them where replies are kept, half IPv6; a report of ours ${size} characters, a peer's answer ${peerSize}\n`,
  );

  const effort = { rounds: ROUNDS, seconds: SECONDS, connections: CONNECTIONS };
  const raced = new Map((await race(started, effort, budget)).map((one, at) => [started[at], one]));
  for (const [rival, { leastUs, best, p99 }] of raced) {
    if (rival === undefined) continue;
    console.log(
      `${rival.name.padEnd(34)} ${leastUs.toFixed(1).padStart(7)} µs of processor each; rate ${String(best).padStart(6)}/s; p99 ${p99.toFixed(1).padStart(5)} ms; start ${rival.startMs.toFixed(0).padStart(4)} ms; memory ${readMemoryMb(rival.pid)} MB`,
    );
  }
  const costOf = (rival: Rival) => raced.get(rival)?.leastUs ?? Number.NaN;
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
    budget.check(`${runner.name}, by the leanest peer`, ratio, floor);
  }
} finally {
  for (const runner of started) await runner.stop();
  await upstreams.close();
}
budget.end();
