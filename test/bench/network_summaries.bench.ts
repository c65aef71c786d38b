import { join } from "node:path";
import { parsePrefix } from "#address";
import { openDatasets } from "#datasets";
import { createCompiler, openFeeds } from "#feeds";
import { createTableClassifier } from "#lookup";
import { createNetworks } from "#network";
import { createTableSurvey, NO_SETTINGS, SOURCES } from "#sources";
import { FEEDS, writeFullSize } from "./feeds_full_size.ts";
import { createBudget, makeFolder, median } from "./harness.ts";

/** Milliseconds. */
const BUDGET = { prefix24: 10, prefix48: 10, wide: 100, as: 50, turn: 60 };

const SEED = join(import.meta.dir, "../../seed");
const AS = [4134, 7018, 8075, 16509, 3320, 15169, 24940, 13335, 6939, 14061];
const { check, end } = createBudget();

const directory = makeFolder("networks");
writeFullSize(directory);
const feeds = openFeeds({ directory, feeds: FEEDS, now: Date.now });
const compiler = createCompiler({ registry: new URL("./feeds_full_size.ts", import.meta.url).href });
await feeds.rebuild(compiler);
compiler.close();
const datasets = openDatasets({ directory: SEED, feeds });
const survey = createTableSurvey(SOURCES, { datasets, settings: NO_SETTINGS, now: Date.now });
let longestTurn = 0;
let turnAt = 0;
const networks = createNetworks({
  datasets,
  classifier: createTableClassifier(survey),
  lists: FEEDS,
  version: survey.version,
  pace: {
    run: async (work) => work(),
    async rest() {
      longestTurn = Math.max(longestTurn, performance.now() - turnAt);
      await new Promise((resolve) => setImmediate(resolve));
      turnAt = performance.now();
    },
  },
});

/** Median and longest time to summarize each of the networks once. */
async function measure(name: string, limit: number, runs: readonly (() => unknown)[]): Promise<void> {
  const times: number[] = [];
  for (const run of runs) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  const longest = Math.max(...times);
  console.log(
    `${name}: median ${median(times).toFixed(1)} ms, longest ${longest.toFixed(1)} ms of ${times.length}`,
  );
  check(name, median(times), limit);
}

function prefixes(texts: readonly string[]): readonly (() => unknown)[] {
  return texts.flatMap((text) => {
    const prefix = parsePrefix(text);
    return prefix === undefined ? [] : [() => networks.prefix(prefix)];
  });
}

const COUNT = Array.from({ length: 60 }, (_, at) => at);
// The first few are compiled while they run.
prefixes(COUNT.map((at) => `5.${at}.7.0/24`)).map((run) => run());
await measure("an IPv4 /24", BUDGET.prefix24, prefixes(COUNT.map((at) => `${20 + at}.33.7.0/24`)));
await measure("an IPv6 /48", BUDGET.prefix48, prefixes(COUNT.map((at) => `2a0${at % 8}:${at}00:7::/48`)));
await measure(
  "an IPv4 /8",
  BUDGET.wide,
  prefixes([5, 23, 45, 77, 103, 185, 203].map((at) => `${at}.0.0.0/8`)),
);
turnAt = performance.now();
const startedAt = performance.now();
await networks.as(64496);
console.log(
  `the first AS: ${(performance.now() - startedAt).toFixed(0)} ms, longest without a pause ${longestTurn.toFixed(0)} ms`,
);
check("longest without a pause", longestTurn, BUDGET.turn);
await measure(
  "an AS",
  BUDGET.as,
  AS.map((asn) => () => networks.as(asn)),
);
end();
