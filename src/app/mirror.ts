import { join } from "node:path";
import type { Config, MirrorConfig } from "#config";
import { openDatasets } from "#datasets";
import type { Readiness } from "#http";
import { assess, createMirrorLookup, createTableClassifier } from "#lookup";
import { createTableSurvey, NO_SETTINGS, SOURCES } from "#sources";
import { openMirror, type ReplicaState } from "#store";
import type { AppContext } from "./files.ts";
import { type Server, startHttpServer } from "./http_server.ts";
import { openMirrorLimits } from "./limits.ts";
import { planMemory } from "./memory.ts";
import { openMetrics } from "./metrics.ts";
import { SPECIAL_SOURCE } from "./service.ts";

/**
 * Starts a read-only mirror and its HTTP server: the whole interface over a copy of the primary's reports. It opens no
 * database of its own, queries no source, loads no list, and stores only the copy in the data directory.
 * @throws {ExitError} when the port is taken; {StoreError} when the folder of the copy cannot be used.
 */
export async function startMirror(config: Config & { readonly mirror: MirrorConfig }, context: AppContext) {
  const { now, log } = context;
  const { primaryUrl, ...primary } = config.mirror;
  const directory = join(config.dataDirectory, "mirror");
  let forget = () => {};
  const mirror = await openMirror({
    ...primary,
    directory,
    program: context.paths.program,
    now,
    random: Math.random,
    onRows: () => forget(),
    log,
  });
  const surveySpecial = createTableSurvey(
    SOURCES.filter(({ id }) => id === SPECIAL_SOURCE),
    // The folder holds no tables, and this source needs none.
    { datasets: openDatasets({ directory }), settings: NO_SETTINGS, now },
  );
  const hasCopy = () => mirror.state().state !== "starting";
  const { metrics, httpContext, stop } = openMetrics("mirror", config, context);
  const lookups = createMirrorLookup({
    store: mirror.store,
    hasCopy,
    surveySpecial: async (address) => surveySpecial.survey(address),
    now,
    staleMs: config.staleMs,
    cacheEntries: config.cacheEntries,
    cacheBytes: planMemory(config.cacheBytes).reportBytes,
    log,
    onEnd: metrics.answered,
  });
  forget = lookups.forget;
  metrics.attach({ replica: mirror.state });
  const limits = openMirrorLimits(config);

  let server: Server;
  try {
    server = startHttpServer(config, context, {
      lookup: lookups.lookup,
      findKnown: lookups.findKnown,
      history: { history: async (address) => (hasCopy() ? mirror.store.history(address) : undefined) },
      classifier: createTableClassifier(surveySpecial),
      assessTables: async (address) => assess(surveySpecial.survey(address)),
      mirror: primaryUrl === undefined ? {} : { primaryUrl },
      ...limits,
      ...httpContext(limits.clientNames),
      ready: () => Promise.resolve(describeReadiness(mirror.state())),
    });
  } catch (error) {
    await mirror.store.close();
    throw error;
  }
  return {
    ...server,
    state: mirror.state,
    async stop() {
      stop();
      await server.stop();
      await mirror.store.close();
    },
  };
}

/** A mirror is ready if it has a copy, however old; the check `replica` says whether the copy is current. */
function describeReadiness({ state, lagMs, frame, error }: ReplicaState): Readiness {
  const replica = {
    ok: state === "current",
    detail: error === undefined ? state : `${state}: ${error}`,
    ...(lagMs === undefined ? {} : { lagSeconds: Math.floor(lagMs / 1000) }),
    ...(frame === undefined ? {} : { frame }),
  };
  return { ready: state !== "starting", checks: { replica } };
}
