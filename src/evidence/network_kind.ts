import type { Network, UsageType } from "#report";
import { findAsClass } from "./as_classes.ts";
import { AS_KINDS, type AsKind, useOfKind } from "./as_kinds.ts";
import { classifyName } from "./network_names.ts";
import type { Family } from "./observation.ts";
import { findPublishedKinds } from "./published_kinds.ts";

/** The family of our own tables of networks. */
export const CLASS_FAMILY: Family = "as_class";

/** The name of the AS, the name of the block and their organisations are one fact, so they are one family. */
export const NAME_FAMILY: Family = "network_name";

/** Whose word a kind is, how much it counts in a conflict, and for whom it counts in an agreement. */
interface Origin {
  readonly weight: number;
  readonly family: Family;
}

/**
 * All origins of kinds, the strongest first. This is the whole precedence: of the uses that origins name, the one with
 * the largest sum of weights wins. A tie is decided by the strongest origin, then by the order of this table.
 *
 * `as_class` is checked by hand and outweighs all others together. `openasn` gives a reason for every line.
 * `bgp_tools_tags` describes operators. `x4bnet` (with bad-asn, which it contains) and `oxl` collect server networks and
 * include some access networks. A name says what its owner calls himself. In PeeringDB networks describe themselves, and
 * ipverse derives its category from such data. `oxl_isp` mixes backbones, business and home access, so every other
 * origin outweighs it. What ships with the program is one family: its lists are about the whole AS, not about the
 * address, and repeat each other.
 */
export const AS_ORIGINS = {
  as_class: { weight: 100, family: CLASS_FAMILY },
  openasn: { weight: 10, family: CLASS_FAMILY },
  bgp_tools_tags: { weight: 4, family: "bgp_tools" },
  x4bnet: { weight: 3, family: CLASS_FAMILY },
  as_name: { weight: 3, family: NAME_FAMILY },
  oxl: { weight: 2, family: CLASS_FAMILY },
  peeringdb: { weight: 2, family: "peeringdb" },
  as_metadata: { weight: 2, family: "ipverse" },
  oxl_isp: { weight: 1, family: CLASS_FAMILY },
} as const satisfies Readonly<Record<string, Origin>>;
export type AsOrigin = keyof typeof AS_ORIGINS;

/** What one origin says about the AS. */
export interface AsKindVote {
  readonly origin: AsOrigin;
  readonly kind: AsKind;
}

/** What one origin says, whether its word won, and how much it counted. */
export interface AsKindEvidence extends AsKindVote {
  readonly weight: number;
  /** The use that won is the use of this kind. */
  readonly agrees: boolean;
}

/** The kind of an AS, and the origins that name a kind, the strongest first. */
export interface NetworkKind {
  /** Absent when no origin knows the AS. */
  readonly kind?: AsKind;
  /** `unknown` for a carrier and for an AS that no origin knows. */
  readonly use: UsageType;
  readonly votes: readonly AsKindEvidence[];
}

const NO_KIND: NetworkKind = { use: "unknown", votes: [] };

/**
 * Finds the kind of the AS from our own table, the published ones, the names of the network, and `told`: what
 * downloaded lists of AS numbers say. Our own table knows better than a name, so a name of such an AS is not read.
 */
export function findNetworkKind(network: Network | undefined, told: readonly AsKindVote[]): NetworkKind {
  const asn = network?.asn;
  const own = asn === undefined ? undefined : findAsClass(asn);
  const votes: AsKindVote[] = own === undefined ? [] : [{ origin: "as_class", kind: own.class }];
  if (asn !== undefined) votes.push(...findPublishedKinds(asn));
  votes.push(...told);
  if (own === undefined) {
    const named = [network?.name, network?.org].flatMap((name) =>
      name === undefined ? [] : (classifyName(name) ?? []),
    );
    for (const kind of new Set(named)) votes.push({ origin: "as_name", kind });
  }
  return decideKind(votes);
}

/** Decides between the votes by {@link AS_ORIGINS}. An origin that names several kinds counts once for each use. */
export function decideKind(votes: readonly AsKindVote[]): NetworkKind {
  if (votes.length === 0) return NO_KIND;
  const ranked = [...votes].sort(compareVotes);
  const sums = new Map<UsageType, number>();
  for (const [at, { origin, kind }] of ranked.entries()) {
    const use = useOfKind(kind);
    const isRepeated =
      ranked.findIndex((vote) => vote.origin === origin && useOfKind(vote.kind) === use) < at;
    if (!isRepeated) sums.set(use, (sums.get(use) ?? 0) + AS_ORIGINS[origin].weight);
  }
  // The votes are sorted, so the first of the largest sums is the one of the strongest origin.
  const use = [...sums].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
  const kind = ranked.find((vote) => useOfKind(vote.kind) === use)?.kind;
  return {
    ...(kind === undefined ? {} : { kind }),
    use,
    votes: ranked.map((vote) => ({
      ...vote,
      weight: AS_ORIGINS[vote.origin].weight,
      agrees: useOfKind(vote.kind) === use,
    })),
  };
}

/** The family of X4BNet's lists of ranges, which are made from its AS numbers. */
const X4BNET_FAMILY: Family = "x4bnet";

/**
 * Returns the family for which the word of an origin counts in an agreement. Where X4BNet alone of the shipped lists
 * knows the use, it counts as the publisher that it is, so its ranges and its AS numbers are one.
 */
export function findOriginFamily(origin: AsOrigin, { votes }: NetworkKind): Family {
  const { family } = AS_ORIGINS[origin];
  if (origin !== "x4bnet") return family;
  const isRepeated = votes.some(
    (vote) => vote.agrees && vote.origin !== origin && AS_ORIGINS[vote.origin].family === family,
  );
  return isRepeated ? family : X4BNET_FAMILY;
}

const ORIGIN_ORDER = Object.keys(AS_ORIGINS);

function compareVotes(a: AsKindVote, b: AsKindVote): number {
  return (
    AS_ORIGINS[b.origin].weight - AS_ORIGINS[a.origin].weight ||
    ORIGIN_ORDER.indexOf(a.origin) - ORIGIN_ORDER.indexOf(b.origin) ||
    AS_KINDS.indexOf(a.kind) - AS_KINDS.indexOf(b.kind)
  );
}

/** Returns the origin whose list this source is, if it is a list of AS numbers. */
export function readOrigin(source: string): AsOrigin | undefined {
  return Object.hasOwn(AS_ORIGINS, source) ? (source as AsOrigin) : undefined; // a key of the table
}
