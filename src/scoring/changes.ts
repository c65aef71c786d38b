/** Ids of changes to the scoring, each told by the texts. Never reused. */
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
] as const;
export type ChangeId = (typeof CHANGE_IDS)[number];

/** One version of the scoring. `date` is YYYY-MM-DD. */
export interface ScoringVersion {
  readonly version: number;
  readonly date: string;
  readonly changes: readonly ChangeId[];
}

/** Every version of the scoring, newest first; the first is the one in force. */
export const SCORING_VERSIONS: readonly ScoringVersion[] = [
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
