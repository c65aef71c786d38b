import type { SpecialPurpose } from "#address";
import type {
  AsKind,
  CountryClaim,
  CoveredKind,
  Exposure,
  Flag,
  NativeReason,
  NativeType,
  Network,
  Place,
  Registry,
  Sharing,
  UsageType,
  VpnOperator,
} from "#report";
import type { AsKindEvidence } from "./network_kind.ts";
import type {
  AbuseRecord,
  EvidenceCategory,
  Family,
  Infrastructure,
  Listing,
  ReverseName,
} from "./observation.ts";

/** One reason to assign a use to the network: the family that supports it, and its name in `reasons`. */
export interface UsageVote {
  readonly type: UsageType;
  readonly family: Family;
  readonly reason: string;
}

/** The answers of all sources about one flag. */
export interface FlagEvidence {
  readonly value: boolean;
  /** Families that say yes, sorted. */
  readonly yes: readonly Family[];
  /** Families that say no and never yes, sorted. */
  readonly no: readonly Family[];
  /** Number of independent families that say yes. An authority counts as two. */
  readonly agreement: number;
  /** The part of `agreement` that is about the address itself. The rest is about its /64 only. */
  readonly exact: number;
  readonly authoritative: boolean;
}

/** One list's answer. `answered: false` = the list is off or gave no answer, so whether it lists the address is unknown. */
export interface ListingEvidence extends Listing {
  readonly family: Family;
  readonly answered: boolean;
}

/** One source's record of abuse. `source` is the display name of the source. */
export interface AbuseEvidence extends AbuseRecord {
  readonly source: string;
  readonly family: Family;
}

/** How many of the expected sources answered. Sources that the operator turned off are not expected. */
export interface Coverage {
  /** Sums of the sources' weights. */
  readonly expectedWeight: number;
  readonly answeredWeight: number;
  /** Number of sources of any weight that answered over the network. */
  readonly liveAnswered: number;
  /** The lists among them. Downloaded lists are not live. */
  readonly liveListsAnswered: number;
  /**
   * Shares of the weight that answered, 0 to 1, in all and by kind of evidence. Here sources that are not asked because
   * live sources are off, or because the operator turned them off, count as not obtained. A kind without a source is 0.
   */
  readonly obtained: Readonly<Record<CoveredKind | "total", number>>;
  /**
   * Categories that at least one expected source covers, and those in which one answered. Downloaded lists do not count
   * for `anonymity`.
   */
  readonly expectedCategories: readonly EvidenceCategory[];
  readonly answeredCategories: readonly EvidenceCategory[];
  /** Names of expected sources that did not answer, ordered by source id. */
  readonly unanswered: readonly string[];
}

/** What the network is used for, and which sources and tables say so. */
export interface UsageEvidence {
  readonly type: UsageType;
  /**
   * What decided, most specific first: ids of sources, then `as_class`, `cloud_block` and `mobile_block` of our own tables, published
   * lists of AS numbers (`openasn`, `x4bnet`, `oxl`, `oxl_isp`) and `leased_space`, then `as_name`, `registry_name`,
   * `policy_list`, `reverse_name`, `service`.
   */
  readonly reasons: readonly string[];
  /** Families that support the type, sorted. `network_name` stands for names of the network, `as_class` for our tables. */
  readonly families: readonly Family[];
  readonly agreement: number;
  /** Number of families that state the type themselves. The others are read from a name or a policy list. */
  readonly stated: number;
  /** A source that can report the use of a network answered, even if it did not know the use. */
  readonly answered: boolean;
  /** What kind of network the AS is, by the origins that won. Sources that know the address may state another use. */
  readonly kind?: AsKind;
  /** What each origin says about the AS, the strongest first, and whether it agrees with the kind that won. */
  readonly kinds: readonly AsKindEvidence[];
}

/** Country of registration compared with country of use. */
export interface NativeEvidence {
  readonly type: NativeType;
  /** Why the type is unknown. */
  readonly reason?: NativeReason;
  readonly registered?: string;
  readonly located?: string;
}

/** All observations merged: what is known, which families say it, and what is unknown. It contains no judgement. */
export interface Evidence {
  readonly version: 4 | 6;
  readonly surveyedAt: string;
  readonly special?: SpecialPurpose;
  readonly flags: Readonly<Record<Flag, FlagEvidence>>;
  readonly usage: UsageEvidence;
  readonly native: NativeEvidence;
  readonly geo?: Place;
  /** Countries named by different families when they disagree, sorted. Empty when they agree. */
  readonly countries: readonly string[];
  /** Which sources name which of them, the best supported first. Empty when they agree. */
  readonly countryClaims: readonly CountryClaim[];
  readonly asn?: Network;
  readonly announced?: boolean;
  readonly registry?: Registry;
  readonly vpn?: VpnOperator;
  /** The AS belongs to somebody who operates Tor relays. This alone does not make the address an exit. */
  readonly torOperator?: { readonly name: string };
  readonly infrastructure?: Infrastructure;
  readonly reverse?: ReverseName;
  /** Reverse DNS answered that the address has no name. */
  readonly isNameless: boolean;
  readonly listings: readonly ListingEvidence[];
  readonly abuse: readonly AbuseEvidence[];
  readonly exposure?: Exposure;
  readonly sharing?: Sharing;
  /** A source that sees residential proxies answered. */
  readonly hasResidentialProxyAnswer: boolean;
  readonly coverage: Coverage;
  /** Flags to which the operator's correction says no although live sources raise them. They count. */
  readonly disputes?: readonly { readonly flag: Flag; readonly sources: readonly string[] }[];
  /** Present when the rest of this evidence contains accusations of sources that did not answer this time. */
  readonly carried?: {
    /** Names of the sources, and the day on which each last answered (YYYY-MM-DD). Ordered by source id. */
    readonly sources: readonly { readonly name: string; readonly heardOn: string }[];
    /** Days since the source that was lost last did not answer for the first time. */
    readonly lostDays: number;
    /** The evidence without them. */
    readonly rest: Evidence;
  };
}
