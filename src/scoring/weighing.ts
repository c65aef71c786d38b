import { DAY_MS } from "#common";
import type { AbuseEvidence, AbuseRecord, Evidence, ListingEvidence, ListingMeaning } from "#evidence";
import type { Data, Flag, Step } from "#report";
import { type Finding, readSteps, roundPoints } from "./rule.ts";
import {
  FORGOTTEN_DAYS,
  FURTHER_LIST,
  HALF_LIFE_DAYS,
  LONE_SHARE,
  SUBNET_SHARE,
  type Weight,
} from "./weights.ts";

/**
 * The families that report a fact. An authority counts as two. `exact` counts the families that report the address
 * itself.
 */
export interface Support {
  readonly agreement: number;
  readonly exact: number;
}

/**
 * Returns the part of a weight that counts: all of it from two families on, {@link LONE_SHARE} of it for one. Families
 * that report only the /64 of an IPv6 address count for {@link SUBNET_SHARE} of that, and never reduce the part that
 * the others reach without them.
 */
export function computeShare({ agreement, exact }: Support): number {
  return Math.max(shareOf(exact), shareOf(agreement) * SUBNET_SHARE);
}

/** Reports whether evidence about the /64 alone decides the share. */
export function isSubnetShare({ agreement, exact }: Support): boolean {
  return shareOf(agreement) * SUBNET_SHARE > shareOf(exact);
}

function shareOf(families: number): number {
  if (families <= 0) return 0;
  return families < 2 ? LONE_SHARE : 1;
}

/** Weighs a flag by the families that report it. The floor applies only on full weight. */
export function weighFlag(
  evidence: Evidence,
  flag: Flag,
  weight: Weight & { readonly points: number },
): Finding | undefined {
  const support = evidence.flags[flag];
  if (!support.value) return undefined;
  const share = computeShare(support);
  return {
    points: weight.points * share,
    ...(weight.floor === undefined || share < 1 ? {} : { floor: weight.floor }),
    data: {
      families: support.yes,
      agreement: support.agreement,
      ...(support.authoritative ? { authoritative: true } : {}),
      ...(isSubnetShare(support) ? { subnet: true } : {}),
    },
  };
}

/** Meanings with which a list accuses the address itself, and codes that a list does not document. */
const ACCUSING: ReadonlySet<ListingMeaning> = new Set(["abuse", "severe", "botnet"]);

/** Reports whether a listing accuses the address itself. An undocumented code accuses nobody. */
export function isAccusing({ meanings }: Pick<ListingEvidence, "meanings">): boolean {
  return meanings.some((meaning) => ACCUSING.has(meaning));
}

/** Reports whether a list names the address in a policy or a plain record only. */
export function isBenign({ listed, meanings }: Pick<ListingEvidence, "listed" | "meanings">): boolean {
  return listed && meanings.every((meaning) => meaning === "policy" || meaning === "info");
}

/**
 * Finds the lists that accuse the address, and counts those that answered. Declarations of end-user space and plain
 * records do not accuse; kinds of exit are flags.
 */
export function countLists({ listings }: Evidence) {
  const accusing: ListingEvidence[] = [];
  let answered = 0;
  for (const listing of listings) {
    // A policy list that names the address says nothing of abuse: reports count it apart.
    if (!listing.answered || isBenign(listing)) continue;
    answered += 1;
    if (listing.listed && isAccusing(listing)) accusing.push(listing);
  }
  return { accusing, answered };
}

/**
 * Counts the voices of lists that accuse the address of abuse. Every family is one voice, and each further list of it
 * {@link FURTHER_LIST} of a voice, up to one more in all. A list that counts other lists stands for as many as it says,
 * unless more answered: the lists that it counts may be those that answered.
 */
export function countVoices(accusing: readonly ListingEvidence[]): number {
  const families = new Map<string, number>();
  let counted = 0;
  let isCountedOnly = true;
  for (const { family, meanings, voices } of accusing) {
    if (!meanings.includes("abuse")) continue;
    families.set(family, (families.get(family) ?? 0) + 1);
    if (voices === undefined) isCountedOnly = false;
    else counted = Math.max(counted, voices);
  }
  if (isCountedOnly) return counted;
  let answered = 0;
  for (const lists of families.values()) answered += 1 + Math.min((lists - 1) * FURTHER_LIST, 1);
  return Math.max(answered, counted);
}

export function findListings({ listings }: Evidence, meaning: ListingMeaning): readonly ListingEvidence[] {
  return listings.filter(
    (listing) => listing.answered && listing.listed && listing.meanings.includes(meaning),
  );
}

/** Weighs listings of one critical meaning by the families behind them. The floor applies only on full weight. */
export function weighListings(
  evidence: Evidence,
  meaning: "severe" | "botnet",
  weight: Weight & { readonly points: number; readonly floor: number },
): Finding | undefined {
  const listings = findListings(evidence, meaning);
  if (listings.length === 0) return undefined;
  const support: Support = {
    agreement: countFamilies(listings),
    exact: countFamilies(listings.filter((listing) => listing.subnet !== true)),
  };
  const share = computeShare(support);
  return {
    points: weight.points * share,
    ...(share < 1 ? {} : { floor: weight.floor }),
    data: {
      lists: listings.map((listing) => listing.label),
      ...(support.agreement === 1 ? { lone: true } : {}),
      ...(listings.some((listing) => listing.authoritative === true) ? { authoritative: true } : {}),
      ...(isSubnetShare(support) ? { subnet: true } : {}),
    },
  };
}

/** Counts publishers, not lists. One authority among them counts as two. */
function countFamilies(listings: readonly ListingEvidence[]): number {
  const hasAuthority = listings.some((listing) => listing.authoritative === true);
  return new Set(listings.map((listing) => listing.family)).size + (hasAuthority ? 1 : 0);
}

/**
 * Weighs the points that `measure` gives to every record, and returns the record with the most points. Undefined when
 * no record has points. `sources` are those whose records have points; `data` says why the record does not have its full
 * points: { full?, ageDays?, subnet? }. `surveyedAt` is RFC 3339.
 */
export function findWorstRecord(
  records: readonly AbuseEvidence[],
  surveyedAt: string,
  steps: readonly Step[],
  measure: (record: AbuseRecord) => number,
) {
  const weighed = records
    .map((record) => {
      const measured = measure(record);
      const { points, data } = weighRecord(record, readSteps(steps, measured), surveyedAt);
      return { source: record.source, measure: measured, points, data };
    })
    .filter((record) => record.points > 0)
    .toSorted((a, b) => b.points - a.points || b.measure - a.measure);
  const worst = weighed[0];
  if (worst === undefined) return undefined;
  const { points, measure: measured, data } = worst;
  return { points, measure: measured, sources: weighed.map((record) => record.source), data };
}

/** Reduces the points of a record by its age, and by {@link SUBNET_SHARE} when it is about the /64 only. */
function weighRecord(
  { lastSeen, subnet }: AbuseRecord,
  full: number,
  surveyedAt: string,
): { readonly points: number; readonly data: Data } {
  // A source reports a record without a readable date, or with a date in the future, as current: its age is 0.
  const age = (Date.parse(surveyedAt) - Date.parse(lastSeen ?? "")) / DAY_MS;
  const days = Number.isNaN(age) ? 0 : Math.max(age, 0);
  const fading = days > FORGOTTEN_DAYS ? 0 : 2 ** (-days / HALF_LIFE_DAYS);
  const points = roundPoints(full * (subnet === true ? SUBNET_SHARE : 1) * fading);
  const ageDays = Math.floor(days);
  return {
    points,
    data: {
      ...(points < full ? { full } : {}),
      ...(points < full && ageDays > 0 ? { ageDays } : {}),
      ...(subnet === true ? { subnet: true } : {}),
    },
  };
}
