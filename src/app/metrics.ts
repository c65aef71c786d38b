import { DAY_MS, type Log } from "#common";
import type { Config } from "#config";
import { FEEDS, TABLE_FEEDS } from "#feeds";
import type { HttpContext, RequestWatch } from "#http";
import { createMetrics, EXPOSITION_TYPE, type Metrics, watchLoop } from "#metrics";
import { SCORING_VERSION } from "#scoring";
import { SOURCES } from "#sources";
import type { Store } from "#store";
import type { AppContext } from "./files.ts";
import { repeat } from "./timers.ts";

/** The formats of a response. */
const FORMATS = ["json", "text", "page"];

const TABLES = ["asn", "registration", "country", "city", "geofeed"];

/** How long writing the metrics waits for the database. After that, the last known values are used. */
const BUDGET_TIMEOUT_MS = 500;

/** Creates the metrics, and starts to measure the delay of the event loop and to catch errors that no code caught. */
export function openMetrics(
  role: "full" | "mirror",
  config: Pick<Config, "metricsToken" | "log">,
  { version, now, log, lostLogLines }: Omit<AppContext, "paths">,
) {
  const routes = new Set(["unmatched"]);
  const clock = () => performance.now();
  const metrics = createMetrics({
    version,
    scoringVersion: SCORING_VERSION,
    role,
    routes,
    shapes: FORMATS,
    sources: SOURCES.map(({ id }) => id),
    feeds: [...FEEDS, ...TABLE_FEEDS].map(({ id }) => id),
    tables: TABLES,
    now,
    startedAt: now() - process.uptime() * 1000,
  });
  const loop = watchLoop({ clock, every: repeat, onDelay: metrics.delayed });
  metrics.attach({ longestDelay: loop.takeLongest, ...(lostLogLines === undefined ? {} : { lostLogLines }) });
  const stopCatching = catchUncaught(log, metrics.uncaught);
  const { metricsToken: token } = config;
  return {
    metrics,
    /** The dependencies of the HTTP interface that count requests and write the metrics. */
    httpContext: (names: HttpContext["clientNames"]): Pick<HttpContext, "watch" | "metrics"> => ({
      watch: watchRequests({ metrics, routes, log, names, now, clock, isDetailed: config.log === "debug" }),
      metrics: {
        contentType: EXPOSITION_TYPE,
        write: metrics.write,
        ...(token === undefined ? {} : { token }),
      },
    }),
    stop(): void {
      loop.stop();
      stopCatching();
    },
  };
}

/**
 * Counts every request. Logs the requests that were answered with an error, or all of them if `isDetailed`: the route
 * pattern instead of the path, and the client by its name of the day. Internal errors are also logged where they
 * occur.
 */
export function watchRequests(options: {
  readonly metrics: Metrics;
  /** Route patterns; those of the interface are added. */
  readonly routes: Set<string>;
  readonly log: Log;
  readonly names: HttpContext["clientNames"];
  readonly now: () => number;
  readonly clock: () => number;
  readonly isDetailed: boolean;
}): RequestWatch {
  const { metrics, routes, log, names, now, isDetailed } = options;
  return {
    clock: options.clock,
    route: (pattern) => void routes.add(pattern),
    request(seen) {
      const { route, format, status, ms, code, reason } = seen;
      metrics.request({ ...seen, shape: format });
      const isRefused = code !== undefined;
      if (!isRefused && !isDetailed) return;
      log(isRefused ? "info" : "debug", isRefused ? "request_refused" : "request_answered", {
        requestId: seen.id,
        // The client chooses the text of the method.
        method: /^[A-Z]{1,16}$/.test(seen.method) ? seen.method : "other",
        route,
        shape: format,
        status,
        ...(code === undefined ? {} : { code }),
        ...(reason === undefined ? {} : { reason }),
        ms: Math.round(ms * 10) / 10,
        client: names.nameOf(seen.clientKey, Math.floor(now() / DAY_MS)),
      });
    },
    replies: (read) => metrics.attach({ replies: read }),
  };
}

/** Shows how much of each source's daily budget all processes on the database have used. */
export function showBudgets(
  metrics: Metrics,
  options: {
    readonly budgets: Pick<Store["budgets"], "read">;
    readonly limits: ReadonlyMap<string, number | undefined>;
    readonly now: () => number;
    readonly timeoutMs?: number;
  },
): void {
  const { budgets, timeoutMs = BUDGET_TIMEOUT_MS } = options;
  let known: { readonly day: number; readonly used: ReadonlyMap<string, number> } | undefined;
  metrics.prepare(async () => {
    const day = Math.floor(options.now() / DAY_MS);
    const reading = budgets.read(day).then((used) => {
      known = { day, used };
    });
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  });
  metrics.attach({
    budgets() {
      const { day, used } = known ?? { day: -1, used: new Map<string, number>() };
      // Values of another day would be wrong: show none until the database answers.
      if (day !== Math.floor(options.now() / DAY_MS)) return [];
      return [...options.limits].flatMap(([id, limit]) =>
        limit === undefined ? [] : [{ id, limit, used: used.get(id) ?? 0 }],
      );
    },
  });
}

/** Bounds the memory of messages that were logged. */
const MAX_MESSAGES = 100;

/**
 * Keeps the process running when a callback of a timer, an event or a stream throws, here or in a package: otherwise
 * anyone who makes one callback throw ends the service. Each message is logged once, each error is counted by `count`.
 * Callbacks whose work must go on after an error catch it themselves. Returns a function that restores the default.
 */
export function catchUncaught(log: Log, count: () => void): () => void {
  const logged = new Set<string>();

  function report(error: unknown): void {
    count();
    const message = String(error);
    if (logged.has(message) || logged.size >= MAX_MESSAGES) return;
    logged.add(message);
    log("error", "uncaught_error", { message, stack: error instanceof Error ? error.stack : undefined });
  }

  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
  return () => {
    process.off("uncaughtException", report);
    process.off("unhandledRejection", report);
  };
}
