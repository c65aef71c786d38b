import type { SpecialPurpose } from "#address";
import { CORRECTION_ID, FLAGS, type Flag, type UsageType } from "#report";
import type { FlagEvidence } from "./evidence.ts";
import type { KnownNetwork } from "./network.ts";
import type { Family, ListingMeaning, Observation } from "./observation.ts";
import type { Answer } from "./runs.ts";
import type { UsageVotes } from "./usage.ts";

/** The answer of one family about a flag. */
interface Claim {
  readonly family: Family;
  readonly value: boolean;
  readonly isAuthority: boolean;
  /** The claim is about the address itself, not about its /64 only. */
  readonly isExact: boolean;
  /** Families whose lists this one includes. */
  readonly echoes?: readonly Family[];
}

export interface FlagInputs {
  readonly answers: readonly Answer[];
  readonly known: KnownNetwork;
  readonly votes: UsageVotes;
  readonly special: SpecialPurpose | undefined;
}

const MEANINGS: Readonly<Partial<Record<Flag, ListingMeaning>>> = {
  isProxy: "proxy",
  isVpn: "vpn",
  isTor: "tor",
};

const USES: Readonly<Partial<Record<Flag, UsageType>>> = { isHosting: "hosting", isMobile: "mobile" };

/**
 * Counts the families for and against every flag. One yes makes a flag true (see {@link isOutvoted}); `agreement` tells how many families say
 * yes. A corporate gateway carries people at work, as a VPN does, so only a VPN operator's own list makes it a VPN. Only the address itself decides `isBogon`, and only a verified crawler sets `isSearchEngineBot`.
 */
export function mergeFlags(inputs: FlagInputs): Readonly<Record<Flag, FlagEvidence>> {
  const corrected = findCorrected(inputs.answers);
  const entries = FLAGS.map((flag) => {
    const claims = readClaims(flag, inputs, corrected);
    const counted = countClaims(claims);
    const isWeak = flag === "isHosting" && counted.value && isOutvoted(claims, inputs);
    return [flag, isWeak ? { ...counted, value: false } : counted] as const;
  });
  return Object.fromEntries(entries) as Record<Flag, FlagEvidence>; // one entry for each of FLAGS
}

function readClaims(
  flag: Flag,
  { answers, known, votes, special }: FlagInputs,
  corrected: Observation["flags"],
): readonly Claim[] {
  if (flag === "isBogon") {
    return special === undefined ? [] : [{ family: "iana", value: true, isAuthority: true, isExact: true }];
  }
  const claims: Claim[] = [];
  if (corrected?.[flag] === false) {
    // The operator's "no" outweighs lists, tables and names. What live sources report is never hidden.
    for (const { run, observation } of answers) {
      if (!run.local || run.id === CORRECTION_ID) addClaims(flag, run.family, observation, claims);
    }
    return claims;
  }
  for (const { run, observation } of answers) addClaims(flag, run.family, observation, claims);
  if (flag === "isVpn" && known.kind.kind === "gateway")
    return claims.filter(({ isAuthority }) => isAuthority);
  // What lists of AS numbers state is about the whole AS; the decision between them is in `known`.
  for (const { type, family } of known.listed) if (type === USES[flag]) claims.push(yesOf(family));
  const isNamed = isShownByName(flag, claims, known, votes);
  const isLeased = flag === "isHosting" && known.leased !== undefined && !isContradicted(flag, claims, votes);
  // Our tables never deny a flag: they do not know every network.
  for (const family of findKnown(flag, known)) claims.push(yesOf(family));
  if (isNamed) {
    const families = votes.named.flatMap(({ type, family }) => (type === USES[flag] ? family : []));
    for (const family of new Set(families)) claims.push(yesOf(family));
  }
  if (isLeased && known.leased !== undefined) claims.push(yesOf(known.leased.family));
  return claims;
}

function findCorrected(answers: readonly Answer[]): Observation["flags"] {
  return answers.find(({ run }) => run.id === CORRECTION_ID)?.observation.flags;
}

/** Lists the flags to which the operator's correction says no although live sources raise them, with their names. */
export function listDisputes(
  answers: readonly Answer[],
): readonly { flag: Flag; sources: readonly string[] }[] {
  const corrected = findCorrected(answers);
  if (corrected === undefined) return [];
  const live = answers.filter(({ run }) => !run.local);
  return FLAGS.filter((flag) => corrected[flag] === false).flatMap((flag) => {
    const sources = live.flatMap(({ run, observation }) => {
      const claims: Claim[] = [];
      addClaims(flag, run.family, observation, claims);
      return claims.some(({ value }) => value) ? [run.name] : [];
    });
    return sources.length === 0 ? [] : [{ flag, sources }];
  });
}

/**
 * Whether one family alone, which is not an authority, calls the network a data centre, and at least two others state or
 * know another use. One list never outweighs several better sources.
 */
function isOutvoted(claims: readonly Claim[], { known, votes }: FlagInputs): boolean {
  const confirming = claims.filter(({ value }) => value);
  const families = new Set(confirming.map(({ family }) => family));
  if (families.size !== 1 || confirming.some(({ isAuthority }) => isAuthority)) return false;
  const others = [...votes.stated, ...known.uses].filter(({ type }) => type !== "hosting");
  const denying = new Set([
    ...others.map(({ family }) => family),
    ...claims.filter(({ value }) => !value).map(({ family }) => family),
  ]);
  for (const family of families) denying.delete(family);
  return denying.size > 1;
}

function yesOf(family: Family): Claim {
  return { family, value: true, isAuthority: false, isExact: true };
}

/** Adds the claims of one source. Most sources say nothing about most flags: nothing is allocated for those. */
function addClaims(flag: Flag, family: Family, observation: Observation, claims: Claim[]): void {
  const { authority, echoes, flags, listings, subnetFlags, usage } = observation;
  const add = (value: boolean, isExact: boolean) => {
    const claim = { family, value, isExact, isAuthority: authority?.includes(flag) === true };
    claims.push(echoes === undefined ? claim : { ...claim, echoes });
  };
  if (flag === "isSearchEngineBot") {
    if (isVerifiedCrawler(observation)) add(true, true);
    return;
  }
  const value = flags?.[flag];
  if (value !== undefined) add(value, subnetFlags?.includes(flag) !== true);
  if (usage !== undefined && usage === USES[flag]) add(true, true);
  const meaning = MEANINGS[flag];
  if (meaning === undefined || listings === undefined) return;
  for (const { listed, meanings, subnet } of listings) {
    if (listed && meanings.includes(meaning)) add(true, subnet !== true);
  }
}

/** Confirmed by reverse and forward DNS, or on the operator's own list. A vendor's "bot" alone is not enough. */
function isVerifiedCrawler({ reverse, infrastructure, flags, authority }: Observation): boolean {
  return (
    reverse?.crawler !== undefined ||
    infrastructure?.role === "crawler" ||
    (flags?.isSearchEngineBot === true && authority?.includes("isSearchEngineBot") === true)
  );
}

/** Returns the families of our own tables that know the flag of the whole network. */
function findKnown(flag: Flag, known: KnownNetwork): readonly Family[] {
  if (flag === "isVpn") return known.vpnFamilies;
  return known.uses.flatMap((use) => (use.type === USES[flag] ? use.family : []));
}

/** Whether a source denies the flag, or states another use, and no source raises the flag. */
function isContradicted(flag: Flag, claims: readonly Claim[], votes: UsageVotes): boolean {
  if (claims.some((claim) => claim.value)) return false;
  return claims.length > 0 || votes.stated.some((vote) => vote.type !== USES[flag]);
}

/**
 * Whether the name of the network sets the flag. A name is a guess: it counts only where no source that knows
 * the use contradicts it, and where our own tables do not know the network. One exception: in a known access network,
 * a block can have the name of a data centre.
 */
function isShownByName(
  flag: Flag,
  claims: readonly Claim[],
  known: KnownNetwork,
  votes: UsageVotes,
): boolean {
  const type = USES[flag];
  if (type === undefined || !votes.named.some((vote) => vote.type === type)) return false;
  if (known.uses.some((use) => use.type !== "residential")) return false;
  return !isContradicted(flag, claims, votes);
}

const NO_CLAIMS: FlagEvidence = {
  value: false,
  yes: [],
  no: [],
  agreement: 0,
  exact: 0,
  authoritative: false,
};

function countClaims(claims: readonly Claim[]): FlagEvidence {
  if (claims.length === 0) return NO_CLAIMS;
  const confirming = claims.filter((claim) => claim.value);
  const yes = [...new Set(confirming.map((claim) => claim.family))].sort();
  const denying = confirming.length === claims.length ? [] : claims.filter((claim) => !claim.value);
  const no = [...new Set(denying.map((claim) => claim.family))].sort();
  const agreement = countIndependent(confirming);
  const exact = confirming.filter((claim) => claim.isExact);
  return {
    value: yes.length > 0,
    yes,
    no: no.filter((family) => !yes.includes(family)),
    agreement,
    exact: exact.length === confirming.length ? agreement : countIndependent(exact),
    authoritative: confirming.some((claim) => claim.isAuthority),
  };
}

/**
 * Counts independent families: the size of the largest group of confirming families in which no family includes the
 * list of another. One more yes never lowers this number: two vendors that include one list count as two, with or
 * without that list. One authority in the group counts as two.
 */
function countIndependent(confirming: readonly Claim[]): number {
  if (confirming.length === 0) return 0;
  const families = [...new Set(confirming.map((claim) => claim.family))];
  const authorities = new Set(confirming.filter((claim) => claim.isAuthority).map((claim) => claim.family));
  /** Pairs of families where one includes the other's list, in both orders. */
  const dependent = new Set<string>();
  for (const { family, echoes = [] } of confirming) {
    for (const echoed of echoes) {
      if (echoed !== family) dependent.add(`${family} ${echoed}`).add(`${echoed} ${family}`);
    }
  }
  if (dependent.size === 0) return families.length + (authorities.size > 0 ? 1 : 0);
  const withAuthority = [...authorities].map((authority) => {
    const others = families.filter((it) => it !== authority && !dependent.has(`${authority} ${it}`));
    return 2 + findLargestSet(others, dependent);
  });
  return Math.max(findLargestSet(families, dependent), ...withAuthority);
}

/** Returns the size of the largest set of families without a dependent pair. */
function findLargestSet(families: readonly Family[], dependent: ReadonlySet<string>): number {
  const [first, ...rest] = families;
  if (first === undefined) return 0;
  const independent = rest.filter((family) => !dependent.has(`${first} ${family}`));
  const withFirst = 1 + findLargestSet(independent, dependent);
  return independent.length === rest.length
    ? withFirst
    : Math.max(withFirst, findLargestSet(rest, dependent));
}
