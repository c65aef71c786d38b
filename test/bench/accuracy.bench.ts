/**
 * `bun test/bench/accuracy.bench.ts FOLDER` measures how right the tables are on labelled addresses that lie in no list
 * that ships, one address of each row, with the functions of `limpid evaluate`. Then it measures with all that
 * ships, on sets that do not ship. It writes the result to `src/scoring/accuracy.json`, which `/method` and
 * `docs/accuracy.md` show, and ends with 1 when a budget is broken.
 */
import { join } from "node:path";
import * as v from "valibot";
import type { Address } from "#address";
import { openDatasets } from "#datasets";
import { FEEDS } from "#feeds";
import type { Accuracy, Flag, Rate } from "#report";
import { isAccusing, type JudgedRow, measureAccuracy, score } from "#scoring";
import { feedSource } from "#sources";
import { createBudget } from "./harness.ts";
import { type Feature, featureOf, readLabelledSets, SAYS_HOSTING } from "./labelled_set.ts";
import { openLocalSurvey, openShippedFeeds, SEED, TABLES } from "./tables_evidence.ts";

const [folder] = Bun.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: bun test/bench/accuracy.bench.ts FOLDER");
  process.exit(64);
}

/** The shares reached today, which a change must keep. `least` of what is found, `most` of false alarms. */
const BUDGET = {
  found: { vpn: 0.28, hosting: 0.9 },
  alarms: { vpn: 0.003, proxy: 0.003, tor: 0.003, relay: 0.003, hosting: 0.003 },
  calibrationError: 0.13,
} as const;
/** A set with fewer rows outside the lists says nothing. */
const LEAST_ROWS = 10;
const ROWS = 4000;

const TRUTH: Readonly<Partial<Record<Feature, string>>> = {
  tor: "tor",
  vpn: "vpn",
  proxy: "proxy",
  relay: "relay",
  hosting: "hosting",
  listed_5: "listed",
  listed_3: "listed",
  ordinary: "clean",
};

/** The figures with all that ships: on which sets, none of which ships, and the flags that count as found. */
const EXIT: readonly Flag[] = ["isProxy", "isVpn", "isTor", "isRelay"];
const SHIPPED: Readonly<Record<string, readonly [sets: RegExp, flags: readonly Flag[]]>> = {
  vpn: [/^(vpn-nazgul|vpn-oxl|tunnel-sw-vpn)/, ["isVpn"]],
  tor: [/^(tor-exit|tunnel-sw-tor)/, ["isTor"]],
  proxy: [/^proxy-/, EXIT],
  ordinary_exit: [/^neg-/, EXIT],
  ordinary_hosting: [/^neg-/, ["isHosting"]],
};
const shipped = Object.entries(SHIPPED).map(([id, [sets, flags]]) => {
  return { id, sets, flags, rows: 0, found: 0 };
});

const feeds = openShippedFeeds();
const lists = FEEDS.filter(({ id }) => feeds.state(id).ready).map((feed) => feedSource(feed));
const listed = openLocalSurvey([...TABLES, ...lists], openDatasets({ directory: SEED, feeds }));
const tables = openLocalSurvey();

const AnswerSchema = v.object({ entries: v.array(v.object({ place: v.exactOptional(v.unknown()) })) });

async function isInLists(address: Address): Promise<boolean> {
  for (const list of lists) {
    if (!list.versions.includes(address.version)) continue;
    const { entries } = v.parse(AnswerSchema, await listed.fetch(list, address));
    if (entries.some(({ place }) => place === undefined)) return true;
  }
  return false;
}

/** Counts an address for the figures of its set. */
async function countShipped(set: string, address: Address): Promise<void> {
  const { flags, asn } = await listed.ask(address);
  for (const figure of shipped.filter(({ sets }) => sets.test(set))) {
    if (figure.id === "ordinary_hosting" && SAYS_HOSTING.test(asn?.name ?? "")) continue;
    figure.rows += 1;
    if (figure.flags.some((flag) => flags[flag].value)) figure.found += 1;
  }
}

const rows: JudgedRow[] = [];
const sets: { id: string; rows: number; leftOut: number }[] = [];
for (const set of readLabelledSets(folder, ROWS, [0.5])) {
  const feature = featureOf(set);
  const truth = feature && TRUTH[feature];
  if (truth === undefined) continue;
  const judged: JudgedRow[] = [];
  for (const address of set.addresses) {
    await countShipped(set.id, address);
    if (await isInLists(address)) continue;
    const evidence = await tables.ask(address);
    if (truth === "clean" && SAYS_HOSTING.test(evidence.asn?.name ?? "")) continue;
    const { flags } = evidence;
    const read = <T>(pick: (flag: keyof typeof flags) => T) =>
      Object.fromEntries(
        (Object.keys(flags) as (keyof typeof flags)[]).map((flag) => [flag, pick(flag)]),
      ) as Record<keyof typeof flags, T>; // one entry for each flag
    judged.push({
      truth: [truth],
      purity: score(evidence).purity,
      usage: evidence.usage.type,
      flags: read((flag) => flags[flag].value),
      agreement: read((flag) => (flags[flag].value ? flags[flag].agreement : 0)),
      isListed: evidence.listings.some((listing) => listing.listed && isAccusing(listing)),
    });
  }
  sets.push({ id: set.id, rows: set.addresses.length, leftOut: set.addresses.length - judged.length });
  rows.push(...judged);
}
listed.close();
tables.close();

const measured: Accuracy = measureAccuracy(rows);
const file = join(import.meta.dir, "../../src/scoring/accuracy.json");
const { independent, hostNames } = await Bun.file(file).json();
const { version } = await Bun.file(join(import.meta.dir, "../../package.json")).json();
const date = new Date().toISOString().slice(0, 10);
const round = (_: string, value: unknown) => (typeof value === "number" ? Number(value.toFixed(4)) : value);
const figures = shipped.map(({ id, rows: all, found }) => {
  const percent = (100 * found) / all;
  return { id, rows: all, tables: `${Number(percent.toFixed(percent < 1 ? 2 : 1))} %` };
});
await Bun.write(
  file,
  `${JSON.stringify({ date, version, shipped: figures, sets, measured, hostNames, independent }, round, 2)}\n`,
);

for (const { id, rows: all, leftOut } of sets) console.log(`${id.padEnd(26)} ${all - leftOut} of ${all}`);
const budget = createBudget();
const judge = (name: string, rate: Rate["recall"], limit: number, side: "least" | "most") => {
  if (rate.of >= LEAST_ROWS) budget.judge(name, rate, limit, side);
};
for (const { id, recall, alarms } of measured.flags) {
  const found = Object.entries(BUDGET.found).find(([word]) => word === id)?.[1];
  if (found !== undefined) judge(`${id} found`, recall, found, "least");
  const most = Object.entries(BUDGET.alarms).find(([word]) => word === id)?.[1];
  if (most !== undefined) judge(`false ${id}`, alarms, most, "most");
}
console.log(`calibration error: ${measured.calibrationError.toFixed(3)}, at most ${BUDGET.calibrationError}`);
budget.check("calibration error", measured.calibrationError, BUDGET.calibrationError);
budget.end();
