import { AS_KINDS, type AsKind, type Network, type UsageType } from "#report";
import {
  AS_ORIGINS,
  type AsKindVote,
  type AsOrigin,
  findAsClass,
  findPublishedKinds,
  USE_OF_KIND,
} from "./as_kinds.ts";
import { classifyName } from "./network_names.ts";
import type { Family } from "./observation.ts";

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
    const use = USE_OF_KIND[kind];
    const isRepeated =
      ranked.findIndex((vote) => vote.origin === origin && USE_OF_KIND[vote.kind] === use) < at;
    if (!isRepeated) sums.set(use, (sums.get(use) ?? 0) + AS_ORIGINS[origin].weight);
  }
  // The votes are sorted, so the first of the largest sums is the one of the strongest origin.
  const use = [...sums].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
  const kind = ranked.find((vote) => USE_OF_KIND[vote.kind] === use)?.kind;
  return {
    ...(kind === undefined ? {} : { kind }),
    use,
    votes: ranked.map((vote) => ({
      ...vote,
      weight: AS_ORIGINS[vote.origin].weight,
      agrees: USE_OF_KIND[vote.kind] === use,
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
