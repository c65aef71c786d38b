import { join } from "node:path";
import type { LoadPlan, LoadResult } from "./load_plan.ts";

/** A running generator. */
export interface RunningLoad {
  readonly result: Promise<LoadResult>;
}

/** Starts a load in a process of its own, so that it shares no thread with the service, the upstreams or the proof. */
export function startLoad(plan: LoadPlan): RunningLoad {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "generate_load.ts")], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const result = (async () => {
    const text = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error("Cannot run the load");
    return JSON.parse(text) as LoadResult;
  })();
  return { result };
}

/** Runs a load to its end. */
export function runLoad(plan: LoadPlan): Promise<LoadResult> {
  return startLoad(plan).result;
}
