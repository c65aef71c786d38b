/**
 * Public, stable ids of every factor, with the facts (`data`) each carries for its sentence.
 * Retired ids keep their texts and are never reused.
 */
export const FACTOR_IDS = [
  /** { block, purpose }: special-purpose space; points 50, floor 50. */
  "bogon",
  /** { families: string[], agreement } */
  "tor_exit",
  /** { families: string[], agreement } */
  "proxy",
  /** { families: string[], agreement, operator? } */
  "vpn",
  /** { families: string[], agreement } */
  "relay",
  /** { families: string[], agreement } */
  "hosting",
  /** {} */
  "usage_unknown",
  /** { registered, located } (ISO country codes) */
  "broadcast",
  /** { lists: string[] (labels), listed, answered }: non-benign lists */
  "blocklists",
  /** { lists: string[] }: hijacked or criminal netblock; floor 70 */
  "severe_listing",
  /** { lists: string[] }: botnet controller; floor 80 */
  "botnet_controller",
  /** { sources: string[], score } */
  "abuse_score",
  /** { sources: string[], total } */
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
  /** { operator, role }: negative; a public resolver or root server is reported and listed by mistake */
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

/** The one-line verdict. Every one carries { heard, planned } (sources). */
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
  /** { listed, answered } */
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
  "abused",
  /** { address } */
  "shared",
  "thin_evidence",
  "no_signals",
  /** { country, asOf, vendors: string[] } */
  "restricted",
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
