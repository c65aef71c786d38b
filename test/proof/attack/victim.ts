/** Secrets of the attacked process; no output may contain one of them. */
export const SECRETS = {
  LIMPID_SECRET: "attack-proof-secret-0123456789abcdef",
  LIMPID_METRICS_TOKEN: "attack-proof-metrics-token-42",
  LIMPID_PROXYCHECK_KEY: "attackproofkeyproxycheck",
  LIMPID_ABUSEIPDB_KEY: "attackproofkeyabuseipdb",
} as const;

/** The public origin it is told to have. */
export const ORIGIN = "https://limpid.test";

/** Its environment, beside its upstreams. */
export const VICTIM = { ...SECRETS, LIMPID_BASE_URL: ORIGIN, LIMPID_LOG: "debug" } as const;
