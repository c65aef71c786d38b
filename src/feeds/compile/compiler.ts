import { hasFreeFiles } from "#concurrency";
import { DatasetError } from "#datasets";
import type { CompileJob, CompileResult } from "./compile_job.ts";

/** Runs jobs on another thread, one after the other. */
export type Compiler = ReturnType<typeof createCompiler>;

const JOB_MS = 120_000;
/** The thread is stopped when it is idle for this long, which frees its memory. */
const IDLE_MS = 3_000;

/** Creates a {@link Compiler}. `registry` is the URL of another module that exports `FEEDS`. */
export function createCompiler(options: { readonly registry?: string } = {}) {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: Timer | undefined;
  let isClosed = false;
  let abandon: (() => void) | undefined;

  function end(): void {
    worker?.terminate();
    worker = undefined;
  }

  function send(job: CompileJob): Promise<CompileResult> {
    clearTimeout(idle);
    if (isClosed) return Promise.reject(new DatasetError("Cannot compile: it was stopped"));
    if (worker === undefined && !hasFreeFiles())
      return Promise.reject(new DatasetError("Cannot compile: too few files can be opened"));
    worker ??= new Worker(new URL("./compile_worker.ts", import.meta.url).href);
    const own = worker;
    // A job keeps the process alive; an idle thread does not.
    own.ref();
    return new Promise<CompileResult>((resolve, reject) => {
      const fail = (why: string) => {
        end();
        reject(new DatasetError(`Cannot compile: ${why}`));
      };
      const limit = setTimeout(() => fail("it took too long"), JOB_MS);
      limit.unref();
      abandon = () => fail("it was stopped");
      own.onerror = (event) => {
        event.preventDefault();
        clearTimeout(limit);
        fail("the thread ended");
      };
      own.onmessage = (event: MessageEvent<Answer>) => {
        clearTimeout(limit);
        if ("result" in event.data) resolve(event.data.result);
        else fail(event.data.problem);
      };
      own.postMessage({ job, ...options });
    }).finally(() => {
      abandon = undefined;
      own.unref();
      idle = setTimeout(end, IDLE_MS);
      idle.unref();
    });
  }

  return {
    /** @throws {DatasetError} when the job fails, takes too long or the compiler is closed. */
    run<Job extends CompileJob>(job: Job): Promise<Extract<CompileResult, { kind: Job["kind"] }>> {
      const result = last.then(() => send(job));
      last = result.catch(() => {});
      // The result of a job has the kind of the job.
      return result as Promise<never>;
    },
    /** Stops the thread and its current job. */
    close(): void {
      isClosed = true;
      clearTimeout(idle);
      abandon?.();
      end();
    },
  };
}

type Answer = { readonly result: CompileResult } | { readonly problem: string };
