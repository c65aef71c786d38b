import type { Config } from "#config";
import { createApp } from "#http";
import { describeMethod } from "#scoring";
import { SOURCES } from "#sources";
import type { Log } from "../log.ts";
import { EXIT, ExitError } from "./exit_codes.ts";
import { openGate } from "./open_gate.ts";
import { openService, type Paths } from "./open_service.ts";
import { readStatic } from "./read_static.ts";

/** Kept below Bun's idle timeout, above the longest survey. */
const IDLE_TIMEOUT_SECONDS = 30;

/** More than any document we read, so that we say ourselves what is too large; what is larger still Bun refuses. */
const MAX_REQUEST_BYTES = 65_536;

/** A running server: where it listens, the origin its links name, and how to end it. */
export interface Server {
  readonly url: string;
  readonly publicUrl: string;
  /** Stops accepting, answers what is in flight, commits. */
  stop(): Promise<void>;
}

/**
 * Opens everything and listens.
 * @throws {ExitError} when the port is taken or the secret cannot be kept; {StoreError} when the database cannot be opened.
 */
export async function startServer(
  config: Config,
  edge: { readonly paths: Paths; readonly version: string; readonly now: () => number; readonly log: Log },
): Promise<Server> {
  const { now, log } = edge;
  const service = await openService(config, edge);
  const gate = await closeOnFailure(service, () => openGate(config, service, edge));
  let url = config.baseUrl ?? formatOrigin(config.host, config.port);
  const app = createApp({
    lookup: service.lookup,
    ...gate,
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
    staticFiles: readStatic(edge.paths),
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
      maxRequestBodySize: MAX_REQUEST_BYTES,
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

async function closeOnFailure<Result>(
  service: { close(): Promise<void> },
  work: () => Result,
): Promise<Result> {
  try {
    return work();
  } catch (error) {
    await service.close();
    throw error;
  }
}
