import { type Accuracy, type Flag, type Rate, type Share, USAGE_TYPES, type UsageType } from "#report";
import { BAND_THRESHOLDS, findBand } from "./score.ts";

/** Words for a flag that is true of an address. */
const FLAG_WORDS: Readonly<Record<string, Flag>> = {
  tor: "isTor",
  vpn: "isVpn",
  proxy: "isProxy",
  relay: "isRelay",
  hosting: "isHosting",
};
/** `listed`: on lists for abuse; `clean`: an ordinary address, none of all this. */
const OTHER_WORDS = ["listed", "clean"] as const;
const TYPES: readonly UsageType[] = USAGE_TYPES.filter((type) => type !== "unknown");

/** The words of a truth: kinds of exit, usage types, `listed` and `clean`. */
export const TRUTH_WORDS: readonly string[] = [
  ...new Set([...Object.keys(FLAG_WORDS), ...TYPES, ...OTHER_WORDS]),
];
const BAD: readonly string[] = ["tor", "vpn", "proxy", "listed"];
const ORDINARY: readonly string[] = ["residential", "mobile", "business", "education", "government", "clean"];
/** A data centre can be in the space of a company, so a business line does not deny hosting. */
const NO_HOSTING: readonly string[] = ORDINARY.filter((word) => word !== "business");

/** One address: its true words, and what was said about it. */
export interface JudgedRow {
  readonly truth: readonly string[];
  readonly purity: number;
  readonly usage: UsageType;
  readonly flags: Readonly<Record<Flag, boolean>>;
  /** How many independent sources report each flag; absent = none. */
  readonly agreement: { readonly [F in Flag]?: number | undefined };
  readonly isListed: boolean;
}

/** The 0.975 quantile of the normal distribution. */
const Z = 1.959964;

/** The share with its interval (Wilson 1927). Without rows all three numbers are 0. */
export function shareOf(hits: number, of: number): Share {
  if (of === 0) return { hits, of, share: 0, low: 0, high: 0 };
  const share = hits / of;
  const scale = 1 + Z ** 2 / of;
  const centre = (share + Z ** 2 / (2 * of)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))) / scale;
  return { hits, of, share, low: Math.max(centre - half, 0), high: Math.min(centre + half, 1) };
}

/** Measures judged rows. Pure. A row counts for a flag only where its truth says yes or no. */
export function measureAccuracy(rows: readonly JudgedRow[]): Accuracy {
  return {
    rows: rows.length,
    flags: [
      ...Object.entries(FLAG_WORDS).map(([word, flag]) =>
        rate(rows, word, (row) => row.flags[flag], word === "hosting" ? NO_HOSTING : ORDINARY),
      ),
      rate(rows, "listed", (row) => row.isListed, ["clean"]),
    ],
    types: TYPES.map((type) => rate(rows, type, (row) => row.usage === type, TYPES)),
    bands: BAND_THRESHOLDS.map(([band]) => {
      const inBand = rows.filter((row) => findBand(row.purity) === band);
      return { band, bad: shareOf(inBand.filter(isBad).length, inBand.length) };
    }),
    agreement: [1, 2, 3].map((sources) => ({ sources, right: countAgreement(rows, sources) })),
    calibrationError: findCalibrationError(rows),
  };
}

/** `against`: a row with one of these words, and without `word`, says that it is not true. */
function rate(
  rows: readonly JudgedRow[],
  word: string,
  isSaid: (row: JudgedRow) => boolean,
  against: readonly string[],
): Rate {
  const yes = rows.filter(({ truth }) => truth.includes(word));
  const no = rows.filter(({ truth }) => !truth.includes(word) && truth.some((one) => against.includes(one)));
  const [hits, alarms] = [yes.filter(isSaid).length, no.filter(isSaid).length];
  return {
    id: word,
    recall: shareOf(hits, yes.length),
    // Without rows that are true, every row that is said is wrong, whatever the method.
    precision: shareOf(hits, yes.length === 0 ? 0 : hits + alarms),
    alarms: shareOf(alarms, no.length),
  };
}

function countAgreement(rows: readonly JudgedRow[], sources: number): Share {
  let hits = 0;
  let of = 0;
  for (const { truth, agreement } of rows) {
    for (const [word, flag] of Object.entries(FLAG_WORDS)) {
      const isTrue = truth.includes(word);
      const isKnown =
        isTrue || truth.some((one) => (word === "hosting" ? NO_HOSTING : ORDINARY).includes(one));
      if (!isKnown || Math.min(agreement[flag] ?? 0, 3) !== sources) continue;
      of += 1;
      if (isTrue) hits += 1;
    }
  }
  return shareOf(hits, of);
}

function findCalibrationError(rows: readonly JudgedRow[]): number {
  const parts = Map.groupBy(rows, ({ purity }) => Math.min(Math.floor(purity / 10), 9));
  let sum = 0;
  for (const part of parts.values()) {
    const said = part.reduce((total, { purity }) => total + (100 - purity) / 100, 0);
    sum += Math.abs(said - part.filter(isBad).length);
  }
  return rows.length === 0 ? 0 : sum / rows.length;
}

function isBad({ truth }: JudgedRow): boolean {
  return truth.some((word) => BAD.includes(word));
}
