import type { Config } from "#config";
import type { Readiness } from "#http";
import type { Log } from "../log.ts";
import { type OpenLimits, openGate, openLimits } from "./open_gate.ts";
import { openMetrics } from "./open_metrics.ts";
import { openService, type Paths } from "./open_service.ts";
import { openShell } from "./open_shell.ts";
import { pruneDaily } from "./prune_daily.ts";
import { watchAdmissions, watchGate } from "./watch_gate.ts";

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
  const { metrics, ports, stop } = openMetrics("full", config, edge);
  let limits: OpenLimits | undefined;
  const service = await openService(config, {
    ...edge,
    metrics,
    isServing: true,
    openAdmissions(store) {
      limits = openLimits(config, store, { ...edge, metrics });
      return watchAdmissions(limits.admissions, metrics);
    },
  });
  const gate = await closeOnFailure(service, () =>
    watchGate(openGate(config, service, { ...edge, metrics }, limits), metrics),
  );
  const shell = await closeOnFailure(service, () =>
    openShell(config, edge, {
      lookup: service.lookup,
      findKnown: service.findKnown,
      findKnownNow: service.findKnownNow,
      history: service.store,
      ...gate,
      ...ports(gate.clientNames),
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
        const checks: Readiness["checks"] = {
          database,
          ...Object.fromEntries(tables),
        };
        return { ready: database.ok, checks };
      },
    }),
  );
  service.startFeeds();
  const { retentionMs } = config;
  const pruning =
    retentionMs === undefined
      ? undefined
      : pruneDaily(config.database, { retentionMs, now, random: Math.random, log, setTimer });
  return {
    url: shell.url,
    publicUrl: shell.publicUrl,
    async stop() {
      stop();
      await shell.stop();
      await pruning?.stop();
      await service.close();
    },
  };
}

function setTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
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
