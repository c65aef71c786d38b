import type { SourceRun } from "#evidence";
import {
  type DnsReply,
  type DnsResponder,
  type DnsServer,
  type GatewayServer,
  openUpstreamClient,
  type Reply,
  readAddress,
  startDnsServer,
  startGateway,
} from "#kit";
import { surveyAddress } from "#lookup";
import {
  createZoneHealth,
  type RunPorts,
  SOURCES,
  type Source,
  type SourceSettings,
  upstreamHosts,
  ZONES,
  type ZoneCode,
} from "#sources";
import { createBreaker, createDailyBudget, type UpstreamClient } from "#upstream";
import { readSourceFixtures } from "../../sources/fixture.ts";
import { openTables } from "../../sources/open_tables.ts";

/** The address of all fixtures. */
export const ADDRESS = readAddress("203.0.113.7");
const REVERSE = "7.113.0.203";
const SECRET = "0123456789abcdefTEST";

/** A survey's questions under way, as many as may be set, so that no turn is waited for; and its usual deadline. */
export const POOL = 64;
export const SURVEY_MS = 4_000;

/** Every source that uses the network, also those that are replaced when a better source has its key. */
export const LIVE: readonly Source[] = SOURCES.filter(
  ({ local, versions }) => local !== true && versions.includes(ADDRESS.version),
).map(({ replacedBy: _, ...source }) => source);
export const OVER_HTTP = LIVE.filter((source) => (source.hosts ?? []).length > 0);
export const OVER_DNS = LIVE.filter((source) => (source.hosts ?? []).length === 0);

/** Sources that query DNS, and the pattern of their query. */
const DNS_QUESTIONS = new Map<string, RegExp>([
  ["team_cymru", /\.origin\.asn\.cymru\.com$/],
  ["tor_dnsel", /\.dnsel\.torproject\.org$/],
  ["reverse_dns", new RegExp(`^${REVERSE.replaceAll(".", "\\.")}\\.in-addr\\.arpa$`)],
]);
const DNS_TYPES = new Map([
  ["team_cymru", "TXT"],
  ["reverse_dns", "PTR"],
] as const);

const SETTINGS: SourceSettings = {
  live: true,
  allowNoncommercial: true,
  contact: "mailto:ops@example.net",
  off: new Set(),
  secrets: new Map(LIVE.filter(({ secret }) => secret !== undefined).map(({ id }) => [id, SECRET])),
};

/** Every live source on loopback. All work and report something bad about the address; faults replace their answers. */
export interface FaultSetup {
  readonly gateway: GatewayServer;
  readonly dns: DnsServer;
  readonly upstreamClient: UpstreamClient;
  /** The good answer of each host, and the good answer to each DNS source, by its id. */
  readonly wellHttp: ReadonlyMap<string, Reply>;
  readonly wellDns: ReadonlyMap<string, DnsReply>;
  /** Asks these sources once about the one address. Uses the memory of breaker and zones in `ports`, else a new one. */
  survey(sources: readonly Source[], ports?: Memory): Promise<readonly SourceRun[]>;
  close(): Promise<void>;
}

/** The memory between surveys. */
export type Memory = Pick<RunPorts, "breaker" | "zones" | "now">;

export function createMemory(now: () => number = Date.now): Memory {
  return { breaker: createBreaker({ now }), zones: createZoneHealth({ now }), now };
}

/** Opens a {@link FaultSetup}. `gatewayUrl` sends HTTP questions elsewhere. */
export async function openFaultSetup(
  options: {
    readonly gatewayUrl?: string;
    readonly dnsAddress?: string;
    readonly poolSize?: number;
    readonly surveyMs?: number;
  } = {},
): Promise<FaultSetup> {
  const gateway = await startGateway();
  const dns = await startDnsServer();
  const tables = openTables({});
  const { wellHttp, wellDns } = answerWell(gateway, dns);
  const upstreamClient = openUpstreamClient({
    hosts: upstreamHosts(LIVE),
    gateway: options.gatewayUrl ?? gateway.url,
    dnsServers: [options.dnsAddress ?? dns.address],
    poolSize: options.poolSize ?? POOL,
  });
  return {
    gateway,
    dns,
    upstreamClient,
    wellHttp,
    wellDns,
    async survey(sources, memory = createMemory()) {
      const { runs } = await surveyAddress(ADDRESS, {
        sources,
        openSession: (signal) => upstreamClient.openSession(signal),
        ports: {
          ...memory,
          datasets: tables.datasets,
          budget: createDailyBudget({ now: memory.now, limits: () => undefined }),
          settings: SETTINGS,
        },
        deadlineMs: options.surveyMs ?? SURVEY_MS,
        askAll: true,
      });
      return runs;
    },
    async close() {
      upstreamClient.close();
      tables.close();
      await gateway.close();
      await dns.close();
    },
  };
}

/** The recorded answers: of HTTP sources the richest, of lists their first listing. */
function answerWell(gateway: GatewayServer, dns: DnsServer) {
  const folders = readSourceFixtures();
  const wellHttp = new Map<string, Reply>();
  const wellDns = new Map<string, DnsReply>();
  for (const source of LIVE) {
    const cases = folders.get(source.id);
    if (cases === undefined) continue;
    const answered = [cases.get("hit"), cases.get("clean"), ...cases.values()].filter(
      (one) => one?.expect.state === "answered" && one.address === ADDRESS.text,
    );
    const fixture = answered[0];
    if (fixture === undefined)
      throw new Error(`Cannot find a fixture of "${source.id}" that is answered about ${ADDRESS.text}`);
    for (const { host, status, headers, body, text } of fixture.http ?? []) {
      const reply: Reply = {
        ...(status === undefined ? {} : { status }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { json: body }),
        ...(text === undefined ? {} : { text }),
      };
      wellHttp.set(host, reply);
      gateway.on(host, /^/, reply);
    }
    for (const { name, type, records = [] } of fixture.dns ?? []) {
      if (!wellDns.has(source.id)) wellDns.set(source.id, records);
      dns.on(name, type, records);
    }
  }
  for (const zone of ZONES.filter(({ id }) => LIVE.some((source) => source.id === id))) {
    const codes: Readonly<Record<string, ZoneCode>> = zone.codes;
    const listing = Object.keys(codes).find((code) => codes[code]?.listed !== false);
    const reply: DnsReply = [listing ?? "127.0.0.2"];
    wellDns.set(zone.id, reply);
    dns.on(zonePattern(zone.id), "A", reply);
    dns.on(new RegExp(`^2\\.0\\.0\\.127\\.${suffixOf(zone.id)}$`), "A", ["127.0.0.2"]);
    dns.on(new RegExp(`^1\\.0\\.0\\.127\\.${suffixOf(zone.id)}$`), "A", "NXDOMAIN");
  }
  return { wellHttp, wellDns };
}

/** Replaces the answers of some hosts by a fault, which is made from the good answer of the host. */
export function breakHttp(
  { gateway, wellHttp }: FaultSetup,
  hosts: readonly string[],
  fault: (well: Reply) => Reply,
): void {
  for (const host of hosts) {
    const well = wellHttp.get(host);
    if (well !== undefined) gateway.on(host, /^/, fault(well));
  }
}

/** Replaces the answers to the query of a DNS source by a fault, and those of its self-test unless `isHalf`. */
export function breakDns({ dns }: FaultSetup, source: Source, responder: DnsResponder, isHalf = false): void {
  dns.on(DNS_QUESTIONS.get(source.id) ?? zonePattern(source.id), typeOf(source), responder);
  if (isHalf || source.selfTest === undefined) return;
  dns.on(new RegExp(`^[12]\\.0\\.0\\.127\\.${suffixOf(source.id)}$`), "A", responder);
}

/** The record type of a DNS source's question. */
export function typeOf({ id }: Source): "A" | "TXT" | "PTR" {
  const types: ReadonlyMap<string, "TXT" | "PTR"> = DNS_TYPES;
  return types.get(id) ?? "A";
}

/** Every name that is asked of a zone about the address. */
function zonePattern(id: string): RegExp {
  return new RegExp(`^${REVERSE.replaceAll(".", "\\.")}\\.${suffixOf(id)}$`);
}

function suffixOf(id: string): string {
  const zone = ZONES.find((one) => one.id === id);
  const name = zone?.names[4]?.replace("{key}", SECRET.toLowerCase());
  if (name === undefined) throw new Error(`Cannot break zone "${id}": it has no IPv4 name`);
  return name.replaceAll(".", "\\.");
}
