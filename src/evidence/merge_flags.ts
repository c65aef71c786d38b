import type { SpecialPurpose } from "#address";
import { FLAGS, type Flag } from "#report";
import { NAME_FAMILY, type UsageVotes } from "./collect_votes.ts";
import type { FlagEvidence } from "./evidence.ts";
import type { Heard } from "./heard.ts";
import type { Family, ListingMeaning, Observation } from "./observation.ts";
import { sortedSet } from "./sorted_set.ts";

/** One family's word on a flag. */
interface Word {
  readonly family: Family;
  readonly value: boolean;
  readonly isAuthority: boolean;
}

const MEANINGS: Readonly<Partial<Record<Flag, ListingMeaning>>> = {
  isProxy: "proxy",
  isVpn: "vpn",
  isTor: "tor",
};

/**
 * Counts families for and against every flag. One yes makes it true; noes are kept beside it, and agreement
 * tells how many stand behind it. `isBogon` is ours alone to say, `isSearchEngineBot` only a verified crawler's.
 */
export function mergeFlags(
  heard: readonly Heard[],
  votes: UsageVotes,
  special: SpecialPurpose | undefined,
): Readonly<Record<Flag, FlagEvidence>> {
  const entries = FLAGS.map((flag) => [flag, mergeFlag(flag, heard, votes, special)] as const);
  return Object.fromEntries(entries) as Record<Flag, FlagEvidence>; // one entry for each of FLAGS
}

function mergeFlag(
  flag: Flag,
  heard: readonly Heard[],
  votes: UsageVotes,
  special: SpecialPurpose | undefined,
): FlagEvidence {
  if (flag === "isBogon") {
    return count(special === undefined ? [] : [{ family: "iana", value: true, isAuthority: true }]);
  }
  const words = heard.flatMap(({ run, said }) =>
    readWords(flag, said).map((value) => ({
      family: run.family,
      value,
      isAuthority: said.authority?.includes(flag) === true,
    })),
  );
  return count([...words, ...readNames(flag, words, votes)]);
}

function readWords(flag: Flag, said: Observation): readonly boolean[] {
  if (flag === "isSearchEngineBot") return isVerifiedCrawler(said) ? [true] : [];
  const words: boolean[] = [];
  const value = said.flags?.[flag];
  if (value !== undefined) words.push(value);
  if (flag === "isMobile" && said.usage === "mobile") words.push(true);
  if (flag === "isHosting" && said.usage === "hosting") words.push(true);
  const meaning = MEANINGS[flag];
  if (
    meaning !== undefined &&
    said.listings?.some((list) => list.listed && list.meanings.includes(meaning))
  ) {
    words.push(true);
  }
  return words;
}

/** A name counts only where nobody who can tell has said otherwise: reading names is guessing. */
function readNames(flag: Flag, words: readonly Word[], votes: UsageVotes): readonly Word[] {
  const type = flag === "isHosting" ? "hosting" : flag === "isMobile" ? "mobile" : undefined;
  if (type === undefined || !votes.named.some((vote) => vote.type === type)) return [];
  const isSaid = words.some((word) => word.value);
  const isDenied = words.some((word) => !word.value) || votes.said.some((vote) => vote.type !== type);
  return isSaid || !isDenied ? [{ family: NAME_FAMILY, value: true, isAuthority: false }] : [];
}

/** Confirmed by forward and reverse DNS, or on the operator's own list. A vendor's "bot" is hearsay. */
function isVerifiedCrawler(said: Observation): boolean {
  return (
    said.reverse?.crawler !== undefined ||
    said.infrastructure?.role === "crawler" ||
    (said.flags?.isSearchEngineBot === true && said.authority?.includes("isSearchEngineBot") === true)
  );
}

function count(words: readonly Word[]): FlagEvidence {
  const yes = sortedSet(words.filter((word) => word.value).map((word) => word.family));
  const no = sortedSet(words.filter((word) => !word.value).map((word) => word.family));
  const authoritative = words.some((word) => word.value && word.isAuthority);
  return {
    value: yes.length > 0,
    yes,
    no: no.filter((family) => !yes.includes(family)),
    agreement: yes.length + (authoritative ? 1 : 0),
    authoritative,
  };
}
