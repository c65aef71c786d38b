import type { Registry, UsageType } from "#report";
import { useOfKind } from "./as_kinds.ts";
import { CLASS_FAMILY, NAME_FAMILY } from "./as_origins.ts";
import type { UsageEvidence, UsageVote } from "./evidence.ts";
import type { KnownNetwork } from "./network.ts";
import type { NetworkKind } from "./network_kind.ts";
import { classifyName } from "./network_names.ts";
import type { Answer } from "./runs.ts";

/** All votes on the use of the network, by their origin. */
export interface UsageVotes {
  /** Sources state the use. */
  readonly stated: readonly UsageVote[];
  /** The tables that ship with the program know the network. */
  readonly known: readonly UsageVote[];
  /** A carrier announces space of somebody else. */
  readonly leased: readonly UsageVote[];
  /** The name of the network suggests the use. */
  readonly named: readonly UsageVote[];
  /** A policy list or a reverse name suggests end users. */
  readonly hints: readonly UsageVote[];
  /** A public resolver or root server is at the address. */
  readonly services: readonly UsageVote[];
  /** A source that can report the use of a network answered. */
  readonly answered: boolean;
}

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
): UsageVotes {
  const stated: UsageVote[] = [];
  const hints: UsageVote[] = [];
  const services: UsageVote[] = [];
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
    if (observation.reverse?.names.some(isConsumerName) === true) hint("reverse_name");
  }
  stated.push(...known.listed);
  if (known.listed.length > 0) answered = true;
  const named = [...known.named, ...readNames([registry?.netName, registry?.org])];
  const leased = known.leased === undefined ? [] : [known.leased];
  return { stated, known: known.uses, leased, named, hints, services, answered };
}

/** Reads the names of the block. */
function readNames(names: readonly (string | undefined)[]): readonly UsageVote[] {
  const types = new Set<UsageType>();
  for (const name of new Set(names)) {
    const kind = name === undefined ? undefined : classifyName(name);
    if (kind !== undefined) types.add(useOfKind(kind));
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
 * Decides what the network is used for, in this order: hosting if the flag `isHosting` is set; government and
 * education, where our tables and names are better than vendors; what sources state and our tables know, by majority of
 * families; names; two hints that agree; a public service, which its operator runs. Names do not count beside our own table: they are the same fact.
 */
export function mergeUsage(votes: UsageVotes, isHosting: boolean, kinds: NetworkKind): UsageEvidence {
  const type = isHosting ? "hosting" : decideUsage(votes);
  const select = (group: readonly UsageVote[]) => group.filter((vote) => vote.type === type);
  const stated = select(votes.stated);
  const known = select(votes.known);
  const isOwn = known.some(({ family }) => family === CLASS_FAMILY);
  const groups = [stated, known, select(votes.leased), isOwn ? [] : select(votes.named), select(votes.hints)];
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

function decideUsage({ stated, known, named, hints, services }: UsageVotes): UsageType {
  for (const type of ["government", "education"] as const) {
    if ([...stated, ...known, ...named].some((vote) => vote.type === type)) return type;
  }
  const others = [...stated, ...known].filter((vote) => vote.type !== "hosting");
  if (others.length > 0) return findMajority(others);
  const names = named.filter((vote) => vote.type !== "hosting");
  if (names.length > 0) return findMajority(names);
  const isAgreed = new Set(hints.map((vote) => vote.reason)).size > 1 && countFamilies(hints) > 1;
  if (isAgreed) return "residential";
  return services.length > 0 ? "business" : "unknown";
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

/** The limit of a DNS name in octets (RFC 1035, section 2.3.4). */
const MAX_DNS_NAME_LENGTH = 255;

const CONSUMER_NAME =
  /(?:^|[.-])(?:dyn|dynamic|dhcp|[avx]?dsl|cable|pool|pppoe?|dialup|broadband|ftt[hx]|cpe|customer|cust)\d*(?:[.-]|$)/;

/** Whether a reverse name looks like an access line. This is a weak hint: operators name hosts as they like. */
function isConsumerName(name: string): boolean {
  return CONSUMER_NAME.test(name.slice(0, MAX_DNS_NAME_LENGTH).toLowerCase());
}
