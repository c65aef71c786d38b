/**
 * The version of the score. Raise it whenever the same evidence can give another score: stored surveys are then
 * scored again when they are read.
 */
export const SCORING_VERSION = 4;

/** Ids of changes to the scoring. The texts describe each of them. An id is never used again. */
export const CHANGE_IDS = [
  "first_rules",
  "lists_weigh_more",
  "agreed_vpn_not_clean",
  "infrastructure_in_full",
  "subnet_by_half",
  "verdict_tells_thinness",
  "regions_by_vendor",
  "calibrated",
  "age_lowers_confidence",
  "remote_access_ports",
  "range_by_coverage",
  "lists_by_voices",
  "consensus_is_authority",
  "accusations_carried",
  "undocumented_codes",
  "unknown_is_neutral",
  "agreed_proxy_suspicious",
  "listed_not_pristine",
  "medium_needs_anonymity",
  "outvoted_hosting",
  "range_by_kind",
  "regions_by_use",
  "five_lists_count",
] as const;
export type ChangeId = (typeof CHANGE_IDS)[number];

/** One version of the scoring. `date` is YYYY-MM-DD. */
export interface ScoringVersion {
  readonly version: number;
  readonly date: string;
  readonly changes: readonly ChangeId[];
}

/** All versions of the scoring, newest first. The first one is {@link SCORING_VERSION}. */
export const SCORING_VERSIONS: readonly ScoringVersion[] = [
  {
    version: 4,
    date: "2026-11-23",
    changes: [
      "unknown_is_neutral",
      "agreed_proxy_suspicious",
      "listed_not_pristine",
      "medium_needs_anonymity",
      "outvoted_hosting",
      "range_by_kind",
      "regions_by_use",
      "five_lists_count",
    ],
  },
  {
    version: 3,
    date: "2026-11-22",
    changes: [
      "range_by_coverage",
      "lists_by_voices",
      "consensus_is_authority",
      "accusations_carried",
      "remote_access_ports",
      "undocumented_codes",
    ],
  },
  {
    version: 2,
    date: "2026-11-21",
    changes: [
      "lists_weigh_more",
      "agreed_vpn_not_clean",
      "infrastructure_in_full",
      "subnet_by_half",
      "verdict_tells_thinness",
      "regions_by_vendor",
      "calibrated",
      "age_lowers_confidence",
    ],
  },
  { version: 1, date: "2026-11-21", changes: ["first_rules"] },
];
