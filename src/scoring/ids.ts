/**
 * Public, stable ids of every factor, with the facts (`data`) each carries for its sentence.
 * Retired ids keep their texts and are never reused.
 */
export const FACTOR_IDS = [
  /** { block, purpose }: special-purpose space; points 50, floor 50. */
  "bogon",
  /**
   * { families: string[], agreement, authoritative?, subnet? }: `subnet` = known of the /64 only, so half.
   * The same for the next four; floor 60 on full weight.
   */
  "tor_exit",
  "proxy",
  /** Also { operator? } */
  "vpn",
  "relay",
  "hosting",
  /** {} */
  "usage_unknown",
  /** { registered, located } (ISO country codes) */
  "broadcast",
  /** { lists: string[] (labels), listed, answered, near? }: non-benign lists; `near` = those that list the /64 only */
  "blocklists",
  /** { lists: string[], lone?, authoritative?, subnet? }: hijacked or criminal netblock; floor 70 on full weight */
  "severe_listing",
  /** { lists: string[], lone?, authoritative?, subnet? }: botnet controller; floor 80 on full weight */
  "botnet_controller",
  /** { sources: string[], score, full?, ageDays?, subnet? }: `full` = the points before they faded */
  "abuse_score",
  /** { sources: string[], total, full?, ageDays?, subnet? } */
  "attack_history",
  /** { count } */
  "exposed_vulnerabilities",
  /** { ports: string[] }: proxy, VPN or remote-access ports that answer */
  "open_ports",
  /** { address } devices on the address */
  "shared_address",
  /** { cap, over }: negative; what a family's cap took back */
  "anonymity_cap",
  /** { cap, over } */
  "network_cap",
  /** { cap, over } */
  "lists_cap",
  /** { cap, over } */
  "abuse_cap",
  /** { cap, over } */
  "exposure_cap",
  /** {}: negative; mobile or shared lines halve abuse and list points */
  "shared_line_relief",
  /** { families: string[] }: negative */
  "residential_agreement",
  /** { operator }: negative; a verified crawler's anonymity and hosting points fall away */
  "verified_crawler",
  /** { operator, role }: negative; a public resolver or root server is nobody's exit, reported and listed by mistake */
  "public_infrastructure",
] as const;
export type FactorId = (typeof FACTOR_IDS)[number];

export const FACTOR_CATEGORIES = [
  "special",
  "anonymity",
  "network",
  "location",
  "lists",
  "abuse",
  "exposure",
  "sharing",
  "relief",
] as const;
export type FactorCategory = (typeof FACTOR_CATEGORIES)[number];

/**
 * The one-line verdict. Every one carries { heard, planned } (sources), and where confidence is low `thin`, which
 * says why: `tables` = no live source was heard, `core` = neither anonymity nor lists were, `few` = little else was.
 * Verdicts named as a factor carry `lone` when one family alone says so, `subnet` when it is known of the /64 only.
 */
export const VERDICT_IDS = [
  /** { block, purpose } */
  "bogon",
  /** { operator, role } */
  "infrastructure",
  /** { operator } */
  "crawler",
  "botnet_controller",
  "severe_listing",
  "tor_exit",
  "proxy",
  /** { operator? } */
  "vpn",
  "relay",
  /** { listed, answered, near? }: `near` = how many of them list the /64 only */
  "listed",
  "abused",
  "hosting",
  "minor_signals",
  /** No deduction found; must not read as "safe". */
  "no_signals",
  /** Too little was heard to conclude anything. */
  "unheard",
] as const;
export type VerdictId = (typeof VERDICT_IDS)[number];

/** Facts a scenario's reason may name. */
export const REASON_IDS = [
  /** { usage } */
  "usage",
  "tor_exit",
  "proxy",
  "vpn",
  "relay",
  "hosting",
  "broadcast",
  "native",
  /** { listed, answered } */
  "listed",
  "not_listed",
  /** { lists: string[] }: end-user space that should not send mail directly */
  "policy_listed",
  "severe_listing",
  "botnet_controller",
  "abused",
  /** { address } */
  "shared",
  "thin_evidence",
  "no_signals",
  /** { country, asOf, vendors: string[] } */
  "restricted",
  /** { country, asOf, vendors: string[] }: some vendors do not offer their service there, others do */
  "region_partial",
  /** { country, asOf, vendors: string[] }: what these vendors publish could not be confirmed */
  "region_unclear",
  /** { countries: string[], asOf }: sources disagree across a border that matters */
  "region_uncertain",
  /** { purpose } */
  "bogon",
  /** { operator } */
  "infrastructure",
  /** { operator } */
  "crawler",
] as const;
export type ReasonId = (typeof REASON_IDS)[number];

/** Why scenarios do not apply. */
export const NOTE_IDS = ["bogon", "infrastructure", "crawler"] as const;
export type NoteId = (typeof NOTE_IDS)[number];

/** What an address alone can never tell; the last ones appear only when they hold. */
export const UNKNOWN_IDS = [
  "platform_labels",
  "exclusivity",
  "linked_accounts",
  "device_and_behaviour",
  "profile_match",
  /** { sources: string[] (names) }: sources that were not heard this time */
  "unheard_sources",
] as const;
export type UnknownId = (typeof UNKNOWN_IDS)[number];
