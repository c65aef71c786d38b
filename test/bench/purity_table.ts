import type { Band } from "#report";
import { findBand } from "#scoring";
import { type Budget, quantile } from "./harness.ts";
import { type Feature, featureOf, type LabelledSet } from "./labelled_set.ts";

/** The purities of one set; `thin` = reported by less than the label says (one uncertain source, fewer lists). */
export interface SetPurities {
  readonly set: LabelledSet;
  readonly purities: readonly number[];
  readonly thin: readonly number[];
}

const BANDS: readonly Band[] = ["pristine", "clean", "neutral", "suspicious", "risky", "dangerous"];
const ADVERSE: ReadonlySet<Feature> = new Set(["tor", "proxy", "vpn", "listed_5", "listed_3", "listed_1"]);

const TOR_CONSENSUS = "tor-exit-consensus";

const isOneOf =
  (...ids: readonly string[]) =>
  ({ id }: LabelledSet) =>
    ids.includes(id);

/** Whether a set has one of the features, and its label is neither weak nor old. */
function hasFeature(...features: readonly Feature[]): (set: LabelledSet) => boolean {
  return (set) => {
    const feature = featureOf(set);
    return feature !== undefined && features.includes(feature) && !/-(?:weak|old)$/.test(set.group);
  };
}

/** An aim: which rows, which share of them must be in which bands. */
interface Aim {
  readonly name: string;
  readonly of: (one: SetPurities) => readonly number[];
  readonly bands: readonly Band[];
  readonly least: number;
}

/** Whether a purity table shows aims, and which are reached now: a regression below one of these fails the run. */
export interface PurityMode {
  readonly title: string;
  /** By name of the aim: the share or AUC that a change must keep. */
  readonly floors: ReadonlyMap<string, number>;
}

const PRISTINE_OR_CLEAN = BANDS.slice(0, 2);
const NEUTRAL_OR_WORSE = BANDS.slice(2);
const SUSPICIOUS_OR_WORSE = BANDS.slice(3);

const firm = (feature: Feature) => (one: SetPurities) => (hasFeature(feature)(one.set) ? one.purities : []);

const AIMS: readonly Aim[] = [
  { name: "ordinary: pristine or clean", of: firm("ordinary"), bands: PRISTINE_OR_CLEAN, least: 0.95 },
  { name: "ordinary: neutral or better", of: firm("ordinary"), bands: BANDS.slice(0, 3), least: 0.95 },
  { name: "Tor exits: suspicious or worse", of: firm("tor"), bands: SUSPICIOUS_OR_WORSE, least: 1 },
  {
    name: "Tor exits of the consensus: suspicious or worse",
    of: ({ set, purities }) => (set.id === TOR_CONSENSUS ? purities : []),
    bands: SUSPICIOUS_OR_WORSE,
    least: 1,
  },
  { name: "on 5+ lists: suspicious or worse", of: firm("listed_5"), bands: SUSPICIOUS_OR_WORSE, least: 0.95 },
  { name: "on 5+ lists: neutral or worse", of: firm("listed_5"), bands: NEUTRAL_OR_WORSE, least: 0.97 },
  { name: "VPN exits: neutral or worse", of: firm("vpn"), bands: NEUTRAL_OR_WORSE, least: 0.9 },
  { name: "hosting: clean to suspicious", of: firm("hosting"), bands: BANDS.slice(1, 4), least: 0.95 },
];
/** Sets whose purity must be lower than that of ordinary addresses: how often it is (AUC). */
const SEPARATIONS: readonly {
  readonly name: string;
  readonly takes: (set: LabelledSet) => boolean;
  readonly least: number;
}[] = [
  {
    name: "AUC ordinary against Tor, proxies, 5+ lists",
    takes: hasFeature("tor", "proxy", "listed_5"),
    least: 0.98,
  },
  {
    name: "AUC ordinary against Tor exits of the consensus",
    takes: isOneOf(TOR_CONSENSUS),
    least: 0.99,
  },
  { name: "AUC ordinary against VPN", takes: hasFeature("vpn"), least: 0.99 },
  {
    name: "AUC ordinary against 3+ lists",
    takes: isOneOf("abuse-ipsum-5plus", "abuse-ipsum-3-4"),
    least: 0.99,
  },
  {
    name: "AUC ordinary against other abuse",
    takes: isOneOf("abuse-ipsum-1-2", "abuse-sw-threats"),
    least: 0.85,
  },
  { name: "AUC ordinary against open proxies", takes: hasFeature("proxy"), least: 0.85 },
];

/** Prints the second table and its aims. An aim that was reached before and is not now breaks the budget. */
export function printPurity(results: readonly SetPurities[], mode: PurityMode, budget: Budget): void {
  const ordinary = results.flatMap(firm("ordinary"));
  console.log(`\npurity, ${mode.title}`);
  console.log(
    `${"set".padEnd(25)} ${"n".padStart(6)} ${["p10", "median", "p90"].map((it) => it.padStart(6)).join(" ")}  ${BANDS.map((band) => band.padStart(10)).join(" ")}  ${"AUC".padStart(6)}`,
  );
  for (const { set, purities } of results) {
    if (purities.length === 0) continue;
    const quantiles = [0.1, 0.5, 0.9].map((share) => String(quantile(purities, share)).padStart(6));
    const shares = BANDS.map((band) => percent(shareIn(purities, [band])).padStart(10));
    const feature = featureOf(set);
    const auc =
      feature !== undefined && ADVERSE.has(feature) ? separation(ordinary, purities).toFixed(4) : "";
    console.log(
      `${set.id.padEnd(25)} ${String(purities.length).padStart(6)} ${quantiles.join(" ")}  ${shares.join(" ")}  ${auc.padStart(6)}`,
    );
  }
  console.log("");
  const tell = (name: string, value: number, least: number, shown: (value: number) => string) => {
    const floor = mode.floors.get(name);
    const isLost = floor !== undefined && value < floor;
    budget.require(name, !isLost);
    console.log(
      `${value >= least ? "reached    " : "not reached"} ${name}: ${shown(value)}, aim ${shown(least)}${isLost ? `; BROKEN, was ${shown(floor)} or more` : ""}`,
    );
  };
  for (const { name, of, bands, least } of AIMS) {
    const purities = results.flatMap(of);
    if (purities.length === 0) continue;
    const thin = results.filter((one) => of(one).length > 0).flatMap((one) => one.thin);
    tell(name, shareIn(purities, bands), least, percent);
    if (thin.length === 0 || thin.length === purities.length) continue;
    const hits = (some: readonly number[]) => some.length * shareIn(some, bands);
    const full = (hits(purities) - hits(thin)) / (purities.length - thin.length);
    console.log(
      `            ${thin.length} of ${purities.length} told by less than the label says: ${percent(shareIn(thin, bands))}`,
    );
    tell(`${name}, told in full`, full, least, percent);
  }
  for (const { name, takes, least } of SEPARATIONS) {
    const adverse = results.filter(({ set }) => takes(set)).flatMap(({ purities }) => purities);
    if (ordinary.length > 0 && adverse.length > 0)
      tell(name, separation(ordinary, adverse), least, (value) => value.toFixed(4));
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function shareIn(purities: readonly number[], bands: readonly Band[]): number {
  return purities.filter((purity) => bands.includes(findBand(purity))).length / purities.length;
}

/** AUC: how often an ordinary address has a higher purity than an adverse one; ties count half. */
function separation(ordinary: readonly number[], adverse: readonly number[]): number {
  const counts = new Array<number>(101).fill(0);
  for (const purity of adverse) counts[purity] = (counts[purity] ?? 0) + 1;
  let won = 0;
  for (const purity of ordinary) {
    for (let other = 0; other < purity; other++) won += counts[other] ?? 0;
    won += (counts[purity] ?? 0) / 2;
  }
  return won / (ordinary.length * adverse.length);
}
