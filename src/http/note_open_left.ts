import type { Exchange } from "./exchange.ts";
import type { HttpDeps } from "./http_deps.ts";

/**
 * Does a request's work, and then writes down what the client has left of its open day, however the work ended.
 * Most often that is known in memory, and then nothing is waited for.
 */
export function noteOpenLeft<Result>(
  deps: Pick<HttpDeps, "admissions">,
  exchange: Exchange,
  work: () => Promise<Result>,
): Promise<Result>;
export function noteOpenLeft<Result>(
  deps: Pick<HttpDeps, "admissions">,
  exchange: Exchange,
  work: () => Result | Promise<Result>,
): Result | Promise<Result>;
export function noteOpenLeft<Result>(
  deps: Pick<HttpDeps, "admissions">,
  exchange: Exchange,
  work: () => Result | Promise<Result>,
): Result | Promise<Result> {
  let done: Result | Promise<Result>;
  try {
    done = work();
  } catch (error) {
    done = Promise.reject(error);
  }
  if (done instanceof Promise) return noteLater(deps, exchange, done);
  const left = deps.admissions.remaining(exchange.client);
  if (typeof left !== "number") return noteLater(deps, exchange, Promise.resolve(done));
  exchange.openLeft = left;
  return done;
}

async function noteLater<Result>(
  deps: Pick<HttpDeps, "admissions">,
  exchange: Exchange,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } finally {
    const left = deps.admissions.remaining(exchange.client);
    exchange.openLeft = typeof left === "number" ? left : await left;
  }
}
