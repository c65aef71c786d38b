import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config";
import { createGate } from "#gate";
import { createApp } from "#http";
import { describeMethod } from "#scoring";
import { SOURCES } from "#sources";
import type { Log } from "../log.ts";
import { EXIT, ExitError } from "./exit_codes.ts";
import { openService, type Paths } from "./open_service.ts";

/** Distinct clients remembered by each per-minute limit. */
const MAX_CLIENTS = 1_000_000;

/** Kept below Bun's idle timeout, above the longest survey. */
const IDLE_TIMEOUT_SECONDS = 30;

/** The page's own files; anything else under `/static` does not exist. */
const STATIC_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** A running server: where it listens, the origin its links name, and how to end it. */
export interface Server {
  readonly url: string;
  readonly publicUrl: string;
  /** Stops accepting, answers what is in flight, commits. */
  stop(): Promise<void>;
}

/**
 * Opens everything and listens.
 * @throws {ExitError} when the port is taken; {StoreError} when the database cannot be opened.
 */
export async function startServer(
  config: Config,
  edge: { readonly paths: Paths; readonly version: string; readonly now: () => number; readonly log: Log },
): Promise<Server> {
  const { now, log } = edge;
  const service = await openService(config, edge);
  let url = config.baseUrl ?? formatOrigin(config.host, config.port);
  const app = createApp({
    lookup: service.lookup,
    gate: createGate({
      lookupsPerMinute: config.lookupsPerMinute,
      newPerMinute: config.newPerMinute,
      refreshPerMinute: config.refreshPerMinute,
      maxKeys: MAX_CLIENTS,
    }),
    clientRules: { trustedProxies: config.trustedProxies, exempt: config.exemptClients },
    method: describeMethod(SOURCES),
    // With port 0 the origin is known only once the socket is bound.
    get baseUrl() {
      return url;
    },
    version: edge.version,
    now,
    log,
    newRequestId: () => crypto.randomUUID(),
    staticFiles: readStatic(edge.paths.static),
    async ready() {
      const tables = service.datasets
        .states()
        .map((table) => [
          `table_${table.id}`,
          { ok: table.ready, ...(table.problem === undefined ? {} : { detail: table.problem }) },
        ]);
      const database = await service.store.ping().then(
        () => ({ ok: true }),
        () => ({ ok: false }),
      );
      const checks: Record<string, { ok: boolean; detail?: string }> = {
        database,
        ...Object.fromEntries(tables),
      };
      return { ready: database.ok, checks };
    },
  });
  try {
    app.listen({
      hostname: config.host,
      port: config.port,
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      maxRequestBodySize: 16_384,
    });
  } catch (error) {
    await service.close();
    throw new ExitError(
      EXIT.software,
      `Cannot listen on ${config.host}:${config.port}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  service.startFeeds();
  const listening = formatOrigin(config.host, app.server?.port ?? config.port);
  url = config.baseUrl ?? listening;
  return {
    url: listening,
    publicUrl: url,
    async stop() {
      await app.stop();
      await service.close();
    },
  };
}

function formatOrigin(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function readStatic(folder: string) {
  const files = new Map<string, { body: Uint8Array; contentType: string }>();
  return (name: string) => {
    const known = files.get(name);
    if (known !== undefined) return known;
    const contentType = /^[a-z0-9_]+\.([a-z]+)$/.exec(name)?.[1];
    const type = contentType === undefined ? undefined : STATIC_TYPES[contentType];
    const path = join(folder, name);
    if (type === undefined || !existsSync(path)) return undefined;
    const file = { body: new Uint8Array(readFileSync(path)), contentType: type };
    files.set(name, file);
    return file;
  };
}
