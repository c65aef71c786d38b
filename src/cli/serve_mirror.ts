import { join } from "node:path";
import type { Config, MirrorConfig } from "#config";
import { openDatasets } from "#datasets";
import type { Readiness } from "#http";
import { createMirrorLookup } from "#lookup";
import { createTableSurvey, SOURCES } from "#sources";
import { openMirror, type ReplicaState } from "#store";
import type { Log } from "../log.ts";
import { describeReplica } from "./describe_replica.ts";
import { openMetrics } from "./open_metrics.ts";
import { openMirrorGate } from "./open_mirror_gate.ts";
import type { Paths } from "./open_service.ts";
import { openShell } from "./open_shell.ts";
import type { Server } from "./serve.ts";
import { watchLookup } from "./watch_lookup.ts";

/** The id of the one source that speaks about special-purpose space, and asks no table. */
const SPECIAL_SOURCE = "special_purpose";

/** A server that only mirrors, and how its copy stands to the primary. */
export interface MirrorServer extends Server {
  state(): ReplicaState;
}

/**
 * Opens a read-only mirror and listens: the whole interface over a copy of the primary's reports. Opens no database of
 * its own, asks no source, loads no list, and keeps nothing in the data directory but the copy.
 * @throws {ExitError} when the port is taken; {StoreError} when the copy's folder cannot be used.
 */
export async function startMirror(
  config: Config & { readonly mirror: MirrorConfig },
  edge: { readonly paths: Paths; readonly version: string; readonly now: () => number; readonly log: Log },
): Promise<MirrorServer> {
  const { now, log } = edge;
  const { primaryUrl, ...primary } = config.mirror;
  const directory = join(config.dataDirectory, "mirror");
  let forget = () => {};
  const mirror = await openMirror({
    ...primary,
    directory,
    now,
    random: Math.random,
    onRows: () => forget(),
    log,
  });
  const lookups = createMirrorLookup({
    store: mirror.store,
    surveySpecial: createTableSurvey(
      SOURCES.filter(({ id }) => id === SPECIAL_SOURCE),
      // There are none in this folder, and none is asked.
      { datasets: openDatasets({ directory }), off: new Set(), now },
    ),
    now,
    staleMs: config.staleMs,
    cacheEntries: config.cacheEntries,
    log,
  });
  forget = lookups.forget;
  const { metrics, ports, stop } = openMetrics("mirror", config, edge);
  metrics.attach({ replica: mirror.state });
  const gate = openMirrorGate(config);

  let shell: ReturnType<typeof openShell>;
  try {
    shell = openShell(config, edge, {
      lookup: watchLookup(lookups.lookup, metrics),
      findKnown: lookups.findKnown,
      history: mirror.store,
      mirror: primaryUrl === undefined ? {} : { primaryUrl },
      ...gate,
      ...ports(gate.clientNames),
      ready: () => Promise.resolve(readinessOf(mirror.state())),
    });
  } catch (error) {
    await mirror.store.close();
    throw error;
  }
  return {
    url: shell.url,
    publicUrl: shell.publicUrl,
    state: mirror.state,
    async stop() {
      stop();
      await shell.stop();
      await mirror.store.close();
    },
  };
}

/** Ready is who has something to serve, however old: `replica` tells whether it is in step. */
function readinessOf(state: ReplicaState): Readiness {
  return { ready: state.state !== "starting", checks: { replica: describeReplica(state) } };
}
