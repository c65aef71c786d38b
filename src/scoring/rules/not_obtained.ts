import { percentOf } from "#common";
import { measureShares } from "../confidence.ts";
import { computePurity, type Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** The purity of an address of which nothing is known. Points above it count in proportion to what was obtained. */
const NEUTRAL = 50;

/** The kinds of evidence without which a good score proves nothing, and all of it. */
const NEEDED = ["total", "anonymity", "lists"] as const;

/**
 * What is unknown is neutral: the points above {@link NEUTRAL} count in full from a coverage of `enough` on, below it
 * in proportion, and for `least` when nothing was obtained. The coverage is the smallest of the coverage in all, of
 * anonymity and of lists. Below `enough` the address is never pristine. It keeps the order of addresses and never
 * changes a purity of {@link NEUTRAL} or less.
 */
export const notObtained: Rule = {
  id: "not_obtained",
  category: "coverage",
  judge: (evidence, before) => {
    const { least, enough, most } = WEIGHTS.not_obtained.counted;
    const shares = measureShares(evidence);
    const kind = NEEDED.reduce((smallest, next) => (shares[next] < shares[smallest] ? next : smallest));
    const share = shares[kind];
    const full = computePurity(before);
    if (share >= enough || full <= NEUTRAL) return undefined;
    const counted = least + (1 - least) * (share / enough);
    const purity = Math.min(Math.round(NEUTRAL + (full - NEUTRAL) * counted), most);
    const sum = before.reduce((total, { points }) => total + points, 0);
    return { points: 100 - purity - sum, data: { without: full, kind, obtained: percentOf(share) } };
  },
};
