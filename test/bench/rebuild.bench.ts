import { join } from "node:path";
import { locatePaths, startServer } from "#app";
import { readConfig } from "#config";
import { createCompiler, openFeeds } from "#feeds";
import { FEEDS, writeFullSize } from "./feeds_full_size.ts";
import { createBudget, makeFolder } from "./harness.ts";
import { runLoad } from "./load.ts";

/** Few, so that sending requests alone does not use two cores. */
const CONNECTIONS = 2;
const SECONDS = 4;
const BUDGET = 2;
const budget = createBudget();

const project = join(import.meta.dir, "../..");
const directory = makeFolder("rebuild");
const env = {
  LIMPID_DATA_DIR: directory,
  LIMPID_HOST: "127.0.0.1",
  LIMPID_PORT: "0",
  LIMPID_LIVE: "0",
  LIMPID_FEEDS: "0",
  LIMPID_EXEMPT_CLIENTS: "127.0.0.1",
};
const server = await startServer(readConfig(env, { sources: [], readSecret: () => "" }), {
  paths: locatePaths(join(project, "src")),
  version: "0.0.0",
  now: () => Date.now(),
  log: () => {},
});
const { url } = server;
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
  await server.stop();
}
budget.end();
