import type {
  Exposure,
  Flag,
  Network,
  Place,
  Registry,
  RunError,
  RunState,
  Sharing,
  SkipReason,
  SourceKind,
  UsageType,
  VpnOperator,
} from "#report";
import type { AsKind } from "./as_kinds.ts";

/**
 * Lower-case name of the publisher that the data comes from (`spamhaus`, `proxycheck`, `rir`, `routeviews`).
 * Agreement counts families, not sources: two sources that republish one list are one family.
 */
export type Family = string;

/** The kinds of facts a source can report. Confidence requires answers in the most important categories. */
export const EVIDENCE_CATEGORIES = [
  "network",
  "location",
  "registry",
  "anonymity",
  "lists",
  "abuse",
  "exposure",
] as const;
export type EvidenceCategory = (typeof EVIDENCE_CATEGORIES)[number];

/**
 * What a listing means. `abuse` = spam, attacks or infection; `severe` = hijacked or criminal netblock;
 * `botnet` = botnet controller; `proxy`, `vpn`, `tor` = a kind of exit; `policy` = a declaration about end-user
 * space, not an accusation; `info` = recorded, without risk; `unclassified` = a code that the
 * zone does not document; only surveys of earlier versions contain it, and it accuses nobody.
 */
export const LISTING_MEANINGS = [
  "abuse",
  "severe",
  "botnet",
  "proxy",
  "vpn",
  "tor",
  "policy",
  "info",
  "unclassified",
] as const;
export type ListingMeaning = (typeof LISTING_MEANINGS)[number];

/** One list's answer about the address. It has several meanings when the answer has several codes. */
export interface Listing {
  readonly zone: string;
  readonly label: string;
  readonly listed: boolean;
  /** Short names of the codes in the answer, such as `SBL` or `PBL, declared by the ISP`. */
  readonly codes: readonly string[];
  readonly meanings: readonly ListingMeaning[];
  /** For a list that counts other lists: how many independent lists the entry stands for. Absent = 1. */
  readonly voices?: number;
  /** The list is an authority: it counts as two families. */
  readonly authoritative?: true;
  /** The listing is about the /64 of an IPv6 address, not about the address itself. */
  readonly subnet?: true;
}

/** One source's record of abuse. `score` is 0–100 on the source's own scale, `lastSeen` is RFC 3339. */
export interface AbuseRecord {
  readonly score?: number;
  readonly reports?: number;
  /** Number of attacks by type. */
  readonly attacks?: Readonly<Record<string, number>>;
  readonly lastSeen?: string;
  /** The record is about the /64 of an IPv6 address only. */
  readonly subnet?: true;
}

/** Roles of an address that serves the public. */
export const INFRASTRUCTURE_ROLES = ["public_dns_resolver", "root_server", "crawler"] as const;

/** An address that serves the public. No person uses it as an exit. */
export interface Infrastructure {
  readonly role: (typeof INFRASTRUCTURE_ROLES)[number];
  readonly operator: string;
}

/** Reverse DNS names. `crawler` is the search engine whose name the forward lookup confirmed. */
export interface ReverseName {
  readonly names: readonly string[];
  readonly crawler?: string;
}

/** One source's answer in normal form. An absent field means "not stated", never "no". */
export interface Observation {
  readonly flags?: Partial<Readonly<Record<Flag, boolean>>>;
  /** Flags on which this source is an authority (a Tor exit list on `isTor`): it counts as two families. */
  readonly authority?: readonly Flag[];
  /** Flags that this source reports only for the /64 of an IPv6 address. */
  readonly subnetFlags?: readonly Flag[];
  /** Families whose lists this source includes. Its "yes" on a flag does not add to theirs. */
  readonly echoes?: readonly Family[];
  readonly usage?: UsageType;
  /** Kinds of the AS, from a list of AS numbers. They are not about this address alone. */
  readonly asKinds?: readonly AsKind[];
  readonly geo?: Place;
  readonly asn?: Network;
  /** False: no announced prefix contains the address. */
  readonly announced?: boolean;
  readonly registry?: Registry;
  readonly listings?: readonly Listing[];
  readonly abuse?: AbuseRecord;
  readonly exposure?: Exposure;
  readonly sharing?: Sharing;
  readonly vpn?: VpnOperator;
  readonly infrastructure?: Infrastructure;
  readonly reverse?: ReverseName;
  /** The address is announced from many places, so it has no country of use. */
  readonly anycast?: true;
  /** The address belongs to users of a satellite network, who may be anywhere. */
  readonly satellite?: true;
  /** The source looks for residential proxies: whether it saw one on this address. */
  readonly residentialProxy?: boolean;
  /** Date of the data behind a table, YYYY-MM-DD. */
  readonly dataDate?: string;
  /** The data is older than it should be, but still usable. It counts for less in coverage. */
  readonly ageing?: true;
  /** The list is the one that ships with the program, because no download of it can be used. */
  readonly snapshot?: true;
  /** The newest version of the list was refused as implausible. This answer is from the last good one. */
  readonly updateRefused?: true;
}

/** The result of one query to one source, as stored with the survey. */
export interface SourceRun {
  readonly id: string;
  readonly name: string;
  readonly kind: SourceKind;
  readonly family: Family;
  /** Categories of evidence that the source covers. The name of this field is part of stored surveys. */
  readonly matters: readonly EvidenceCategory[];
  /** Share in coverage. 0 = not counted. */
  readonly weight: number;
  /** The source is a table in this process, so no network query was made. */
  readonly local: boolean;
  /** The DNS zone or list that this source is. Without an answer it is reported as an unavailable list. */
  readonly zone?: { readonly id: string; readonly label: string };
  readonly state: RunState;
  readonly ms: number;
  readonly error?: RunError;
  readonly detail?: string;
  readonly skipped?: SkipReason;
  readonly observation?: Observation;
  /**
   * What the source said against the address when it last answered. It did not answer this time. `heardAt` = the survey
   * in which it answered, `lostAt` = the first one in which it did not; RFC 3339.
   */
  readonly carried?: {
    readonly observation: Observation;
    readonly heardAt: string;
    readonly lostAt: string;
  };
}

/** The results of all queries about one address. `surveyedAt` is RFC 3339 UTC. */
export interface Survey {
  readonly address: string;
  readonly version: 4 | 6;
  readonly surveyedAt: string;
  readonly runs: readonly SourceRun[];
}
