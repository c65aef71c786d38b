import type { Config } from "#config";
import { createApp, type HttpContext } from "#http";
import { describeMethod } from "#scoring";
import { SOURCES } from "#sources";
import type { Log } from "../log.ts";
import { formatOrigin, listen } from "./listen.ts";
import type { Paths } from "./open_service.ts";
import { readStatic } from "./read_static.ts";

/** What the HTTP interface takes from the configuration and the process, whoever answers behind it. */
type OwnDeps =
  | "live"
  | "limits"
  | "clientRules"
  | "method"
  | "baseUrl"
  | "version"
  | "now"
  | "log"
  | "newRequestId"
  | "staticFiles";

/**
 * Builds the HTTP interface over `deps` and listens. `url` is where, `publicUrl` the origin that links name.
 * @throws {ExitError} when the port is taken.
 */
export function openShell(
  config: Config,
  edge: { readonly paths: Paths; readonly version: string; readonly now: () => number; readonly log: Log },
  deps: Omit<HttpContext, OwnDeps>,
): { readonly url: string; readonly publicUrl: string; stop(): Promise<void> } {
  let publicUrl = config.baseUrl ?? formatOrigin(config.host, config.port);
  const app = createApp({
    ...deps,
    live: config.live,
    limits: config,
    clientRules: { trustedProxies: config.trustedProxies, exempt: config.exemptClients },
    method: describeMethod(SOURCES),
    // With port 0 the origin is known only once the socket is bound.
    get baseUrl() {
      return publicUrl;
    },
    version: edge.version,
    now: edge.now,
    log: edge.log,
    newRequestId: () => crypto.randomUUID(),
    staticFiles: readStatic(edge.paths),
  });
  const url = listen(app, config);
  publicUrl = config.baseUrl ?? url;
  return {
    url,
    publicUrl,
    async stop() {
      await app.stop();
    },
  };
}
