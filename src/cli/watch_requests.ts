import type { HttpContext, RequestWatch } from "#http";
import type { Metrics } from "#metrics";
import type { Log } from "../log.ts";

const DAY_MS = 86_400_000;

/**
 * Counts every request, and logs those that got an error for an answer, or all of them when `isDetailed`: by pattern,
 * never by path, and the client by the name that it has for the day. What failed inside has said so itself.
 */
export function watchRequests(options: {
  readonly metrics: Metrics;
  /** Patterns seen so far; those of the interface are added. */
  readonly routes: Set<string>;
  readonly log: Log;
  readonly names: HttpContext["clientNames"];
  readonly now: () => number;
  readonly clock: () => number;
  readonly isDetailed: boolean;
}): RequestWatch {
  const { metrics, routes, log, names, now, isDetailed } = options;
  /** Who is refused is mostly refused many times in a row. */
  let last = { key: "", day: 0, name: "" };

  function nameClient(key: string): string {
    const day = Math.floor(now() / DAY_MS);
    if (last.key !== key || last.day !== day) last = { key, day, name: names.nameOf(key, day) };
    return last.name;
  }

  return {
    clock: options.clock,
    route: (pattern) => void routes.add(pattern),
    request(seen) {
      const { route, format: shape, status, ms, code, reason } = seen;
      metrics.request({ ...seen, shape });
      const isRefused = code !== undefined;
      if (!isRefused && !isDetailed) return;
      const client = nameClient(seen.clientKey);
      log(isRefused ? "info" : "debug", isRefused ? "request_refused" : "request_answered", {
        requestId: seen.id,
        method: nameMethod(seen.method),
        route,
        shape,
        status,
        ...(code === undefined ? {} : { code }),
        ...(reason === undefined ? {} : { reason }),
        ms: Math.round(ms * 10) / 10,
        ...(client === "" ? {} : { client }),
      });
    },
    replies: (read) => metrics.attach({ replies: read }),
  };
}

/** A method is whatever the client wrote. */
function nameMethod(method: string): string {
  return /^[A-Z]{1,16}$/.test(method) ? method : "other";
}
