import type { UsageType } from "#report";
import type { AsKind } from "./as_kinds.ts";
import type { Family } from "./observation.ts";

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

/** Returns the origin whose list this source is, if it is a list of AS numbers. */
export function readOrigin(source: string): AsOrigin | undefined {
  return Object.hasOwn(AS_ORIGINS, source) ? (source as AsOrigin) : undefined; // a key of the table
}

/** One reason to assign a use to the network: the family that supports it, and its name in `reasons`. */
export interface Vote {
  readonly type: UsageType;
  readonly family: Family;
  readonly reason: string;
}
