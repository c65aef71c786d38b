/**
 * `bun test/bench/rebuild.bench.ts` measures cache hits while all lists, in full size, are compiled in the same
 * process, and the same load without it. Exits 1 when the budget is broken.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePrefix } from "#address";
import { readConfig } from "#config";
import { createCompiler, openFeeds } from "#feeds";
import { createApp } from "#http";
import { createMetrics } from "#metrics";
import { describeMethod, SCORING_VERSION } from "#scoring";
import { DELIST_URLS, SOURCES } from "#sources";
import { openLimitedService } from "../../src/app/service.ts";
import { FEEDS, writeFullSize } from "./feeds_full_size.ts";
import { createBudget } from "./harness.ts";
import { runLoad } from "./load.ts";

/** Few, so that sending requests alone does not use two cores. */
const CONNECTIONS = 2;
const SECONDS = 4;
const BUDGET = 2;
const budget = createBudget();

const project = join(import.meta.dir, "../..");
const directory = mkdtempSync(join(tmpdir(), "limpid-rebuild-"));
const exempt = parsePrefix("127.0.0.1");
if (exempt === undefined) throw new Error("Cannot parse the loopback address");
const env = { LIMPID_DATA_DIR: directory, LIMPID_LIVE: "0", LIMPID_FEEDS: "0" };
const config = readConfig(env, { sources: [], readSecret: () => "" });
const edge = { now: () => Date.now(), log: () => {} };
const service = await openLimitedService(config, {
  paths: {
    packages: join(project, "node_modules"),
    seed: join(project, "seed"),
    fonts: join(project, "fonts"),
    migrations: join(project, "drizzle"),
    static: join(project, "static"),
    program: [],
  },
  version: "0.0.0",
  metrics: createMetrics({
    version: "0.0.0",
    scoringVersion: SCORING_VERSION,
    role: "full",
    startedAt: edge.now(),
    now: edge.now,
    routes: new Set(),
    shapes: [],
    sources: [],
    feeds: [],
    tables: [],
  }),
  ...edge,
});
const app = createApp({
  lookup: service.lookup,
  findKnown: service.findKnown,
  history: service.store,
  live: config.live,
  limits: config,
  replyCacheBytes: 128 * 1024 * 1024,
  ...service.limits,
  clientRules: { trustedProxies: [], exempt: [exempt] },
  method: describeMethod(SOURCES),
  delistUrls: DELIST_URLS,
  baseUrl: "http://127.0.0.1",
  version: "0.0.0",
  ...edge,
  newRequestId: () => crypto.randomUUID(),
  staticFiles: () => undefined,
  drawPng: async () => undefined,
  classifier: service.classifier,
  assessTables: service.assessTables,
  sitemapAddresses: [],
  ready: async () => ({ ready: true, checks: {} }),
});
app.listen({ hostname: "127.0.0.1", port: 0, reusePort: false });
const url = `http://127.0.0.1:${app.server?.port}`;
const paths = Array.from({ length: 50 }, (_, n) => `/api/lookup?ip=8.20.${n}.9&lang=en`);
const load = () => runLoad({ url, paths, connections: CONNECTIONS, seconds: SECONDS });

try {
  writeFullSize(join(directory, "lists"));
  const feeds = openFeeds({ directory: join(directory, "lists"), feeds: FEEDS, now: () => Date.now() });
  const compiler = createCompiler({ registry: new URL("./feeds_full_size.ts", import.meta.url).href });
  await load();
  const idle = await load();
  let rebuilds = 0;
  const loading = load();
  let isLoading = true;
  void loading.finally(() => {
    isLoading = false;
  });
  while (isLoading) {
    await feeds.rebuild(compiler);
    rebuilds += 1;
  }
  const busy = await loading;
  compiler.close();
  for (const [name, { perSecond, p50, p99 }] of Object.entries({ idle, "while compiling": busy }))
    console.log(`${name.padEnd(16)} ${perSecond}/s   p50 ${p50.toFixed(3)} ms   p99 ${p99.toFixed(3)} ms`);
  console.log(
    `${rebuilds} rebuilds; p99 ${(busy.p99 / idle.p99).toFixed(2)} times that of idle (budget ${BUDGET})`,
  );
  budget.check("p99 while compiling, by that of idle", busy.p99 / idle.p99, BUDGET);
} finally {
  await app.stop(true);
  await service.close();
  rmSync(directory, { recursive: true, force: true });
}
budget.end();
