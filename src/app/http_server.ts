import { type Prefix, parseAddress } from "#address";
import type { Config } from "#config";
import { createApp, type HttpContext } from "#http";
import { describeMethod } from "#scoring";
import { DELIST_URLS, SOURCES } from "#sources";
import { EXIT, ExitError } from "./exit_codes.ts";
import { type AppContext, readStatic } from "./files.ts";
import { planMemory, watchMemory } from "./memory.ts";
import { createPngPainter } from "./png_painter.ts";
import { repeat } from "./timers.ts";

/** Shorter than Bun's maximum, longer than the longest survey. */
const IDLE_TIMEOUT_SECONDS = 30;

/** One route reads bodies of any size while it answers; the others refuse large ones themselves. */
const MAX_REQUEST_BYTES = Number.MAX_SAFE_INTEGER;

/** How long requests under way may take after the server was stopped. The whole shutdown takes at most 10 s. */
const STOP_MS = 7000;

export type Server = ReturnType<typeof startHttpServer>;

/** The dependencies that come from the configuration and the process, for a full service and a mirror alike. */
function openCommonDeps(config: Config, context: AppContext, readPublicUrl: () => string) {
  return {
    live: config.live,
    limits: config,
    replyCacheBytes: planMemory(config.cacheBytes).replyBytes,
    ...(config.contact === undefined ? {} : { contact: config.contact }),
    clientRules: { trustedProxies: config.trustedProxies, exempt: config.exemptClients },
    method: describeMethod(SOURCES),
    delistUrls: DELIST_URLS,
    // With port 0 the origin is known only after the socket is bound.
    get baseUrl() {
      return readPublicUrl();
    },
    version: context.version,
    now: context.now,
    log: context.log,
    newRequestId: () => crypto.randomUUID(),
    every: repeat,
    staticFiles: readStatic(context.paths),
    drawPng: createPngPainter(context.paths),
    sitemapAddresses: config.sitemapAddresses,
    ...(config.families === undefined ? {} : { families: config.families }),
  };
}

/**
 * Builds the HTTP interface over `deps` and, unless `listens` is false, listens.
 * @throws {ExitError} when the port is taken.
 */
export function startHttpServer(
  config: Config,
  context: AppContext,
  deps: Omit<HttpContext, keyof ReturnType<typeof openCommonDeps>>,
  listens = true,
) {
  for (const { address, bits } of config.trustedProxies.filter(isTooWide))
    context.log("warn", "trusted_proxies_too_wide", { version: address.version, bits });
  let publicUrl = config.baseUrl ?? formatOrigin(config.host, config.port);
  const common = openCommonDeps(config, context, () => publicUrl);
  const app = createApp(Object.assign(common, deps, listens ? {} : { peer: () => "127.0.0.1" }));
  const url = listens ? listen(app, config) : publicUrl;
  publicUrl = config.baseUrl ?? url;
  const stopWatching = watchMemory(planMemory(config.cacheBytes));
  return {
    /** The origin it listens on. */
    url,
    /** The origin used in links. */
    publicUrl,
    /** Answers a request that did not come over a socket, as one of this machine. */
    handle: (request: Request): Promise<Response> => app.handle(request),
    /** Stops accepting connections, finishes running requests within 7 s, and commits. */
    async stop(): Promise<void> {
      stopWatching();
      const { server } = app;
      if (server === null) return;
      const stopping = app.stop();
      await Promise.race([stopping, Bun.sleep(STOP_MS)]);
      // Closes the connections whose requests are still under way.
      await server.stop(true);
    },
  };
}

function listen(app: ReturnType<typeof createApp>, config: Pick<Config, "host" | "port">): string {
  try {
    app.listen({
      hostname: config.host,
      port: config.port,
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      maxRequestBodySize: MAX_REQUEST_BYTES,
    });
  } catch (error) {
    throw new ExitError(
      EXIT.software,
      `Cannot listen on ${config.host}:${config.port} (LIMPID_HOST, LIMPID_PORT): ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  return formatOrigin(config.host, app.server?.port ?? config.port);
}

/** Addresses that mean every interface, and the loopback address that reaches them. */
export const LOOPBACK: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** An http origin that this machine can open; IPv6 in brackets. */
function formatOrigin(host: string, port: number): string {
  const name = LOOPBACK.get(parseAddress(host)?.text ?? host) ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Whether a list of proxies trusts much of the Internet: then anybody can name any address as the client's. */
function isTooWide({ address, bits }: Prefix): boolean {
  return bits < (address.version === 4 ? 8 : 16);
}
