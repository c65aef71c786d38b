import { parseArgs } from "node:util";
import { openDatasets } from "#datasets";
import type { Evidence } from "#evidence";
import { FEEDS, type Feeds, openSnapshot } from "#feeds";
import type { Flag } from "#report";
import { score } from "#scoring";
import { feedSource } from "#sources";
import { tellAsLabelled } from "./as_labelled.ts";
import { type Count, createBudget, makeFolder } from "./harness.ts";
import { type LabelledSet, readLabelledSets, SAYS_HOSTING } from "./labelled_set.ts";
import { type OfflineFeeds, openOfflineFeeds } from "./offline_feeds.ts";
import { type PurityMode, printPurity, type SetPurities } from "./purity_table.ts";
import { printRanges } from "./range_table.ts";
import { serveLabelled } from "./serve_labelled.ts";
import { openLocalSurvey, openShippedFeeds, SEED, SURVEYED_AT, TABLES } from "./tables_evidence.ts";

/**
 * Required shares, and allowed shares of false alarms. Hosting is measured among announced addresses only, because
 * space without announcement is not in use. `vpn` is what the table of networks can reach alone: brands in the address
 * space of carriers need lists. `listed`: the flags that a loaded list is for.
 */
const BUDGET = { hosting: 0.95, vpn: 0.7, falseAlarms: 0.005, listed: 0.99 };
/**
 * The purities reached today, which a change must keep: shares of rows in the wanted bands, and the AUC. Tables alone
 * do not know most adverse sets, so there only ordinary networks and hosting have a requirement; without live sources
 * no purity is far above neutral.
 */
const TABLES_FLOORS: PurityMode["floors"] = new Map([
  ["ordinary: neutral or better", 0.95],
  ["hosting: clean to suspicious", 0.95],
]);
/** With the lists of the labelled sets served (`--served`, or `--feeds` with downloads of the same day). */
const LISTS_FLOORS: PurityMode["floors"] = new Map([
  ...TABLES_FLOORS,
  ["Tor exits of the consensus: suspicious or worse", 1],
  ["on 5+ lists: neutral or worse", 0.97],
  ["AUC ordinary against Tor exits of the consensus", 0.99],
  ["AUC ordinary against 3+ lists", 0.99],
  ["AUC ordinary against other abuse", 0.84],
]);
const LABELLED_FLOORS: PurityMode["floors"] = new Map([
  ["ordinary: pristine or clean", 0.95],
  ["AUC ordinary against other abuse", 0.98],
  ["AUC ordinary against open proxies", 0.95],
  ["VPN exits: neutral or worse", 0.9],
  ["hosting: clean to suspicious", 0.95],
  ["AUC ordinary against Tor, proxies, 5+ lists", 0.98],
  ["Tor exits: suspicious or worse, told in full", 0.99],
  ["on 5+ lists: suspicious or worse, told in full", 0.95],
]);
const FALSE_ALARM_FLAGS: readonly Flag[] = ["isHosting", "isVpn", "isProxy"];

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    feeds: { type: "string" },
    without: { type: "string", default: "" },
    rows: { type: "string", default: "2000" },
    details: { type: "boolean", default: false },
    "as-labelled": { type: "boolean", default: false },
    served: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
const mostRows = Number(values.rows);
if (folder === undefined || !Number.isInteger(mostRows) || mostRows < 1) {
  console.error(
    "Usage: bun run bench:detection FOLDER [--feeds DIR | --served] [--without ID,…] [--rows N] [--as-labelled] [--details]",
  );
  process.exit(64);
}

const without = new Set(values.without.split(","));
const wanted = FEEDS.filter((feed) => !without.has(feed.id));
const snapshot = openSnapshot(SEED);
const feeds: OfflineFeeds | undefined = await openLists();
const lists: Feeds = feeds?.feeds ?? openShippedFeeds(wanted, snapshot);
const datasets = openDatasets({ directory: SEED, feeds: lists });

async function openLists(): Promise<OfflineFeeds | undefined> {
  if (values.feeds !== undefined) return openOfflineFeeds(values.feeds, wanted, snapshot);
  if (!values.served || folder === undefined) return undefined;
  const target = makeFolder("served");
  serveLabelled(folder, target);
  return openOfflineFeeds(target, wanted, snapshot);
}
const survey = openLocalSurvey(
  [...TABLES, ...wanted.filter((feed) => lists.state(feed.id).ready).map((feed) => feedSource(feed))],
  datasets,
);
const budget = createBudget();

/** The scoring, measured on surveys as they would be if every label were true. */
async function measureAsLabelled(): Promise<void> {
  const results: SetPurities[] = [];
  for (const set of sets) {
    const purities: number[] = [];
    const thin: number[] = [];
    for (const address of set.addresses) {
      const told = tellAsLabelled(set, address, Date.parse(SURVEYED_AT));
      if (told === undefined) continue;
      const { purity } = score(await survey.ask(address, told.runs));
      purities.push(purity);
      if (told.isThin) thin.push(purity);
    }
    results.push({ set, purities, thin });
  }
  printPurity(
    results,
    {
      title:
        "AS LABELLED: every row told by made-up sources as its label has it; this judges the scoring alone",
      floors: LABELLED_FLOORS,
    },
    budget,
  );
  await printRanges(sets, openLocalSurvey(), budget);
  budget.end();
}

interface Result {
  readonly set: LabelledSet;
  readonly recall: ReadonlyMap<string, Count>;
  readonly alarms: ReadonlyMap<Flag, Count>;
  readonly usage: { readonly right: Count; readonly unknown: Count };
  /** Hosting found among announced addresses. */
  readonly announced: Count;
  /** Hosting reported for networks that do not call themselves a data centre or cloud. */
  readonly unexplained: Count;
  readonly wrong: ReadonlyMap<string, number>;
}

function measure(set: LabelledSet, found: readonly Evidence[]): Result {
  const count = (holds: (evidence: Evidence) => boolean): Count => ({
    hits: found.filter(holds).length,
    of: found.length,
  });
  const { label } = set;
  const recall = new Map<string, Count>(
    label.true.map((flag) => [flag, count(({ flags }) => flags[flag].value)]),
  );
  const any = label.anyOf;
  if (any !== undefined)
    recall.set(
      "any exit",
      count(({ flags }) => any.some((flag) => flags[flag].value)),
    );
  const types: readonly string[] = label.usageType ?? [];
  const wrong = new Map<string, number>();
  const isRight = ({ usage, flags }: Evidence) =>
    (types.length === 0 || types.includes(usage.type)) &&
    label.true.every((flag) => flags[flag].value) &&
    !label.false.some((flag) => flags[flag].value);
  for (const evidence of found.filter((one) => !isRight(one))) {
    const { asn, usage } = evidence;
    const key = `AS${asn?.asn ?? "-"} ${(asn?.name ?? "no network").slice(0, 44)} → ${usage.type} (${usage.reasons.join(", ") || "nobody said"})`;
    wrong.set(key, (wrong.get(key) ?? 0) + 1);
  }
  return {
    set,
    recall,
    alarms: new Map(label.false.map((flag) => [flag, count(({ flags }) => flags[flag].value)])),
    usage: {
      right: count(({ usage }) => types.includes(usage.type)),
      unknown: count(({ usage }) => usage.type === "unknown"),
    },
    announced: {
      hits: found.filter(({ asn, flags }) => asn !== undefined && flags.isHosting.value).length,
      of: found.filter(({ asn }) => asn !== undefined).length,
    },
    unexplained: count(({ asn, flags }) => flags.isHosting.value && !SAYS_HOSTING.test(asn?.name ?? "")),
    wrong,
  };
}

const share = ({ hits, of }: Count) => (of === 0 ? 0 : hits / of);
const percent = (count: Count) => `${(100 * share(count)).toFixed(share(count) < 0.1 ? 2 : 1)}%`;
const total = (counts: readonly Count[]): Count => ({
  hits: counts.reduce((sum, count) => sum + count.hits, 0),
  of: counts.reduce((sum, count) => sum + count.of, 0),
});

const sets = readLabelledSets(folder, mostRows);
if (values["as-labelled"]) {
  if (feeds !== undefined) {
    console.error(
      "Cannot tell rows as labelled beside feeds that tell of them: leave out --feeds and --served",
    );
    process.exit(64);
  }
  await measureAsLabelled();
}
const results: Result[] = [];
const purities: SetPurities[] = [];
const startedMs = performance.now();
for (const set of sets) {
  const found: Evidence[] = [];
  for (const address of set.addresses) found.push(await survey.ask(address));
  results.push(measure(set, found));
  purities.push({ set, purities: found.map((evidence) => score(evidence).purity), thin: [] });
}
const seconds = (performance.now() - startedMs) / 1000;
survey.close();
feeds?.close();

if (feeds !== undefined) {
  console.log(
    `feeds: ${feeds.ready.map((feed) => feed.id).join(", ") || "none"}; refused: ${feeds.refused.join(", ") || "none"}\n`,
  );
}
console.log(
  `${"set".padEnd(25)} ${"group".padEnd(14)} ${"n".padStart(6)} ${"unknown".padStart(8)} ${"use ok".padStart(7)}  recall · false alarms`,
);
for (const { set, recall, alarms, usage } of results) {
  const wanted = [...recall].map(([flag, count]) => `${flag} ${percent(count)}`);
  const raised = [...alarms]
    .filter(([, count]) => count.hits > 0)
    .map(([flag, count]) => `${flag} ${percent(count)}`);
  console.log(
    `${set.id.padEnd(25)} ${set.group.padEnd(14)} ${String(set.addresses.length).padStart(6)} ${percent(usage.unknown).padStart(8)} ${(set.label.usageType === undefined ? "" : percent(usage.right)).padStart(7)}  ${wanted.join(", ") || "–"}${raised.length === 0 ? "" : ` · ${raised.join(", ")}`}`,
  );
}
const addresses = results.reduce((sum, { set }) => sum + set.addresses.length, 0);
const sampled = results.filter(({ set }) => set.sampled < set.rows).map(({ set }) => set.id);
console.log(
  `\n${addresses} addresses, ${Math.round(addresses / seconds)} a second${sampled.length === 0 ? "" : `; every k-th row, ${values.rows} of each, in ${sampled.join(", ")}`}`,
);

if (values.details) {
  for (const { set, wrong } of results) {
    if (wrong.size === 0) continue;
    console.log(`\n${set.id}`);
    for (const [key, count] of [...wrong].toSorted((a, b) => b[1] - a[1]).slice(0, 25)) {
      console.log(`  ${String(count).padStart(5)}  ${key}`);
    }
  }
}

// Flags that need a list are shown above, and checked only when their list is loaded.
const { judge } = budget;
console.log("");
const positive = results.filter(({ set }) => set.group === "positive");
const recallOf = (flag: Flag) => positive.flatMap(({ recall }) => recall.get(flag) ?? []);
for (const { set, announced } of positive.filter(({ recall }) => recall.has("isHosting"))) {
  judge(`hosting found in ${set.id}, announced addresses`, announced, BUDGET.hosting, "least");
}
judge(
  "hosting found in all of them, announced or not",
  total(recallOf("isHosting")),
  BUDGET.hosting,
  "least",
);
judge("VPN found in all positive sets", total(recallOf("isVpn")), BUDGET.vpn, "least");
const ordinary = results.filter(({ set }) => set.group.startsWith("negative"));
for (const flag of FALSE_ALARM_FLAGS) {
  const raw = total(ordinary.flatMap(({ alarms }) => alarms.get(flag) ?? []));
  if (flag !== "isHosting") judge(`false ${flag} on ordinary networks`, raw, BUDGET.falseAlarms, "most");
  else {
    const rest = total(ordinary.map(({ unexplained }) => unexplained));
    console.log(`       isHosting on operators' prefixes, with the data centres among them: ${percent(raw)}`);
    judge("false isHosting outside networks that call themselves one", rest, BUDGET.falseAlarms, "most");
  }
}
const said = new Set(feeds?.ready.flatMap((feed) => feed.meanings));
// Served lists are those of the consensus; exits that others saw at another time are not in them.
const torSets = positive.filter(({ set }) => !values.served || set.id === "tor-exit-consensus");
const torRecall = torSets.flatMap(({ recall }) => recall.get("isTor") ?? []);
if (said.has("tor_exit")) judge("Tor exits found", total(torRecall), BUDGET.listed, "least");
if (said.has("relay")) judge("relays found", total(recallOf("isRelay")), BUDGET.listed, "least");
if (said.has("search_bot"))
  judge("crawlers found", total(recallOf("isSearchEngineBot")), BUDGET.listed, "least");
printPurity(
  purities,
  {
    title: `FROM ${feeds === undefined ? "THE TABLES ALONE" : "TABLES AND FEEDS"}: nothing live is asked, what they do not know costs nothing`,
    floors: said.has("tor_exit") ? LISTS_FLOORS : TABLES_FLOORS,
  },
  budget,
);
budget.end();
