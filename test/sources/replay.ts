import type { Datasets } from "#datasets";
import type { SourceRun } from "#evidence";
import { createClock, openUpstreamClient, readAddress, startDnsServer, startGateway } from "#kit";
import {
  createZoneHealth,
  type RunPorts,
  runSource,
  type Source,
  type SourceSettings,
  upstreamHosts,
} from "#sources";
import { createBreaker, createDailyBudget } from "#upstream";
import type { DnsRecording, Fixture } from "./fixture.ts";
import { openTables } from "./open_tables.ts";

/** The run of a replayed fixture, and the requests that were not recorded. */
export interface Replay {
  readonly run: SourceRun;
  readonly unrecorded: readonly string[];
  /** Recorded HTTP and DNS requests that were never sent. */
  readonly unusedRecordings: readonly string[];
}

/** Settings that allow everything and give a contact. */
export const OPEN_SETTINGS: SourceSettings = {
  live: true,
  allowNoncommercial: true,
  contact: "mailto:ops@example.net",
  off: new Set(),
  secrets: new Map(),
};

/** Ports of a run over these upstreams, with their own breaker, budget and zone states. */
export function createPorts(parts: {
  readonly upstream: RunPorts["upstream"];
  readonly datasets: Datasets;
  readonly settings?: SourceSettings;
  readonly now?: () => number;
}): RunPorts {
  const now = parts.now ?? createClock().now;
  return {
    upstream: parts.upstream,
    datasets: parts.datasets,
    breaker: createBreaker({ now }),
    budget: createDailyBudget({ now, limits: () => undefined }),
    zones: createZoneHealth({ now }),
    settings: parts.settings ?? OPEN_SETTINGS,
    now,
  };
}

/** Replays a fixture through the real runner, HTTP client and resolver, against servers on loopback. */
export async function replay(source: Source, fixture: Omit<Fixture, "about">): Promise<Replay> {
  const address = readAddress(fixture.address);
  const gateway = await startGateway();
  const dns = await startDnsServer();
  const tables = openTables(fixture.tables ?? {});
  try {
    for (const { host, path, status, headers, body, text } of fixture.http ?? []) {
      gateway.on(host, path, {
        ...(status === undefined ? {} : { status }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { json: body }),
        ...(text === undefined ? {} : { text }),
      });
    }
    for (const recording of fixture.dns ?? []) dns.on(recording.name, recording.type, replyOf(recording));
    const client = openUpstreamClient({
      hosts: upstreamHosts([source]),
      gateway: gateway.url,
      dnsServers: [dns.address],
    });
    const survey = new AbortController();
    const session = client.openSession(survey.signal);
    const secrets = new Map(fixture.secret === undefined ? [] : [[source.id, fixture.secret]]);
    const ports = createPorts({
      upstream: session,
      datasets: tables.datasets,
      settings: { ...OPEN_SETTINGS, secrets },
    });
    const result = await runSource(source, address, ports, survey.signal);
    session.close();
    client.close();
    const recorded = new Set((fixture.dns ?? []).map(({ name, type }) => `${type} ${name.toLowerCase()}`));
    const asked = new Set(dns.calls.map(({ name, type }) => `${type} ${name}`));
    return {
      run: result,
      unrecorded: [
        ...gateway.unmatched.map(({ method, host, path }) => `${method} ${host}${path}`),
        ...[...asked].filter((question) => !recorded.has(question)),
      ],
      unusedRecordings: [
        ...(fixture.http ?? [])
          .filter(({ host, path }) => !gateway.callsTo(host).some((call) => call.path.startsWith(path)))
          .map(({ host, path }) => `${host}${path}`),
        ...[...recorded].filter((question) => !asked.has(question)),
      ],
    };
  } finally {
    tables.close();
    await gateway.close();
    await dns.close();
  }
}

function replyOf({ records, rcode }: DnsRecording) {
  if (rcode === "TIMEOUT") return "SILENCE";
  return records ?? rcode ?? "NXDOMAIN";
}
