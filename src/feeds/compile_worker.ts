import { type CompileJob, type CompileResult, runCompileJob } from "./compile_job.ts";
import type { Feed } from "./feed.ts";
import type { TableFeed } from "./table_feed.ts";

/**
 * A thread for {@link runCompileJob}. A message is `{ job, registry }`; `registry` is the URL of a module that exports
 * `FEEDS` and perhaps `TABLE_FEEDS`, because a feed's reader is code and cannot be sent.
 */
declare const self: Worker;

self.onmessage = async (event: MessageEvent<{ readonly job: CompileJob; readonly registry?: string }>) => {
  const { job, registry } = event.data;
  try {
    const own: Registry = registry === undefined ? await loadRegistry() : await import(registry);
    const result = await runCompileJob(job, { feeds: own.FEEDS, tables: own.TABLE_FEEDS ?? [] });
    postMessage({ result }, listBuffers(result));
  } catch (error) {
    postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
};

interface Registry {
  readonly FEEDS: readonly Feed[];
  readonly TABLE_FEEDS?: readonly TableFeed[];
}

async function loadRegistry(): Promise<Registry> {
  const [lists, tables] = await Promise.all([import("./feeds.ts"), import("./table_feeds.ts")]);
  return { ...lists, ...tables };
}

function listBuffers(result: CompileResult): ArrayBuffer[] {
  switch (result.kind) {
    case "inspect":
      return [];
    case "table":
      return [result.bytes.buffer];
    case "compile":
      return [result.lists.buffer, result.networks.buffer];
  }
}
