import type { SpecialPurpose } from "#address";
import type {
  Exposure,
  Flag,
  NativeType,
  Network,
  Place,
  Registry,
  Sharing,
  UsageType,
  VpnOperator,
} from "#report";
import type { AbuseWord, Family, Infrastructure, Listing, Matter, ReverseName } from "./observation.ts";

/** What all sources together say about one flag. */
export interface FlagEvidence {
  readonly value: boolean;
  /** Families that say yes, sorted. */
  readonly yes: readonly Family[];
  /** Families that say no and nowhere yes, sorted. */
  readonly no: readonly Family[];
  /** How many independent families say yes; an authority counts as two. */
  readonly agreement: number;
  /** The part of `agreement` that speaks of the address itself; the rest knows its /64 only. */
  readonly exact: number;
  readonly authoritative: boolean;
}

/** A list's word with who said it; `heard: false` = unavailable this time. */
export interface HeardListing extends Listing {
  readonly family: Family;
  readonly heard: boolean;
}

/** A word on abuse with who said it; `source` is the source's display name. */
export interface HeardAbuse extends AbuseWord {
  readonly source: string;
  readonly family: Family;
}

/** How much of what was planned was heard. Weights are the sources' own; skipped by choice is not planned. */
export interface Coverage {
  readonly planned: number;
  readonly heard: number;
  /** Sources with weight, planned and heard, by count; live ones of any weight in `live…`. */
  readonly plannedSources: number;
  readonly heardSources: number;
  readonly livePlanned: number;
  readonly liveHeard: number;
  /** DNS lists and the like that were asked just now and heard; downloaded lists are not among them. */
  readonly liveListsHeard: number;
  /** Matters about which at least one planned source was heard / was planned. */
  readonly heardMatters: readonly Matter[];
  readonly plannedMatters: readonly Matter[];
  /** Names of planned sources that were not heard, ordered by source id. */
  readonly unheard: readonly string[];
}

/** What the network is used for, and on whose word. */
export interface UsageEvidence {
  readonly type: UsageType;
  /**
   * What decided, most specific first: ids of sources, then `as_class` and `cloud_block` of our own tables, then
   * `as_name`, `registry_name`, `policy_list`, `reverse_name`.
   */
  readonly because: readonly string[];
  /** Families behind the type, sorted; `network_name` stands for the network's own names, `as_class` for our own tables. */
  readonly families: readonly Family[];
  /** How many families stand behind the type. */
  readonly agreement: number;
  /** How many of them said so themselves, rather than having it read out of a name or a policy list. */
  readonly said: number;
  /** Somebody who can tell a network's use was heard, whatever they said. */
  readonly heard: boolean;
}

/** Country of registration against country of use. */
export interface NativeEvidence {
  readonly type: NativeType;
  readonly registered?: string;
  readonly located?: string;
}

/** All observations merged: what is known, who says it, and what was not heard. No judgement. */
export interface Evidence {
  readonly version: 4 | 6;
  readonly surveyedAt: string;
  readonly special?: SpecialPurpose;
  readonly flags: Readonly<Record<Flag, FlagEvidence>>;
  readonly usage: UsageEvidence;
  readonly native: NativeEvidence;
  readonly geo?: Place;
  /** Countries named by different families when they disagree, sorted; empty when they do not. */
  readonly countries: readonly string[];
  readonly asn?: Network;
  readonly announced?: boolean;
  readonly registry?: Registry;
  readonly vpn?: VpnOperator;
  readonly infrastructure?: Infrastructure;
  readonly reverse?: ReverseName;
  readonly listings: readonly HeardListing[];
  readonly abuse: readonly HeardAbuse[];
  readonly exposure?: Exposure;
  readonly sharing?: Sharing;
  readonly coverage: Coverage;
}
