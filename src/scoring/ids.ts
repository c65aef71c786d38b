/**
 * Public, stable ids of every factor, with the facts (`data`) for its sentence. Retired ids keep their texts and are
 * never used again.
 */
export const FACTOR_IDS = [
  /** { block, purpose }: special-purpose space; points 50, floor 50. */
  "bogon",
  /**
   * { families: string[], agreement, authoritative?, subnet? }: `subnet` = evidence about the /64 only, so half.
   * The same for the next four. Floor 60 on full weight.
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
  /** { lists: string[] (labels), listed, answered, near? }: `near` = labels of the lists that list the /64 only */
  "blocklists",
  /** { lists: string[], lone?, authoritative?, subnet? }: hijacked or criminal netblock; floor 70 on full weight */
  "severe_listing",
  /** { lists: string[], lone?, authoritative?, subnet? }: botnet controller; floor 80 on full weight */
  "botnet_controller",
  /**
   * { sources: string[], score, full?, ageDays?, subnet? }: `full` = the points before the reduction by age or for the
   * /64
   */
  "abuse_score",
  /** { sources: string[], total, full?, ageDays?, subnet? } */
  "attack_history",
  /** { count } */
  "exposed_vulnerabilities",
  /** { ports: string[] }: open ports of proxies and VPNs */
  "open_ports",
  /** { address }: number of devices on the address */
  "shared_address",
  /** { cap, over }: negative; the points of a category above its cap. The same for the next four. */
  "anonymity_cap",
  "network_cap",
  "lists_cap",
  "abuse_cap",
  "exposure_cap",
  /** {}: negative; half of the points for abuse and lists, on mobile or shared lines */
  "shared_line_relief",
  /** { families: string[] }: negative */
  "residential_agreement",
  /** { operator }: negative; the points for anonymity and hosting of a verified crawler */
  "verified_crawler",
  /** { operator, role }: negative; a public resolver or root server is not an exit */
  "public_infrastructure",
  /** { sources: string[] (names), since (YYYY-MM-DD), days }: negative; what carried accusations have lost by now */
  "carried_fading",
  /** { without, kind, obtained }: the purity without this factor; the percentage of the evidence of `kind` */
  "not_obtained",
] as const;
export type FactorId = (typeof FACTOR_IDS)[number];

/**
 * Lines that close a breakdown, so that 100 minus all points is the purity: the bounds 0 and 100, the highest floor, and
 * rounding. They have no data.
 */
export const ADJUSTMENT_IDS = ["bounds", "floor", "rounding"] as const;
export type AdjustmentId = (typeof ADJUSTMENT_IDS)[number];

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
  "adjustment",
  "coverage",
] as const;
export type FactorCategory = (typeof FACTOR_CATEGORIES)[number];

/**
 * The one-line verdict. With a wide range it has { purity, low, high, percent } (the range, and the coverage in percent);
 * with low confidence `thin`: `tables` = no live source answered, `core` = no answers on anonymity or lists, `few` = few
 * other answers. Verdicts with the id of a factor have `lone` when only one family reports it, and `subnet` when the
 * evidence is about the /64 only.
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
  /** { listed, answered, near? }: `near` = number of lists that list the /64 only */
  "listed",
  "abused",
  "hosting",
  "minor_signals",
  /** No deduction. The text must not say "safe". */
  "no_signals",
  /** Too few answers for a conclusion. */
  "unheard",
] as const;
export type VerdictId = (typeof VERDICT_IDS)[number];

/** Reasons for the score of a use case. */
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
  /** Reverse DNS has no name for the address. */
  "nameless",
  "severe_listing",
  "botnet_controller",
  "abused",
  /** { address } */
  "shared",
  "thin_evidence",
  "no_signals",
  /** { country, asOf, vendors: string[] } */
  "restricted",
  /** { country, asOf, vendors: string[] }: these vendors do not offer their service there, others do */
  "region_partial",
  /** { country, asOf, vendors: string[] }: whether these vendors offer their service there could not be confirmed */
  "region_unclear",
  /** { countries: string[], asOf }: sources name countries for which vendors differ */
  "region_uncertain",
  /** { purpose } */
  "bogon",
  /** { operator } */
  "infrastructure",
  /** { operator } */
  "crawler",
] as const;
export type ReasonId = (typeof REASON_IDS)[number];

/** Why the use cases do not apply. */
export const NOTE_IDS = ["bogon", "infrastructure", "crawler"] as const;
export type NoteId = (typeof NOTE_IDS)[number];

/**
 * Facts that an address alone can never show, then those that only this report does not know: the last three ids appear
 * where no source that sees them answered.
 */
export const UNKNOWN_IDS = [
  "platform_labels",
  "exclusivity",
  "linked_accounts",
  "device_and_behaviour",
  "profile_match",
  /** Residential proxies: no free source sees them. */
  "residential_proxies",
  /** { sources: string[] (names) }: expected sources that did not answer */
  "unheard_sources",
  /** { sources: string[] (names), since (YYYY-MM-DD) }: sources that did not answer, whose accusations still count */
  "carried_accusations",
  /** { flags: string[] (ids), sources: string[] (names) }: the operator denies the flags, live sources raise them */
  "correction_disputed",
] as const;
export type UnknownId = (typeof UNKNOWN_IDS)[number];
