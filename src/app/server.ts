import type { Config } from "#config";
import type { Readiness } from "#http";
import type { AppContext } from "./app_context.ts";
import { type Server, startHttpServer } from "./http_server.ts";
import { openMetrics } from "./metrics.ts";
import { pruneDaily } from "./pruning.ts";
import { openLimitedService, type Service } from "./service.ts";
import { setTimer } from "./timers.ts";

/**
 * Starts a full service and its HTTP server.
 * @throws {ExitError} when the port is taken or the secret cannot be kept; {StoreError} when the database cannot be opened.
 */
export async function startServer(config: Config, context: AppContext): Promise<Server> {
  const { now, log } = context;
  const { metrics, httpContext, stop } = openMetrics("full", config, context);
  const service = await openLimitedService(config, { ...context, metrics });
  const { limits } = service;
  let server: Server;
  try {
    server = startHttpServer(config, context, {
      lookup: service.lookup,
      findKnown: service.findKnown,
      findKnownSync: service.findKnownSync,
      history: service.store,
      classifier: service.classifier,
      networks: service.networks,
      assessTables: service.assessTables,
      ...limits,
      ...httpContext(limits.clientNames),
      ready: () => checkReadiness(service),
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  service.startFeeds();
  const { retentionMs } = config;
  const pruning =
    retentionMs === undefined
      ? undefined
      : pruneDaily(config.database, { retentionMs, now, random: Math.random, log, setTimer });
  return {
    url: server.url,
    publicUrl: server.publicUrl,
    async stop() {
      stop();
      await server.stop();
      await pruning?.stop();
      await service.close();
    },
  };
}

/** A service is ready if its database answers; without a table, reports only contain less. */
async function checkReadiness({ store, datasets }: Service): Promise<Readiness> {
  const database = await store.ping().then(
    () => ({ ok: true }),
    () => ({ ok: false }),
  );
  const tables = datasets
    .states()
    .map(({ id, ready, problem }) => [
      `table_${id}`,
      { ok: ready, ...(problem === undefined ? {} : { detail: problem }) },
    ]);
  return { ready: database.ok, checks: { database, ...Object.fromEntries(tables) } };
}
