import { type RunningService, startService, startUpstreams, type TestUpstreams } from "#kit";

/** A real `limpid serve` with upstreams on loopback, and lookups of it. */
export interface ServiceSetup {
  readonly upstreams: TestUpstreams;
  start(env?: Readonly<Record<string, string>>): Promise<RunningService>;
  close(): Promise<void>;
}

export async function openServiceSetup(dataDirectory: string): Promise<ServiceSetup> {
  const upstreams = await startUpstreams();
  const running: RunningService[] = [];
  return {
    upstreams,
    async start(env = {}) {
      const service = await startService({ env: { ...upstreams.env, ...env }, dataDirectory });
      running.push(service);
      return service;
    },
    async close() {
      for (const service of running) await service.close();
      await upstreams.close();
    },
  };
}

/** The fields of a lookup that the durability proof compares. */
export interface Looked {
  readonly status: number;
  readonly source: string;
  readonly ip: string;
  readonly surveyedAt: string;
}

export async function lookUp(service: RunningService, ip: string): Promise<Looked> {
  const response = await fetch(`${service.url}/api/lookup?ip=${ip}&lang=en`);
  const body = (await response.json()) as Record<string, unknown>;
  return {
    status: response.status,
    source: String(body.source),
    ip: String(body.ip),
    surveyedAt: String(body.queriedAt),
  };
}

/** The `n`-th address; no proof requests one twice. */
export function addressAt(n: number): string {
  return `8.${10 + Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`;
}
