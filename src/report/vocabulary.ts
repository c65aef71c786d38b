/** The fixed sets of values in the documents. Each is in the order in which the documents show it. */

/** What the network behind an address is used for. */
export const USAGE_TYPES = [
  "residential",
  "business",
  "hosting",
  "mobile",
  "education",
  "government",
  "unknown",
] as const;
export type UsageType = (typeof USAGE_TYPES)[number];

/** `native` = registered and used in one country; `broadcast` = registered in one country and used in another. */
export const NATIVE_TYPES = ["native", "broadcast", "unknown"] as const;
export type NativeType = (typeof NATIVE_TYPES)[number];

/**
 * Why the native type is unknown: special-purpose space, a public service, an anycast address, a satellite network,
 * no known country of registration, no known country of use, or sources that name different countries equally often.
 */
export const NATIVE_REASONS = [
  "special",
  "infrastructure",
  "anycast",
  "satellite",
  "not_registered",
  "not_located",
  "disputed",
] as const;
export type NativeReason = (typeof NATIVE_REASONS)[number];

/**
 * Kinds of autonomous systems. `vpn_host` = a hosting company from which VPN services often rent; `tor` = its
 * operator runs Tor relays; `gateway` = a company whose customers' employees browse through it; `carrier` = sells
 * transit, so its addresses belong to customers of every kind.
 */
export const AS_KINDS = [
  "vpn",
  "vpn_host",
  "tor",
  "hosting",
  "cdn",
  "gateway",
  "business",
  "education",
  "government",
  "mobile",
  "isp",
  "satellite",
  "carrier",
] as const;
export type AsKind = (typeof AS_KINDS)[number];

/** The kinds of evidence whose coverage a report shows: those that can accuse an address. */
export const COVERED_KINDS = ["network", "anonymity", "lists", "abuse", "exposure"] as const;
export type CoveredKind = (typeof COVERED_KINDS)[number];

/** Boolean properties of an address, in document order. */
export const FLAGS = [
  "isProxy",
  "isVpn",
  "isTor",
  "isHosting",
  "isMobile",
  "isRelay",
  "isBogon",
  "isSearchEngineBot",
] as const;
export type Flag = (typeof FLAGS)[number];

/** Purity bands, cleanest first. */
export const BANDS = ["pristine", "clean", "neutral", "suspicious", "risky", "dangerous"] as const;
export type Band = (typeof BANDS)[number];

/** How much source coverage backs a score. */
export const CONFIDENCES = ["low", "medium", "high"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** Use cases for which an address is scored. */
export const SCENARIOS = ["ai", "social", "streaming", "gaming", "ecommerce", "email"] as const;
export type ScenarioId = (typeof SCENARIOS)[number];

/** Levels of use cases, best first, then the two levels without a score. */
export const SCENARIO_LEVELS = [
  "excellent",
  "good",
  "fair",
  "poor",
  "unusable",
  "restricted",
  "not_applicable",
] as const;
export type ScenarioLevel = (typeof SCENARIO_LEVELS)[number];

/** Where a report comes from: a live survey, the cache of this process, or the database. */
export const TIERS = ["fresh", "cache", "store"] as const;
export type Tier = (typeof TIERS)[number];

/** `free` = public, registry or community data; `commercial` = the product of a vendor. */
export const SOURCE_KINDS = ["free", "commercial"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Languages of the public documents. The default is Chinese. */
export const LANGUAGES = ["zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The id of the source that the operator's corrections are. */
export const CORRECTION_ID = "operator_correction";

/** Outcome of a query to one source: it has a record, it has none, it was not asked, or it gave no usable answer. */
export const RUN_STATES = ["answered", "empty", "skipped", "failed"] as const;

/** Why a source gave no usable answer. */
export const RUN_ERRORS = [
  "timeout",
  "refused",
  "status",
  "shape",
  "quota",
  "unavailable",
  "too_large",
] as const;
export type RunError = (typeof RUN_ERRORS)[number];

export const SKIP_REASONS = [
  "no_key",
  "noncommercial",
  "no_contact",
  "turned_off",
  "live_off",
  "version",
  "daily_budget",
  "paused",
  "told_to_wait",
  "zone_retired",
  "settled",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Kinds of exit that a listing can name in place of abuse. */
export const LISTED_EXITS = ["tor", "vpn", "proxy"] as const;

/** Whether an AI vendor offers its service in the country of the address. `unclear`: its list or the country is doubtful. */
export const REGION_STATES = ["supported", "unsupported", "unclear"] as const;
export type RegionState = (typeof REGION_STATES)[number];

/** The kinds of proven changes of a watched address. */
export const CHANGE_TYPES = [
  "address.listed",
  "address.delisted",
  "address.flag_on",
  "address.flag_off",
  "address.type_changed",
  "address.country_changed",
  "address.band_changed",
  "address.policy_changed",
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];
