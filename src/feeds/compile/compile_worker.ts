import type { Feed, TableFeed } from "../feed.ts";
import { type CompileJob, type CompileResult, runCompileJob } from "./compile_job.ts";

/**
 * The thread that runs {@link runCompileJob}. A message is `{ job, registry }`; `registry` is the URL of a module that
 * exports `FEEDS` and perhaps `TABLE_FEEDS`, because the reader of a feed is code and cannot be sent.
 */
declare const self: Worker;

self.onmessage = async (event: MessageEvent<{ readonly job: CompileJob; readonly registry?: string }>) => {
  const { job, registry } = event.data;
  try {
    const own: Registry = await (registry === undefined ? import("../feeds.ts") : import(registry));
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
