import type { SpecialPurpose } from "#address";
import { FLAGS, type Flag, type UsageType } from "#report";
import { NAME_FAMILY, type UsageVotes } from "./collect_votes.ts";
import type { FlagEvidence } from "./evidence.ts";
import type { Heard } from "./heard.ts";
import { CLASS_FAMILY } from "./know_network.ts";
import type { Family, ListingMeaning, Observation } from "./observation.ts";
import { sortedSet } from "./sorted_set.ts";

/** One family's word on a flag. */
interface Word {
  readonly family: Family;
  readonly value: boolean;
  readonly isAuthority: boolean;
  /** Said of the address itself, not of its /64 only. */
  readonly isExact: boolean;
  /** Families whose lists this one takes in. */
  readonly echoes?: readonly Family[];
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
    return count(
      special === undefined ? [] : [{ family: "iana", value: true, isAuthority: true, isExact: true }],
    );
  }
  const words: Word[] = [];
  for (const { run, said } of heard) readWords(flag, run.family, said, words);
  const known = readKnown(flag, votes);
  const named = readNames(flag, words, votes);
  return count(known.length + named.length === 0 ? words : [...words, ...known, ...named]);
}

/** Adds what one source says to `words`. Most say nothing of most flags, so nothing is made for those. */
function readWords(flag: Flag, family: Family, said: Observation, words: Word[]): void {
  const say = (value: boolean, isExact: boolean) => {
    const isAuthority = said.authority?.includes(flag) === true;
    const word = { family, value, isExact, isAuthority };
    words.push(said.echoes === undefined ? word : { ...word, echoes: said.echoes });
  };
  if (flag === "isSearchEngineBot") {
    if (isVerifiedCrawler(said)) say(true, true);
    return;
  }
  const value = said.flags?.[flag];
  if (value !== undefined) say(value, said.subnetFlags?.includes(flag) !== true);
  if (flag === "isMobile" && said.usage === "mobile") say(true, true);
  if (flag === "isHosting" && said.usage === "hosting") say(true, true);
  const meaning = MEANINGS[flag];
  if (meaning === undefined || said.listings === undefined) return;
  for (const { listed, meanings, subnet } of said.listings) {
    if (listed && meanings.includes(meaning)) say(true, subnet !== true);
  }
}

const USES: Readonly<Partial<Record<Flag, UsageType>>> = { isHosting: "hosting", isMobile: "mobile" };

/** What our own table knows of the whole network; what it does not know it does not deny. */
function readKnown(flag: Flag, { known }: UsageVotes): readonly Word[] {
  const isKnown = flag === "isVpn" ? known.isVpn : known.votes.some((vote) => vote.type === USES[flag]);
  return isKnown ? [{ family: CLASS_FAMILY, value: true, isAuthority: false, isExact: true }] : [];
}

/**
 * A name counts only where nobody who can tell has said otherwise: reading names is guessing. Nor does it count
 * beside our own table, which knows the same; an access network may still have blocks named as a data centre's.
 */
function readNames(flag: Flag, words: readonly Word[], votes: UsageVotes): readonly Word[] {
  const type = USES[flag];
  if (type === undefined || !votes.named.some((vote) => vote.type === type)) return [];
  if (votes.known.votes.some((vote) => vote.type !== "residential")) return [];
  const isSaid = words.some((word) => word.value);
  const isDenied = words.some((word) => !word.value) || votes.said.some((vote) => vote.type !== type);
  return isSaid || !isDenied ? [{ family: NAME_FAMILY, value: true, isAuthority: false, isExact: true }] : [];
}

/** Confirmed by forward and reverse DNS, or on the operator's own list. A vendor's "bot" is hearsay. */
function isVerifiedCrawler(said: Observation): boolean {
  return (
    said.reverse?.crawler !== undefined ||
    said.infrastructure?.role === "crawler" ||
    (said.flags?.isSearchEngineBot === true && said.authority?.includes("isSearchEngineBot") === true)
  );
}

const UNSAID: FlagEvidence = {
  value: false,
  yes: [],
  no: [],
  agreement: 0,
  exact: 0,
  authoritative: false,
};

function count(words: readonly Word[]): FlagEvidence {
  if (words.length === 0) return UNSAID;
  const said = words.filter((word) => word.value);
  const yes = sortedSet(said.map((word) => word.family));
  const isUnanimous = said.length === words.length;
  const no = isUnanimous ? [] : sortedSet(words.filter((word) => !word.value).map((word) => word.family));
  const agreement = countVoices(said);
  return {
    value: yes.length > 0,
    yes,
    no: no.filter((family) => !yes.includes(family)),
    agreement,
    exact: said.every((word) => word.isExact) ? agreement : countVoices(said.filter((word) => word.isExact)),
    authoritative: said.some((word) => word.isAuthority),
  };
}

/**
 * The most families that say yes without one repeating another, so that a further yes never makes them fewer: two
 * vendors that both repeat a list are two voices with the list as they are without it. An authority is two.
 */
function countVoices(said: readonly Word[]): number {
  if (said.length === 0) return 0;
  const families = [...new Set(said.map((word) => word.family))];
  const authorities = new Set(said.filter((word) => word.isAuthority).map((word) => word.family));
  const repeats = new Set<string>();
  for (const { family, echoes = [] } of said) {
    for (const echoed of echoes) {
      if (echoed !== family) repeats.add(`${family} ${echoed}`).add(`${echoed} ${family}`);
    }
  }
  if (repeats.size === 0) return families.length + (authorities.size > 0 ? 1 : 0);
  const beside = [...authorities].map((authority) => {
    const others = families.filter((it) => it !== authority && !repeats.has(`${authority} ${it}`));
    return 2 + countApart(others, repeats);
  });
  return Math.max(countApart(families, repeats), ...beside);
}

function countApart(families: readonly Family[], repeats: ReadonlySet<string>): number {
  const [first, ...rest] = families;
  if (first === undefined) return 0;
  const apart = rest.filter((family) => !repeats.has(`${first} ${family}`));
  const withFirst = 1 + countApart(apart, repeats);
  return apart.length === rest.length ? withFirst : Math.max(withFirst, countApart(rest, repeats));
}
