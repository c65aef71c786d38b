import type { Config } from "#config";
import type { Readiness } from "#http";
import type { AppContext } from "./files.ts";
import { type Server, startHttpServer } from "./http_server.ts";
import { openAdmissions, openLimits } from "./limits.ts";
import { openMetrics } from "./metrics.ts";
import { pruneDaily } from "./pruning.ts";
import { connectService, openDatabase, type Service } from "./service.ts";
import { setTimer } from "./timers.ts";
import { openWatch } from "./watch.ts";

/**
 * Starts a full service and its HTTP server; with `listens` false it answers only by `handle`.
 * @throws {ExitError} when the port is taken or the secret cannot be kept; {StoreError} when the database cannot be opened.
 */
export async function startServer(config: Config, context: AppContext, listens = true): Promise<Server> {
  const { now, log } = context;
  const { metrics, httpContext, stop } = openMetrics("full", config, context);
  const store = await openDatabase(config, context, metrics);
  let close = store.close;
  try {
    const clients = openAdmissions(config, store, { now, log, metrics });
    const service = connectService(config, context, { store, admissions: clients.admissions, metrics });
    close = service.close;
    const watch = openWatch(config, service, { now, log, metrics });
    const { lookup, findKnown, findKnownSync, classifier, networks, assessTables } = service;
    const deps = {
      lookup,
      findKnown,
      findKnownSync,
      history: store,
      classifier,
      networks,
      assessTables,
      ...openLimits(config, service, { now, log, metrics }, clients),
      ...httpContext(clients.clientNames),
      ...(watch === undefined ? {} : { watched: store.watches }),
      ready: () => checkReadiness(service),
    };
    const server = startHttpServer(config, context, deps, listens);
    service.startFeeds();
    watch?.start(server.publicUrl);
    const { retentionMs } = config;
    const pruning =
      retentionMs === undefined
        ? undefined
        : pruneDaily(config.database, { retentionMs, now, random: Math.random, log, setTimer });
    return {
      ...server,
      async stop() {
        stop();
        await server.stop();
        await watch?.stop();
        await pruning?.stop();
        await service.close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
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
