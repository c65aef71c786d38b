import type { Config } from "#config";
import { FEEDS, TABLE_FEEDS } from "#datasets";
import type { HttpContext } from "#http";
import { createMetrics, EXPOSITION_TYPE, type Metrics, watchLoop } from "#metrics";
import { SCORING_VERSION } from "#scoring";
import { SOURCES } from "#sources";
import type { Log } from "../log.ts";
import { watchRequests } from "./watch_requests.ts";

/** The forms of an answer. */
const SHAPES = ["json", "text", "page"];

const TABLES = ["asn", "registration", "country", "city"];

/** The metrics of a process that serves. */
export interface OpenMetrics {
  readonly metrics: Metrics;
  /** What the shell needs of them. */
  readonly ports: (names: HttpContext["clientNames"]) => Pick<HttpContext, "watch" | "metrics">;
  stop(): void;
}

/** Creates the metrics and begins to watch the event loop. */
export function openMetrics(
  role: "full" | "mirror",
  config: Pick<Config, "metricsToken" | "log">,
  { version, now, log }: { readonly version: string; readonly now: () => number; readonly log: Log },
): OpenMetrics {
  const routes = new Set(["unmatched"]);
  const clock = () => performance.now();
  const metrics = createMetrics({
    version,
    scoringVersion: SCORING_VERSION,
    role,
    routes,
    shapes: SHAPES,
    sources: SOURCES.map(({ id }) => id),
    feeds: [...FEEDS, ...TABLE_FEEDS].map(({ id }) => id),
    tables: TABLES,
    now,
    startedAt: now() - process.uptime() * 1000,
  });
  const loop = watchLoop({ clock, every: repeat, onDelay: metrics.delayed });
  metrics.attach({ longestDelay: loop.takeLongest });
  const { metricsToken: token } = config;
  return {
    metrics,
    ports: (names) => ({
      watch: watchRequests({ metrics, routes, log, names, now, clock, isDetailed: config.log === "debug" }),
      metrics: {
        contentType: EXPOSITION_TYPE,
        write: metrics.write,
        ...(token === undefined ? {} : { token }),
      },
    }),
    stop: loop.stop,
  };
}

function repeat(ms: number, then: () => void): () => void {
  const timer = setInterval(then, ms);
  timer.unref();
  return () => clearInterval(timer);
}
