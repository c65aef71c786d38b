import { type RunningService, startService, startUpstreams, type TestUpstreams } from "#kit";

/** Secrets of the process; no output may contain one of them. */
export const SECRETS = {
  LIMPID_SECRET: "attack-proof-secret-0123456789abcdef",
  LIMPID_METRICS_TOKEN: "attack-proof-metrics-token-42",
  LIMPID_PROXYCHECK_KEY: "attackproofkeyproxycheck",
  LIMPID_ABUSEIPDB_KEY: "attackproofkeyabuseipdb",
} as const;

/** The public origin it is told to have. */
export const ORIGIN = "https://limpid.test";

/** A running service with its own local upstreams. */
export interface Victim extends RunningService {
  readonly port: number;
  readonly upstreams: TestUpstreams;
}

/** Starts a process whose loopback clients are trusted proxies, so that tests may come from anywhere. */
export async function openVictim(
  env: Readonly<Record<string, string>> = {},
  upstreams?: TestUpstreams,
  dataDirectory?: string,
): Promise<Victim> {
  const upstream = upstreams ?? (await startUpstreams());
  const service = await startService({
    env: {
      ...upstream.env,
      ...SECRETS,
      LIMPID_BASE_URL: ORIGIN,
      LIMPID_LOG: "debug",
      ...env,
    },
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
  return {
    ...service,
    log: service.log,
    port: Number(new URL(service.url).port),
    upstreams: upstream,
    async close() {
      await service.close();
      if (upstreams === undefined) await upstream.close();
    },
  };
}
