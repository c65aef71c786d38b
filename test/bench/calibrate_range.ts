/**
 * `bun test/bench/calibrate_range.ts FOLDER` measures on labelled addresses how many points evidence deducts that was
 * not heard, and writes them to `src/scoring/range_points.json`: for the purity and for each use case, by what is known of
 * the address and kind of evidence. "Everything" is what the sources say as the label has it (see `as_labelled.ts`), "nothing" is what the embedded tables say alone.
 */
import { join } from "node:path";
import {
  COVERED_KINDS,
  type CoveredKind,
  SCENARIOS,
  type ScenarioId,
  USAGE_TYPES,
  type UsageType,
} from "#report";
import {
  findMissingPart,
  findRangeKind,
  RANGE_KINDS,
  type RangeKind,
  type RangePoints,
  type ReasonId,
  type Score,
  score,
  WEIGHTS,
} from "#scoring";
import { askAsLabelled } from "./as_labelled.ts";
import { featureOf, readLabelledSets } from "./labelled_set.ts";
import { openLocalSurvey } from "./tables_evidence.ts";

const [folder] = Bun.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: bun test/bench/calibrate_range.ts FOLDER");
  process.exit(64);
}

/** Rows of each set, so that large sets do not decide alone. */
const ROWS = 500;
/**
 * The share of addresses that must stay within the points. 95 % is wanted; the rest is for addresses that gain points
 * when they are known.
 */
const SHARE = 0.97;
/** Steps of the share of one kind of evidence, when the kinds together must reach the points of all. */
const SHARE_STEP = 0.0025;
/** A kind of network with fewer addresses gets the points of all networks of people and firms. */
const LEAST_ADDRESSES = 300;
const CAPS: Readonly<Record<CoveredKind, number>> = {
  network: WEIGHTS.network_cap.cap,
  anonymity: WEIGHTS.anonymity_cap.cap,
  lists: WEIGHTS.lists_cap.cap,
  abuse: WEIGHTS.abuse_cap.cap,
  exposure: WEIGHTS.exposure_cap.cap,
};

/** Parts of the evidence after which something can be known about an address. */
const PARTS = ["nothing", "lists", "live", "half"] as const;

/**
 * The kind of evidence whose loss hides a deduction of a use case. Limits are not deductions, and that an address has no
 * reverse name is either known or not, so it is not measured.
 */
const REASON_KINDS: Readonly<Partial<Record<ReasonId, CoveredKind>>> = {
  ...{ tor_exit: "anonymity", proxy: "anonymity", vpn: "anonymity", relay: "anonymity" },
  ...{ hosting: "network", usage: "network", broadcast: "network", shared: "network" },
  ...{ listed: "lists", policy_listed: "lists", severe_listing: "lists", botnet_controller: "lists" },
  abused: "abuse",
};

/** What everything deducts more than nothing, for one address. */
type Added = Readonly<Record<CoveredKind | "total", number>>;

/** What has points of its own. */
type Scale = "purity" | ScenarioId;

interface Row {
  readonly kind: RangeKind;
  readonly part: (typeof PARTS)[number];
  readonly few: Score;
  readonly all: Score;
}

const rows: Row[] = [];
const survey = openLocalSurvey();
for (const set of readLabelledSets(folder, ROWS)) {
  // A known crawler has no number on any page, and lies above the range of its network.
  if (featureOf(set) === "crawler") continue;
  for (const address of set.addresses) {
    const everything = await askAsLabelled(survey, set, address, "everything");
    if (everything === undefined) continue;
    const all = score(everything);
    for (const part of PARTS) {
      const heard = await askAsLabelled(survey, set, address, part);
      if (heard === undefined) continue;
      const kind = findRangeKind(heard);
      // A network is measured without any other evidence; what is known of an address needs some of it.
      if (part === "nothing" || !isUsage(kind)) rows.push({ kind, part, few: score(heard), all });
    }
  }
}
survey.close();

function isUsage(kind: RangeKind): boolean {
  return USAGE_TYPES.some((type) => type === kind);
}

/**
 * What `all` deducts more than `few`, as if no evidence of that kind had been heard. Where all of it was heard, it can
 * deduct nothing more.
 */
function compare({ kind: address, few, all }: Row, scale: Scale): Added {
  const row = { total: 0, network: 0, anonymity: 0, lists: 0, abuse: 0, exposure: 0 };
  let mostUnheard = 0;
  for (const kind of COVERED_KINDS) {
    const missing = findMissingPart(address, few.coverage[kind]);
    if (missing === 0) continue;
    row[kind] = Math.min((charge(all, kind, scale) - charge(few, kind, scale)) / missing, 100);
    mostUnheard = Math.max(mostUnheard, missing);
  }
  if (mostUnheard > 0) row.total = Math.min((reach(few, scale) - reach(all, scale)) / mostUnheard, 100);
  return row;
}

/** The score without what only missing evidence deducts. */
function reach({ range, scenarios }: Score, scale: Scale): number {
  if (scale === "purity") return range.high;
  const reasons = scenarios.find(({ id }) => id === scale)?.reasons ?? [];
  return 100 - reasons.reduce((sum, { id, points = 0 }) => sum + (id in REASON_KINDS ? points : 0), 0);
}

function charge({ factors, scenarios }: Score, kind: CoveredKind, scale: Scale): number {
  if (scale !== "purity") {
    const reasons = scenarios.find(({ id }) => id === scale)?.reasons ?? [];
    return reasons.reduce(
      (sum, { id, points = 0 }) => sum + (REASON_KINDS[id as ReasonId] === kind ? points : 0),
      0,
    );
  }
  const sum = factors
    .filter(({ category }) => category === kind)
    .reduce((total, { points }) => total + points, 0);
  return Math.min(sum, CAPS[kind]);
}

/** The nearest-rank quantile, never below 0, in half points. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return Math.max(Math.ceil(value * 2) / 2, 0);
}

/** The points of one kind of network. The kinds of evidence together reach at least the points of all of it. */
function measure(added: readonly Added[]): RangePoints {
  const total = quantile(
    added.map((row) => row.total),
    SHARE,
  );
  for (let share = SHARE; ; share = Math.min(share + SHARE_STEP, 1)) {
    const points = Object.fromEntries(
      COVERED_KINDS.map((kind) => [
        kind,
        quantile(
          added.map((row) => row[kind]),
          share,
        ),
      ]),
    ) as Record<CoveredKind, number>; // one entry for each of COVERED_KINDS
    const sum = COVERED_KINDS.reduce((all, kind) => all + points[kind], 0);
    if (sum >= total || share >= 1) return { total, ...points };
  }
}

const PEOPLE: readonly UsageType[] = ["residential", "business", "mobile", "education", "government"];

/** The points of every kind of address. */
function measureScale(scale: Scale): string {
  const compared = rows.map((row) => ({ ...row, added: compare(row, scale) }));
  const addedOf = (holds: (row: Row) => boolean) => compared.filter(holds).map((row) => row.added);
  const people = addedOf(({ kind }) => PEOPLE.some((type) => type === kind));
  const known = USAGE_TYPES.filter((type) => type !== "unknown").map((type) => {
    const own = addedOf(({ kind }) => kind === type);
    return [type, measure(own.length < LEAST_ADDRESSES && PEOPLE.includes(type) ? people : own)] as const;
  });
  // To learn what a network is must not widen the range, so the unknown kind has the most of every column.
  const unknown = { ...measure(addedOf(({ kind }) => kind === "unknown")) };
  for (const column of ["total", ...COVERED_KINDS] as const) {
    unknown[column] = Math.max(unknown[column], ...known.map(([, points]) => points[column]));
  }
  // What is known of an address must hold after each part of the evidence.
  const exits = RANGE_KINDS.map((type) => {
    const parts = PARTS.map((part) => addedOf((row) => row.kind === type && row.part === part)).filter(
      (added) => added.length >= LEAST_ADDRESSES,
    );
    const points = { ...measure(addedOf(({ kind }) => kind === type)) };
    for (const column of ["total", ...COVERED_KINDS] as const) {
      points[column] = Math.max(points[column], ...parts.map((added) => measure(added)[column]));
    }
    return [type, points] as const;
  });
  const lines = [...exits, ...known, ["unknown", unknown] as const].map(([type, points]) => {
    const cells = ["total" as const, ...COVERED_KINDS].map((column) => `"${column}": ${points[column]}`);
    return `    "${type}": {${cells.join(", ")}}`;
  });
  return `  "${scale}": {\n${lines.join(",\n")}\n  }`;
}

const file = join(import.meta.dir, "../../src/scoring/range_points.json");
const text = `{\n${(["purity", ...SCENARIOS] as const).map(measureScale).join(",\n")}\n}\n`;
await Bun.write(file, text);
for (const [kind, found] of Map.groupBy(rows, (row) => row.kind))
  console.log(`${kind}: ${found.length} addresses`);
console.log(text);
