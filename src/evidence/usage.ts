import { CORRECTION_ID, type Registry, type UsageType } from "#report";
import { CLASS_FAMILY, NAME_FAMILY, USE_OF_KIND } from "./as_kinds.ts";
import type { UsageEvidence, UsageVote } from "./evidence.ts";
import type { KnownNetwork } from "./network.ts";
import type { NetworkKind } from "./network_kind.ts";
import { classifyName } from "./network_names.ts";
import { classifyReverseName } from "./reverse_names.ts";
import type { Answer } from "./runs.ts";

/** All votes on the use of the network, by their origin. */
export type UsageVotes = ReturnType<typeof collectVotes>;

/** Lists whose policy entries mean end-user space. Other policy lists, such as those of missing reverse names, do not. */
const CONSUMER_LISTS: ReadonlySet<string> = new Set(["spamhaus_zen", "spamhaus_dqs", "spamrats_dyna"]);

/**
 * Collects the votes of sources, of our own tables and of names on the use of the network. Of the lists of AS numbers
 * only those speak whose word won (see {@link AS_ORIGINS}); `known` and `named` come from the same decision.
 */
export function collectVotes(
  answers: readonly Answer[],
  known: KnownNetwork,
  registry: Registry | undefined,
) {
  /** Sources state the use. */
  const stated: UsageVote[] = [];
  /** A policy list or a reverse name suggests end users. */
  const hints: UsageVote[] = [];
  /** A public resolver or root server is at the address. */
  const services: UsageVote[] = [];
  /** The reverse name tells the use. The operator of the block writes it, so it only confirms other votes. */
  const reversed: UsageVote[] = [];
  /** A source that can report the use of a network answered. */
  let answered = false;
  for (const { run, observation } of answers) {
    const { usage, flags } = observation;
    const state = (type: UsageType) => stated.push({ type, family: run.family, reason: run.id });
    const hint = (reason: string) => hints.push({ type: "residential", family: run.family, reason });
    if (usage !== undefined || flags?.isHosting !== undefined) answered = true;
    if (usage !== undefined && usage !== "unknown") state(usage);
    if (flags?.isHosting === true && usage !== "hosting") state("hosting");
    if (flags?.isMobile === true && usage !== "mobile") state("mobile");
    for (const { zone, listed, meanings } of observation.listings ?? []) {
      if (listed && meanings.includes("policy") && CONSUMER_LISTS.has(zone)) hint("policy_list");
    }
    if (observation.infrastructure !== undefined && observation.infrastructure.role !== "crawler")
      services.push({ type: "business", family: run.family, reason: "service" });
    for (const type of findReverseUses(observation.reverse?.names ?? [])) {
      reversed.push({ type, family: run.family, reason: "reverse_name" });
      if (type === "residential") hint("reverse_name");
    }
  }
  stated.push(...known.listed);
  if (known.listed.length > 0) answered = true;
  const isServer = reversed.filter(({ type }) => type === "hosting");
  /** The name of the network suggests the use. */
  const named = [...known.named, ...readNames([registry?.netName, registry?.org]), ...isServer];
  /** A carrier announces space of somebody else. */
  const leased = known.leased === undefined ? [] : [known.leased];
  return { stated, known: known.uses, leased, named, hints, reversed, services, answered };
}

/** Reads the names of the block. */
function readNames(names: readonly (string | undefined)[]): readonly UsageVote[] {
  const types = new Set<UsageType>();
  for (const name of new Set(names)) {
    const kind = name === undefined ? undefined : classifyName(name);
    if (kind !== undefined) types.add(USE_OF_KIND[kind]);
  }
  return Array.from(types, (type) => ({ type, family: NAME_FAMILY, reason: "registry_name" }));
}

/** In a tie the more specific use wins. */
const PRECEDENCE: readonly UsageType[] = [
  "hosting",
  "government",
  "education",
  "business",
  "mobile",
  "residential",
];

/**
 * Decides what the network is used for, in this order: hosting if the flag `isHosting` is set; what the operator corrects; government and
 * education, where our tables and names are better than vendors; what sources state and our tables know, by majority of
 * families; names; two hints that agree; a public service, which its operator runs. Names do not count beside our own table: they are the same fact.
 */
export function mergeUsage(votes: UsageVotes, isHosting: boolean, kinds: NetworkKind): UsageEvidence {
  const corrected = votes.stated.find(({ reason }) => reason === CORRECTION_ID)?.type;
  const type = isHosting ? "hosting" : (corrected ?? decideUsage(votes));
  const select = (group: readonly UsageVote[]) => group.filter((vote) => vote.type === type);
  const stated = select(votes.stated);
  const known = select(votes.known);
  const isOwn = known.some(({ family }) => family === CLASS_FAMILY);
  const named = isOwn ? [] : select(votes.named);
  const groups = [stated, known, select(votes.leased), named, select(votes.hints), select(votes.reversed)];
  if (groups.every((group) => group.length === 0)) groups.push(select(votes.services));
  const families = [...new Set(groups.flat().map((vote) => vote.family))].sort();
  return {
    type,
    reasons: [...new Set(groups.flatMap((group) => group.map((vote) => vote.reason).sort()))],
    families,
    agreement: families.length,
    stated: countFamilies(stated),
    answered: votes.answered,
    ...(kinds.kind === undefined ? {} : { kind: kinds.kind }),
    kinds: kinds.votes,
  };
}

function decideUsage({ stated, known, named, hints, reversed, services }: UsageVotes): UsageType {
  for (const type of ["government", "education"] as const) {
    if ([...stated, ...known, ...named].some((vote) => vote.type === type)) return type;
  }
  const others = [...stated, ...known].filter((vote) => vote.type !== "hosting");
  if (others.length > 0) {
    const isConfirmed = ({ type }: UsageVote) => others.some((other) => other.type === type);
    return findMajority([...others, ...reversed.filter(isConfirmed)]);
  }
  const names = named.filter((vote) => vote.type !== "hosting");
  if (names.length > 0) return findMajority(names);
  const isAgreed = new Set(hints.map((vote) => vote.reason)).size > 1 && countFamilies(hints) > 1;
  if (isAgreed) return "residential";
  return services.length > 0 ? "business" : "unknown";
}

/** The uses that reverse names tell, each once. Routers, mail servers and VPN names tell no use. */
function findReverseUses(names: readonly string[]): readonly UsageType[] {
  const uses = new Set<UsageType>();
  for (const name of names) {
    const kind = classifyReverseName(name);
    if (kind !== undefined && kind !== "infrastructure" && kind !== "vpn") uses.add(kind);
  }
  return [...uses];
}

function findMajority(votes: readonly UsageVote[]): UsageType {
  const ranked = PRECEDENCE.map((type) => ({
    type,
    families: countFamilies(votes.filter((vote) => vote.type === type)),
  }));
  return ranked.reduce((best, next) => (next.families > best.families ? next : best)).type;
}

function countFamilies(votes: readonly UsageVote[]): number {
  return new Set(votes.map((vote) => vote.family)).size;
}
