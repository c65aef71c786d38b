import { createUpstreamClient, type UpstreamClient } from "#upstream";

type UpstreamClientOptions = Parameters<typeof createUpstreamClient>[0];

/** Opens a client with the usual values of a test: no host is allowed, eight requests at a time, the real time. */
export function openUpstreamClient(options: Partial<UpstreamClientOptions>): UpstreamClient {
  return createUpstreamClient({
    hosts: [],
    userAgent: "limpid-test",
    poolSize: 8,
    now: Date.now,
    ...options,
  });
}
