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

/**
 * Whose data it really is. Agreement counts families, never sources: two sources that republish one list
 * are one voice. Lower-case name of the origin (`spamhaus`, `proxycheck`, `rir`, `routeviews`).
 */
export type Family = string;

/** What a source can speak about; confidence asks that each matter was heard from somebody. */
export const MATTERS = [
  "network",
  "location",
  "registry",
  "anonymity",
  "lists",
  "abuse",
  "exposure",
] as const;
export type Matter = (typeof MATTERS)[number];

/**
 * What a listing means. `abuse` = spam, attacks, infection; `severe` = hijacked or criminal netblock;
 * `botnet` = botnet controller; `proxy`, `vpn`, `tor` = a kind of exit; `policy` = a declaration about end-user
 * space, no accusation; `info` = recorded without meaning for risk; `unclassified` = a code the zone does not document.
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

/** One list's answer about the address. Several meanings when the answer carried several codes. */
export interface Listing {
  readonly zone: string;
  readonly label: string;
  readonly listed: boolean;
  /** Short names of the codes that answered, such as `SBL` or `PBL, declared by the ISP`. */
  readonly codes: readonly string[];
  readonly meanings: readonly ListingMeaning[];
  /** The list is an authority whose word stands alone. */
  readonly authoritative?: true;
  /** Known of the IPv6 address's /64 only, not of the address itself. */
  readonly subnet?: true;
}

/** One source's word on abuse. `score` is 0–100 in the source's own scale, `lastSeen` RFC 3339. */
export interface AbuseWord {
  readonly score?: number;
  readonly reports?: number;
  readonly attacks?: Readonly<Record<string, number>>;
  readonly lastSeen?: string;
  /** Known of the IPv6 address's /64 only. */
  readonly subnet?: true;
}

/** What an address may be that serves the public. */
export const INFRASTRUCTURE_ROLES = ["public_dns_resolver", "root_server", "crawler"] as const;

/** An address that serves the public and is nobody's egress. */
export interface Infrastructure {
  readonly role: (typeof INFRASTRUCTURE_ROLES)[number];
  readonly operator: string;
}

/** Reverse names, and whether a search engine's name was confirmed by the forward lookup. */
export interface ReverseName {
  readonly names: readonly string[];
  readonly crawler?: string;
}

/** One source's word in normal form. An absent field means "did not say", never "no". */
export interface Observation {
  readonly flags?: Partial<Readonly<Record<Flag, boolean>>>;
  /** Flags on which this source is the authority (a Tor exit list on isTor): its word counts as two families. */
  readonly authority?: readonly Flag[];
  /** Flags this source knows of the IPv6 address's /64 only. */
  readonly subnetFlags?: readonly Flag[];
  /**
   * Families whose lists this source takes in: its "yes" on a flag is no further voice where one of them says "yes".
   */
  readonly echoes?: readonly Family[];
  readonly usage?: UsageType;
  readonly geo?: Place;
  readonly asn?: Network;
  /** False: the address is in no announced prefix. */
  readonly announced?: boolean;
  readonly registry?: Registry;
  readonly listings?: readonly Listing[];
  readonly abuse?: AbuseWord;
  readonly exposure?: Exposure;
  readonly sharing?: Sharing;
  readonly vpn?: VpnOperator;
  readonly infrastructure?: Infrastructure;
  readonly reverse?: ReverseName;
  /** One address announced from many places: where it is used is nowhere in particular. */
  readonly anycast?: true;
  /** Date of the data behind a table, YYYY-MM-DD. */
  readonly dataDate?: string;
  /** The data is older than it should be, and not yet too old to be heard: it counts for less in coverage. */
  readonly ageing?: true;
  /** The newest version of the list was refused as implausible; this is the word of the last good one. */
  readonly updateRefused?: true;
}

/** What became of asking one source, as stored with the survey. `weight` is its share in coverage. */
export interface SourceRun {
  readonly id: string;
  readonly name: string;
  readonly kind: SourceKind;
  readonly family: Family;
  readonly matters: readonly Matter[];
  readonly weight: number;
  /** True for tables held by the process: they answer without asking anyone. */
  readonly local: boolean;
  /** The DNS zone or list this source is; a run that was not heard shows as an unavailable listing. */
  readonly zone?: { readonly id: string; readonly label: string };
  readonly state: RunState;
  readonly ms: number;
  readonly error?: RunError;
  readonly detail?: string;
  readonly skipped?: SkipReason;
  readonly observation?: Observation;
}

/** One round of asking every source about one address. `surveyedAt` is RFC 3339 UTC. */
export interface Survey {
  readonly address: string;
  readonly version: 4 | 6;
  readonly surveyedAt: string;
  readonly runs: readonly SourceRun[];
}
